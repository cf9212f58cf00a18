import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, callVim, logIn, type Target } from '../simulator/client.ts'
import { alike, contained, login, type Ref, type Setting, settingOf, vimLogin } from '../simulator/wire-calls.ts'
import { shapeOf } from '../simulator/wire-shape.ts'
import { startProcess } from './vcenter-process.ts'

/**
 * The embedded simulator writes its answers as a simulator does that others wrote: the same calls to both, in equal
 * inventories, and the same statuses, fields, type names and boxing come back. Values differ and are not compared.
 */
const program = inject('vcsimJson')
const why = 'missing' in program ? ` (skipped: ${program.missing})` : ''

const world: SimulatedWorld = {
  name: 'localhost',
  datacenters: [
    {
      name: 'DC0',
      clusters: [
        {
          name: 'DC0_C0',
          hosts: [{ name: 'DC0_C0_H0' }, { name: 'DC0_C0_H1' }],
          vms: [
            { name: 'DC0_C0_RP0_VM0', uuid: '422e4956-ad22-1139-6d72-000000000000' },
            { name: 'DC0_C0_RP0_VM1', uuid: '422e4956-ad22-1139-6d72-000000000001' },
            {
              name: 'DC0_C0_RP0_VM2',
              uuid: '422e4956-ad22-1139-6d72-000000000002',
              unreadable: { 'config.nonsense': 'InvalidProperty' },
            },
          ],
        },
      ],
    },
  ],
  pageCap: 2,
  tasks: [{ description: 'VirtualMachine.powerOn', state: 'success', entityName: 'DC0_C0_RP0_VM0' }],
  tags: [{ name: 'zone', associableTypes: ['Datacenter'], tags: [{ name: 'a', description: 'A', on: ['/DC0'] }] }],
}
const sameSize = '-dc 1 -cluster 1 -host 2 -standalone-host 0 -vm 3 -page-cap 2'.split(' ')

describe.skipIf('missing' in program)(`the embedded simulator answers like vcsim-json${why}`, () => {
  const stops: (() => Promise<void>)[] = []
  let settings: readonly Setting[]

  beforeAll(async () => {
    const theirs = await startVcsimJson(sameSize)
    stops.push(theirs.stop)
    const ours = await startSimulator(world)
    stops.push(() => ours.close())
    await makeTags(theirs.target)
    settings = [await settingOf(ours), await settingOf(theirs.target)]
  })
  afterAll(() => Promise.all(stops.map((stop) => stop())))

  it.each(Object.entries(alike))('%s', async (_, step) => {
    const [mine, theirs] = await Promise.all(settings.map(step))
    expect(shapeOf(mine)).toEqual(shapeOf(theirs))
  })

  it.each(Object.entries(contained))('%s, as far as ours goes', async (_, step) => {
    const [mine, theirs] = await Promise.all(settings.map(step))
    expect(shapeOf(theirs)).toMatchObject(shapeOf(mine))
  })

  it.each([
    ['REST', login],
    ['VI JSON', vimLogin],
  ])('%s login past the limit of sessions', async (_, step) => {
    const theirs = await startVcsimJson(['-vm', '0', '-max-sessions', '1'])
    onTestFinished(theirs.stop)
    const ours = await startSimulator({ ...world, maxSessions: 1 })
    onTestFinished(() => ours.close())
    const refused = async (target: Target) => {
      await logIn(target)
      return shapeOf(await step(target, 'u', 'p'))
    }
    expect(await refused(ours)).toEqual(await refused(theirs.target))
  })
})

async function startVcsimJson(flags: readonly string[]): Promise<{ target: Target; stop: () => Promise<void> }> {
  if ('missing' in program) throw new Error(program.missing)
  const { port, ca = '', stop } = await startProcess(program.path, flags, true)
  // Its certificate is good for this name.
  return { target: { host: '127.0.0.1', port, name: 'example.com', ca }, stop }
}

/** Gives the other simulator the tags that our world has. */
async function makeTags(target: Target): Promise<void> {
  const token = await logIn(target)
  const post = (path: string, body: unknown) => ask(target, 'POST', `/api/cis/tagging/${path}`, { token, body })
  const category = { name: 'zone', description: '', cardinality: 'SINGLE', associable_types: ['Datacenter'] }
  const { json: category_id } = await post('category', category)
  const { json: tag_id } = await post('tag', { name: 'a', description: 'A', category_id })
  const datacenter = await callVim(target, token, 'SearchIndex/SearchIndex/FindByInventoryPath', {
    inventoryPath: '/DC0',
  })
  const { type, value } = datacenter.json as Ref // fails the start of the tests otherwise
  await post(`tag-association/${tag_id}?action=attach`, { object_id: { type, id: value } })
}
