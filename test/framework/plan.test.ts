import { expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import { planOf } from '../../src/framework/plan.ts'
import { fine } from './a-check.ts'

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
])('each property is read once: $what', ({ checks, plan }) => {
  const sets = Object.entries(plan).map(([kind, paths]) => [kind, new Set(paths)])
  expect(planOf(checks)).toEqual(Object.fromEntries(sets))
})
