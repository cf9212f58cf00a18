import { describe, expect, it } from 'vitest'
import { type Check, defineCheck, unknown } from '../../src/framework/check.ts'
import type { CheckContext, Inventory, ManagedRead, Read } from '../../src/framework/context.ts'
import { aWorld, down, resultsOf } from '../support/world.ts'

/** A world whose only vCenter holds this beside nothing else. */
function holding(inventory: Partial<Inventory>): CheckContext {
  const world = aWorld()
  return {
    ...world,
    vcenters: world.vcenters.map((vcenter) => ({ ...vcenter, inventory: { objects: {}, ...inventory } })),
  }
}

function read<T>(value: T): Read<T> {
  return { state: 'read', value }
}

const forbidden = { state: 'unreadable', why: 'Forbidden.' } as const
const common = { title: 'Fine', help: 'Help.', severity: 'error', scope: 'vcenter' } as const

async function outcome(check: Check, world: CheckContext) {
  const [result] = await resultsOf(check, world)
  return [result?.outcome, ...(result?.findings.map(({ message }) => message) ?? []), ...(result?.unknowns ?? [])]
}

describe('what is no property', () => {
  const check = defineCheck({
    ...common,
    id: 'privileged',
    needs: { folder: ['name', '$privileges'] },
    *run({ vcenter }) {
      const wanted = ['System.Read', 'Folder.Create', 'Only.InNewer'].filter(
        (privilege) => vcenter.account.knownPrivileges?.has(privilege) ?? true,
      )
      for (const { name, $privileges } of vcenter.all('folder')) {
        const missing = wanted.filter((privilege) => !$privileges.has(privilege))
        if (missing.length === 0) continue
        yield { reason: 'Missing', message: `${vcenter.account.userName} lacks ${missing.join(', ')} on ${name}.` }
      }
    },
  })
  const folder = (more: Partial<ManagedRead<'folder'>>) =>
    new Map([['group-1', { values: { name: 'prod' }, unreadable: {}, ...more }]])
  const account = read({ userName: 'svc', knownPrivileges: new Set(['System.Read', 'Folder.Create']) })

  it('is given like one, pruned to what the vCenter knows', async () => {
    const values = { name: 'prod', $privileges: new Set(['System.Read']) }
    expect(await outcome(check, holding({ objects: { folder: folder({ values }) }, account }))).toEqual([
      'fail',
      'svc lacks Folder.Create on prod.',
    ])
    const all = { name: 'prod', $privileges: new Set(['System.Read', 'Folder.Create']) }
    expect(await outcome(check, holding({ objects: { folder: folder({ values: all }) }, account }))).toEqual(['pass'])
  })

  it('is unknown where it could not be read, with the reason', async () => {
    const objects = { folder: folder({ unreadable: { $privileges: 'Forbidden.' } }) }
    expect(await outcome(check, holding({ objects, account }))).toEqual([
      'unknown',
      'Cannot read $privileges of Folder prod (group-1) in vc-1: Forbidden.',
    ])
  })

  it('and who is logged in, where that could not be read', async () => {
    expect(await outcome(check, holding({ objects: {}, account: forbidden }))).toEqual([
      'unknown',
      'Cannot see who is logged in to it in vc-1: Forbidden.',
    ])
  })
})

describe('what belongs to a vCenter as a whole', () => {
  const policies = defineCheck({
    ...common,
    id: 'policies',
    needs: { policies: true },
    *run({ vcenter }) {
      for (const { name, datastores } of vcenter.policies) {
        if ('unknown' in datastores) yield unknown(datastores.unknown)
        else if (datastores.length === 0) yield { reason: 'Empty', message: `Nothing satisfies ${name}.` }
      }
    },
  })
  const tasks = defineCheck({
    ...common,
    id: 'tasks',
    needs: { tasks: true },
    *run({ vcenter }) {
      yield { reason: 'Tasks', message: `${vcenter.tasks.length} tasks.` }
    },
  })
  const paths = defineCheck({
    ...common,
    id: 'paths',
    needs: { paths: () => ['/dc'] },
    *run({ vcenter }) {
      yield { reason: 'Found', message: `${vcenter.find('/dc')?.type} ${vcenter.find('/dc')?.kind}.` }
      vcenter.find('/other')
    },
  })

  it.each<[string, Check, Partial<Inventory>, readonly unknown[]]>([
    [
      'policies',
      policies,
      { policies: read([{ id: 'p', name: 'gold', datastores: [] }]) },
      ['fail', 'Nothing satisfies gold.'],
    ],
    [
      'policies, one of which is not told',
      policies,
      { policies: read([{ id: 'p', name: 'gold', datastores: { unknown: 'Cannot tell.' } }]) },
      ['unknown', 'Cannot tell.'],
    ],
    [
      'no policies',
      policies,
      { policies: forbidden },
      ['unknown', 'Cannot see its storage policies in vc-1: Forbidden.'],
    ],
    ['nothing of policies', policies, {}, ['unknown', 'Cannot see its storage policies in vc-1: It was not read.']],
    ['tasks', tasks, { tasks: read([]) }, ['fail', '0 tasks.']],
    ['no tasks', tasks, { tasks: forbidden }, ['unknown', 'Cannot see its recent tasks in vc-1: Forbidden.']],
    [
      'a path, and one that nobody named',
      paths,
      { paths: read(new Map([['/dc', { kind: 'datacenter', type: 'Datacenter', id: 'dc-1' }]])) },
      [
        'fail',
        'Datacenter datacenter.',
        '/other was not looked up in vc-1: needs.paths did not name it for a failure domain there.',
      ],
    ],
    [
      'a path where nothing is',
      paths,
      {
        paths: read(
          new Map([
            ['/dc', undefined],
            ['/other', undefined],
          ]),
        ),
      },
      ['fail', 'undefined undefined.'],
    ],
    [
      'no paths',
      paths,
      { paths: forbidden },
      ['unknown', 'Cannot see what stands at inventory paths in vc-1: Forbidden.'],
    ],
  ])('%s', async (_, check, inventory, said) => {
    expect(await outcome(check, holding(inventory))).toEqual(said)
  })

  it.each([policies, tasks, paths])('is unknown where the vCenter is down', async (check) => {
    expect(await outcome(check, aWorld({ vcenters: { 'vc-1': down() } }))).toEqual([
      'unknown',
      'vc-1 could not be read: It does not answer.',
    ])
  })
})
