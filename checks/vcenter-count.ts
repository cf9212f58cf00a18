import { defineCheck, type FeatureGate, NotApplicable } from '../src/framework/check.ts'

export const vcenterCount = defineCheck({
  id: 'vcenter-count',
  title: 'Number of vCenters is supported by this release',
  help: `OpenShift supports one vCenter up to 4.16, three with the feature gate VSphereMultiVCenters in 4.17, and three without it
from 4.18. More than that is not refused everywhere and works nowhere.`,
  scope: 'cluster',
  severity: 'error',
  needs: { kube: ['infrastructure', 'featureGate'], cloudConfig: true },
  options: { maximum: 3 },

  *run({ kube: { infrastructure, featureGate }, cloudConfig, options }) {
    const servers = new Set([
      ...infrastructure.vcenters.map(({ server }) => server),
      ...[...cloudConfig.vcenters.values()].map(({ server }) => server),
    ])
    const count = servers.size
    const source = { object: 'Infrastructure/cluster', path: ['spec', 'platformSpec', 'vsphere', 'vcenters'] }
    if (count === 0) throw new NotApplicable('There is no vCenter to count.')
    if (count > options.maximum) {
      yield {
        reason: 'TooManyVCenters',
        message: `${count} vCenters are configured (${[...servers].join(', ')}); at most ${options.maximum} are supported.`,
        remedy:
          'Move the failure domains of one vCenter to another, and remove it from Infrastructure/cluster and the cloud config.',
        source,
      }
    }
    if (count > 1 && !allowsSeveral(featureGate)) {
      yield {
        reason: 'SeveralVCentersNotSupported',
        message: `${count} vCenters are configured, but release ${releaseOf(featureGate)} supports one: feature gate ${gate} is off.`,
        remedy: 'Upgrade to 4.18 or newer, or go back to one vCenter.',
        source,
      }
    }
  },
})

const gate = 'VSphereMultiVCenters'

/** Once the gate has become part of the product it is no longer listed, so the release decides then. */
function allowsSeveral(featureGate: FeatureGate): boolean {
  const [current] = featureGate.versions
  if (current?.enabled.includes(gate)) return true
  if (current?.disabled.includes(gate)) return false
  const [major = 0, minor = 0] = releaseOf(featureGate).split('.').map(Number)
  return major > 4 || (major === 4 && minor >= 18)
}

function releaseOf({ versions }: FeatureGate): string {
  return versions[0]?.version ?? 'unknown'
}
