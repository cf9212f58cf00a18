import type { IdOf } from './identity.ts'
import { type Reference, reference } from './vim-value.ts'
import type { SimulatedCluster, SimulatedDatacenter, SimulatedHost, SimulatedVm, SimulatedWorld } from './world.ts'

/** The things of a world with the references they go by, so that they can point at each other. */
export interface PlacedDatacenter {
  readonly datacenter: SimulatedDatacenter
  readonly ref: Reference
  readonly vmFolder: Reference
  readonly hostFolder: Reference
  readonly datastoreFolder: Reference
  readonly networkFolder: Reference
  readonly clusters: readonly PlacedCluster[]
}

export interface PlacedCluster {
  readonly cluster: SimulatedCluster
  readonly ref: Reference
  readonly pool: Reference
  readonly hosts: readonly PlacedHost[]
  readonly vms: readonly PlacedVm[]
}

export interface PlacedHost {
  readonly host: SimulatedHost
  readonly ref: Reference
}

export interface PlacedVm {
  readonly vm: SimulatedVm
  readonly ref: Reference
  readonly cluster: Reference
  readonly host: Reference | undefined
}

export const rootFolder = reference('Folder', 'group-d1')

export function place(world: SimulatedWorld, idOf: IdOf): readonly PlacedDatacenter[] {
  return world.datacenters.map((datacenter) => ({
    datacenter,
    ref: reference('Datacenter', idOf('datacenter-', datacenter)),
    vmFolder: reference('Folder', idOf('group-v', datacenter)),
    hostFolder: reference('Folder', idOf('group-h', datacenter)),
    datastoreFolder: reference('Folder', idOf('group-s', datacenter)),
    networkFolder: reference('Folder', idOf('group-n', datacenter)),
    clusters: datacenter.clusters.map((cluster) => placeCluster(world, cluster, idOf)),
  }))
}

function placeCluster(world: SimulatedWorld, cluster: SimulatedCluster, idOf: IdOf): PlacedCluster {
  const ref = reference('ClusterComputeResource', idOf('domain-c', cluster))
  const pool = reference('ResourcePool', idOf('resgroup-', cluster))
  const hosts = cluster.hosts.map((host) => ({ host, ref: reference('HostSystem', idOf('host-', host)) }))
  const vms = cluster.vms.map((vm) => {
    const id = idOf('vm-', vm)
    return { vm, ref: reference('VirtualMachine', id), cluster: ref, host: hostOf(vm, id, hosts, world.name)?.ref }
  })
  return { cluster, ref, pool, hosts, vms }
}

function hostOf(vm: SimulatedVm, id: string, hosts: readonly PlacedHost[], vcenter: string): PlacedHost | undefined {
  // By number rather than by position: removing a VM moves no other.
  if (vm.host === undefined) return hosts[Number(id.slice('vm-'.length)) % hosts.length]
  const named = hosts.find(({ host }) => host.name === vm.host)
  if (named) return named
  const names = hosts.map(({ host }) => host.name).join(', ') || 'none'
  throw new Error(`VM ${vm.name} in ${vcenter} names host ${vm.host}; its cluster has ${names}.`)
}
