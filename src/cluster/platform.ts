import type { CloudConfig } from '../cloud-config/index.ts'
import type { Read } from '../framework/context.ts'
import type { Infrastructure, KubeNode } from '../framework/kube-schema.ts'
import { type GivenPlaces, platformKind } from './places.ts'

/** Why there is nothing to check: OpenShift says that it runs elsewhere, and nothing speaks of vSphere. */
export function whyNotOnVSphere(
  infrastructure: Read<Infrastructure>,
  nodes: readonly KubeNode[],
  cloudConfig: Read<CloudConfig>,
  given: GivenPlaces,
): string | undefined {
  if (infrastructure.state !== 'read' || given.cloudConfig !== undefined) return undefined
  const { platform, vcenters, failureDomains } = infrastructure.value
  const kind = platformKind(infrastructure.value)
  if (kind === 'vsphere' || vcenters.length > 0 || failureDomains.length > 0) return undefined
  if (cloudConfig.state === 'read' || nodes.some(isOnVSphere)) return undefined
  const remedy =
    given.live === undefined
      ? 'Collect the cloud config as well if it uses vSphere after all.'
      : 'If it uses vSphere after all, name its cloud config in source.kubernetes.cloudConfig.'
  return kind === 'another'
    ? `The cluster runs on ${platform}, as Infrastructure/cluster says, so it has no vCenter to check. ${remedy}`
    : `The cluster runs on no platform that OpenShift manages (${platform}), and nothing in it speaks of vSphere: no node, and no cloud config that could be read. ${remedy}`
}

function isOnVSphere({ labels, providerID = '' }: KubeNode): boolean {
  const label = labels['node.openshift.io/platform-type'] ?? ''
  return label.toLowerCase() === 'vsphere' || providerID.toLowerCase().startsWith('vsphere://')
}
