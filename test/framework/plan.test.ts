import { expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import type { Needs } from '../../src/framework/check.ts'
import type { FailureDomain } from '../../src/framework/kube-schema.ts'
import { pathsIn, planOf } from '../../src/framework/plan.ts'
import { fine, loopForEver, raise } from './a-check.ts'

const own = ['config.uuid', 'name']

it.each([
  { what: 'no checks', checks: [], plan: { vm: own } },
  {
    what: 'a check that looks into no vCenter',
    checks: [fine('a', { needs: { kube: ['nodes'] } })],
    plan: { vm: own },
  },
  {
    what: 'the checks of the house',
    checks: builtinChecks,
    plan: { vm: [...own, 'config.version'] },
  },
  {
    what: 'two checks with something in common',
    checks: [
      fine('a', { needs: { vm: ['config.version', 'runtime.host'], host: ['name'] } }),
      fine('b', { needs: { vm: ['runtime.host', 'name'], host: ['runtime.connectionState'], rest: true } }),
    ],
    plan: { vm: [...own, 'config.version', 'runtime.host'], host: ['name', 'runtime.connectionState'] },
  },
  {
    what: 'a kind of which only the references matter',
    checks: [fine('a', { needs: { cluster: [] } })],
    plan: { vm: own, cluster: [] },
  },
  {
    what: 'what is no property',
    checks: [
      fine('a', { needs: { cluster: ['$tags', '$privileges'], tasks: true } }),
      fine('b', { needs: { cluster: ['$tags', 'name'] } }),
    ],
    plan: { vm: own, cluster: ['$tags', '$privileges', 'name'] },
    beside: { tasks: true },
  },
  {
    what: 'policies, and therefore datastores',
    checks: [fine('a', { needs: { policies: true } })],
    plan: { vm: own, datastore: [] },
    beside: { policies: true },
  },
])('each property is read once: $what', ({ checks, plan, beside = {} }) => {
  const sets = Object.entries(plan).map(([kind, paths]) => [kind, new Set(paths)])
  expect(planOf(checks)).toEqual({ ...Object.fromEntries(sets), ...beside })
})

const domain = (name: string, server: string, datacenter?: string): FailureDomain => ({
  name,
  region: name,
  zone: name,
  server,
  topology: { networks: [], ...(datacenter !== undefined && { datacenter }) },
})

it('paths are looked up in the vCenter of their failure domain, each once', () => {
  const domains = [domain('a', 'vc-1', 'east'), domain('b', 'VC-1', 'west'), domain('c', 'vc-2', 'north')]
  const checks = [
    fine('a', { needs: { paths: ({ topology }) => [`/${topology.datacenter}`, undefined, ''] } }),
    fine('b', { needs: { paths: ({ topology, name }) => new Set([`/${topology.datacenter}`, `/${name}`]) } }),
    fine('broken', { needs: { paths: () => raise(new Error('no')) } }),
    fine('other', {}),
  ]
  expect([...pathsIn('vc-1', checks, domains)]).toEqual(['/east', '/west', '/a', '/b'])
  expect([...pathsIn('vc-2', checks, domains)]).toEqual(['/north', '/c'])
  expect([...pathsIn('vc-3', checks, domains)]).toEqual([])
})

it.each<[string, () => unknown]>([
  ['never ends', loopForEver],
  ['rejects', () => Promise.reject(new Error('boom'))],
  [
    'names paths for ever',
    function* () {
      for (;;) yield '/again'
    },
  ],
])('a check whose needs.paths %s has none looked up, and the others have theirs', (_, paths) => {
  const domain = { name: 'fd', region: 'r', zone: 'z', server: 'vc-1', topology: { networks: [] } }
  const bad = fine('bad', { needs: { paths: paths as NonNullable<Needs['paths']> } }) // as plain JavaScript may have it
  const good = fine('good', { needs: { paths: () => ['/here'] } })
  // vitest fails a run in which a rejection was not handled.
  expect([...pathsIn('vc-1', [bad, good], [domain, { ...domain, name: 'fd-2' }])]).toEqual(['/here'])
})
