import {
  cloudConfigName,
  defineCheck,
  demand,
  type FeatureGate,
  NotApplicable,
  nameList,
  unknown,
} from '../src/framework/check.ts'

export const vcenterCount = defineCheck({
  id: 'vcenter-count',
  title: 'Number of vCenters is supported by this release',
  help: `OpenShift supports one vCenter up to 4.16, three with the feature gate VSphereMultiVCenters in 4.17, and three without it
from 4.18. More than that is not refused everywhere and works nowhere.`,
  scope: 'cluster',
  severity: 'error',
  needs: { kube: ['infrastructure'], kubeIfThere: ['featureGate'], cloudConfig: 'if-there' },
  options: { maximum: 3 },

  *run({ kube: { infrastructure }, kubeIfThere: { featureGate }, cloudConfig, places, options }) {
    const named = [
      ...infrastructure.vcenters.map(({ server }) => server),
      ...(cloudConfig.state === 'read' ? [...cloudConfig.value.vcenters.values()] : []).map(({ server }) => server),
    ]
    // In other letters it is the same one, and infra-cloud-config says so.
    const servers = new Map(named.map((server) => [server.toLowerCase(), server]))
    const count = servers.size
    const source = { object: 'Infrastructure/cluster', path: ['spec', 'platformSpec', 'vsphere', 'vcenters'] }
    if (count === 0) throw new NotApplicable('There is no vCenter to count.')
    if (count > options.maximum) {
      yield {
        reason: 'TooManyVCenters',
        message: `${count} vCenters are configured (${nameList([...servers.values()])}); at most ${options.maximum} are supported.`,
        remedy: `Move the failure domains of one vCenter to another, and remove it from Infrastructure/cluster and ${cloudConfigName(places.cloudConfig)}.`,
        source,
      }
    }
    // One that is broken or hidden may name more.
    if (cloudConfig.state !== 'read' && cloudConfig.state !== 'absent') yield unknown(cloudConfig.why)
    if (count === 1) return
    const { versions } = demand(featureGate)
    const [current] = versions
    if (current === undefined) {
      yield unknown(
        `Whether this release supports ${count} vCenters cannot be told: FeatureGate/cluster has no status.featureGates.`,
      )
    } else if (!allowsSeveral(current)) {
      yield {
        reason: 'SeveralVCentersNotSupported',
        message: `${count} vCenters are configured, but release ${current.version} supports one: feature gate ${gate} is off.`,
        remedy: 'Upgrade to 4.18 or newer, or go back to one vCenter.',
        source,
      }
    }
  },
})

const gate = 'VSphereMultiVCenters'

/** Once the gate has become part of the product it is no longer listed, so the release decides then. */
function allowsSeveral({ version, enabled, disabled }: FeatureGate['versions'][number]): boolean {
  if (enabled.includes(gate)) return true
  if (disabled.includes(gate)) return false
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 4 || (major === 4 && minor >= 18)
}
