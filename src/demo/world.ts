import type { SimulatedVm, SimulatedWorld } from '../simulator/index.ts'

/** A cluster over three vCenters in which a handful of things have gone wrong, each of them explained below. */
export const east = 'vcenter-east.demo.example'
export const west = 'vcenter-west.demo.example'
export const north = 'vcenter-north.demo.example'
/** Named by a failure domain and by nothing else. */
export const south = 'vcenter-south.demo.example'

export const account = { user: 'detector@vsphere.local', password: 'demo-password-of-the-simulator' }

interface DemoNode {
  readonly name: string
  readonly uuid: string
  /** The failure domain that the node's labels name. */
  readonly labelled: 'east' | 'west' | 'north'
  /** The vCenter that its VM is in. */
  readonly vmIn: 'east' | 'west' | 'north'
  readonly hardwareVersion?: string
}

export const nodes: readonly DemoNode[] = (['east', 'west', 'north'] as const).flatMap((zone, z) =>
  ['control-plane-0', 'worker-0', 'worker-1', 'worker-2'].map((role, index) => {
    const node = { name: `${role}-${zone}`, uuid: uuid(z, index), labelled: zone, vmIn: zone }
    // Problem: virtual hardware that the CSI driver no longer supports.
    if (node.name === 'worker-1-east') return { ...node, hardwareVersion: 'vmx-13' }
    // Problem: the labels say west, the VM is in east.
    if (node.name === 'worker-2-west') return { ...node, vmIn: 'east' as const }
    return node
  }),
)

function uuid(zone: number, index: number): string {
  return `4230f0e1-5d${zone}${index}-4c8a-9b7e-0242ac1200${zone}${index}`
}

/** What the simulated vCenter of a zone holds: its nodes' VMs on three hosts, and a few VMs of other people. */
export function vcenterWorld(zone: 'east' | 'west' | 'north', name: string): SimulatedWorld {
  const hosts = [1, 2, 3].map((number) => ({ name: `esxi-${number}.${zone}.demo.example` }))
  const strangers = [1, 2, 3].map((number) => ({
    name: `somebody-elses-vm-${number}`,
    uuid: `4230ffff-0000-4000-8000-00000000000${number}`,
    hardwareVersion: 'vmx-11',
  }))
  const vms: SimulatedVm[] = nodes
    .filter((node) => node.vmIn === zone)
    .map((node, index) => ({
      name: node.name,
      uuid: node.uuid,
      hardwareVersion: node.hardwareVersion ?? 'vmx-19',
      host: hosts[index % hosts.length]?.name ?? '',
      diskUuidEnabled: true,
    }))
  return {
    name,
    accounts: [account],
    datacenters: [{ name: `dc-${zone}`, clusters: [{ name: `cluster-${zone}`, hosts, vms: [...vms, ...strangers] }] }],
  }
}
