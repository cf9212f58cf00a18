import { defineCheck, type KubeNode, type Placement, topologyOf, unknown, whyNoUuid } from '../src/framework/check.ts'

export const nodeVcenterMapping = defineCheck({
  id: 'node-vcenter-mapping',
  title: "Node's VM is in the vCenter that its labels say",
  help: `Region and zone labels of a node name a failure domain, and that names a vCenter. Volumes are provisioned there; when
the VM runs elsewhere they cannot be attached, and when there is no VM the cloud provider may delete the node.

The VM is looked up by its BIOS UUID (from the provider ID, also byte-swapped) in every vCenter that answers. While one
does not answer, a VM that was not found is *unknown*, not missing.`,
  scope: 'node',
  severity: 'error',
  needs: { placement: true },

  *run({ node, placement }) {
    const { expected, found } = placement
    if (expected.because === 'labels-match-nothing') {
      yield {
        reason: 'LabelsMatchNoFailureDomain',
        message: `The labels of node ${node.name} say ${labels(node)}, which is no failure domain of the Infrastructure object.`,
        remedy: `Correct the topology labels of node ${node.name}, or add the failure domain to Infrastructure/cluster.`,
      }
    }

    if (expected.because === 'failure-domains-unreadable') {
      yield unknown(`Where the VM of node ${node.name} should be cannot be told: ${expected.why}`)
    }

    const [vm, ...more] = found
    if (vm === undefined) yield* notFound(node, placement)
    else if (more.length > 0) {
      yield {
        reason: 'FoundMoreThanOnce',
        message: `${found.length} VMs have the UUID ${placement.uuid} of node ${node.name}: ${found.map(({ name, vcenter, ref }) => `${name} (${ref.id}) in ${vcenter}`).join(', ')}.`,
        remedy: `Give every VM but the one that runs node ${node.name} a UUID of its own, or unregister the copies.`,
      }
    } else yield* inOtherVCenter(node, placement, vm)
  },
})

function* inOtherVCenter(node: KubeNode, { expected }: Placement, vm: Placement['found'][number]) {
  if (expected.vcenter === undefined || expected.vcenter === vm.vcenter) return
  if (expected.because === 'first-failure-domain') {
    yield {
      reason: 'TopologyLabelsMissing',
      severity: 'warning',
      message: `VM ${vm.name} of node ${node.name} is in ${vm.vcenter}, but the node lacks its region or zone label, so it counts as one of ${expected.vcenter}.`,
      remedy: `Label node ${node.name} with the region and zone of its failure domain.`,
    } as const
    return
  }
  const { why, remedy } = whyExpected(node, expected)
  yield {
    reason: 'FoundInOtherVCenter',
    message: `VM ${vm.name} of node ${node.name} was found in ${vm.vcenter}; ${why} ${expected.vcenter}${expected.isConfigured ? '' : ', which is no vCenter that is configured'}.`,
    // Nothing can move to a vCenter that nobody knows.
    remedy: expected.isConfigured ? `${remedy}, or move the VM to ${expected.vcenter}.` : `${remedy}.`,
  }
}

function* notFound(node: KubeNode, { expected, searched, notSearched, uuid }: Placement) {
  if (uuid === undefined) {
    yield unknown(whyNoUuid(node))
  } else if (notSearched.length > 0) {
    const hidden = notSearched.map(({ vcenter, why }) => `${vcenter} (${why})`).join(', ')
    yield unknown(`The VM of node ${node.name} was not found, but not everything could be searched: ${hidden}.`)
  } else if (searched.length === 0) {
    yield unknown(`No vCenter is known that the VM of node ${node.name} could be searched in.`)
  } else {
    const where = expected.vcenter === undefined ? '' : `; it was expected in ${expected.vcenter}`
    yield {
      reason: 'VmNotFound',
      message: `No VM with the UUID ${uuid} of node ${node.name} was found in any vCenter${where}.`,
      remedy: `Check whether the VM of node ${node.name} was deleted or moved to a vCenter that is not configured, and that the account may see it.`,
    }
  }
}

function whyExpected(node: KubeNode, { because, failureDomain, isConfigured }: Placement['expected']) {
  const domain = `failure domain ${failureDomain?.name}`
  const ofDomain = `Correct the server of ${domain} in Infrastructure/cluster`
  if (because === 'labels') {
    return {
      why: `its labels (${labels(node)}, ${domain}) say`,
      remedy: isConfigured
        ? `Correct the topology labels of node ${node.name}`
        : `${ofDomain}, or the topology labels of node ${node.name}`,
    }
  }
  return failureDomain?.name
    ? { why: `${domain}, the only one, says`, remedy: ofDomain }
    : {
        why: 'the workspace of the cloud config says',
        remedy: 'Correct the server of the workspace in the cloud config',
      }
}

function labels(node: KubeNode): string {
  const { region, zone } = topologyOf(node.labels)
  return `region ${region}, zone ${zone}`
}
