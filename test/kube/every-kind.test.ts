import { describe, expect, it, vi } from 'vitest'
import { aFolder } from '../support/files.ts'
import { aVCenter } from '../support/vcenter.ts'
import { hasControlPlane } from './support/api.ts'
import { aCluster, home, patience } from './support/cluster.ts'
import { furtherObjects } from './support/manifests.ts'
import { aReplica } from './support/replica.ts'
import { type Audited, audit, rulesOf } from './support/rights.ts'

/** Asks for every kind that there is, and tells what it saw. */
const curious = `import { defineCheck } from 'vsphere-problem-detector'

const kinds = ['persistentVolumes', 'storageClasses', 'csiNodes', 'csiDriver', 'clusterCsiDriver', 'featureGate', 'machineConfigs']

export const everyKind = defineCheck({
  id: 'every-kind',
  title: 'Every kind is read',
  help: 'For a test.',
  scope: 'cluster',
  severity: 'warning',
  needs: { kube: kinds },
  *run({ kube }) {
    const seen = kinds.map((kind) => kind + ':' + (Array.isArray(kube[kind]) ? kube[kind].length : 'one'))
    yield { reason: 'Seen', message: seen.join(' ') }
  },
})
`

async function aCuriousReplica(platform: 'openshift' | 'kubernetes') {
  const vcenter = await aVCenter()
  const plugins = [`${aFolder({ 'curious.mjs': curious })}/curious.mjs`]
  const cluster = await aCluster({ server: vcenter, platform, values: { config: { plugins } } })
  for (const object of furtherObjects(platform)) await cluster.put(object)
  const asked = audit(cluster.account)
  const replica = await aReplica(cluster)
  const report = await replica.afterRounds(1)
  return { cluster, replica, asked, result: report.results.find(({ check }) => check === 'every-kind') }
}

describe.skipIf(!hasControlPlane)('a check that asks for every kind', () => {
  it('gets them on OpenShift', async () => {
    const { result } = await aCuriousReplica('openshift')
    expect(result?.unknowns).toEqual([])
    expect(result?.findings.map(({ message }) => message)).toEqual([
      'persistentVolumes:1 storageClasses:1 csiNodes:1 csiDriver:one clusterCsiDriver:one featureGate:one machineConfigs:1',
    ])
  })

  it('is told on plain Kubernetes what there cannot be', async () => {
    const { result } = await aCuriousReplica('kubernetes')
    expect(result).toMatchObject({ outcome: 'skip' })
    expect(result?.skippedBecause).toMatch(/^The cluster knows no \w+: it does not serve \S+\.openshift\.io\/v1\.$/)
  })

  it.each(['openshift', 'kubernetes'] as const)(
    'is refused nothing on %s, and nothing is permitted in vain',
    async (platform) => {
      const { cluster, replica, asked } = await aCuriousReplica(platform)
      // The watches begin when the round has ended, and somebody has to have asked for results.
      await vi.waitFor(() => expect(watched(asked())).toEqual(expect.arrayContaining(['nodes', 'secrets'])), patience)
      expect((await replica.get('status')).status).toBe(200)
      const requests = asked()
      expect(requests.filter(({ responseStatus }) => responseStatus?.code === 403)).toEqual([])
      expect(requests.length).toBeGreaterThan(20)

      const used = new Set(requests.flatMap(({ objectRef }) => (objectRef === undefined ? [] : [objectRef.resource])))
      const granted = cluster.roles
        .filter(({ metadata }) => metadata.namespace === undefined || metadata.namespace === home)
        .flatMap(rulesOf)
        .flatMap(({ resources = [] }) => resources)
      // A result that has changed is written as an Event, which is tested elsewhere.
      expect([...new Set(granted)].filter((resource) => resource !== 'events' && !used.has(resource))).toEqual([])
    },
  )
})

function watched(requests: readonly Audited[]): readonly string[] {
  return requests.flatMap(({ verb, objectRef }) => (verb === 'watch' && objectRef ? [objectRef.resource] : []))
}
