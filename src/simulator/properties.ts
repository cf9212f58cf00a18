import type { Entity } from './inventory.ts'
import { type PlacedCluster, type PlacedDatacenter, type PlacedHost, rootFolder } from './placement.ts'
import type { Fields, Reference } from './vim-value.ts'
import { choice, data, flag, int, references, text, texts } from './vim-value.ts'

/** What each kind of object says of itself: the properties that the simulator knows, by their vSphere names. */

export function hostProperties({ host, ref }: PlacedHost, cluster: PlacedCluster): Fields {
  const connectionState = host.connectionState ?? 'connected'
  const version = host.version ?? '8.0.3'
  const product = data('AboutInfo', {
    name: text('VMware ESXi'),
    fullName: text(`VMware ESXi ${version} build-24022510`),
    vendor: text('VMware, Inc.'),
    version: text(version),
    build: text('24022510'),
    osType: text('vmnix-x86'),
    productLineId: text('embeddedEsx'),
    apiType: text('HostAgent'),
    apiVersion: text(host.apiVersion ?? `${version}.0`),
  })
  const runtime = data('HostRuntimeInfo', {
    connectionState: choice('HostSystemConnectionState', connectionState),
    powerState: choice('HostSystemPowerState', connectionState === 'connected' ? 'poweredOn' : 'unknown'),
    inMaintenanceMode: flag(false),
  })
  return {
    ...entity(host.name, cluster.ref),
    // vCenter forgets the configuration of a host it has lost, but keeps the summary.
    config: connectionState === 'connected' ? data('HostConfigInfo', { host: ref, product }) : undefined,
    runtime,
    summary: data('HostListSummary', {
      host: ref,
      runtime,
      config: data('HostConfigSummary', { name: text(host.name), port: int(443), product }),
      overallStatus: green,
      rebootRequired: flag(false),
    }),
    vm: references(cluster.vms.filter((vm) => vm.host?.id === ref.id).map((vm) => vm.ref)),
    datastore: references([]),
    network: references([]),
  }
}

export function clusterProperties({ cluster, pool, hosts }: PlacedCluster, folder: Reference): Fields {
  return {
    ...entity(cluster.name, folder),
    resourcePool: pool,
    host: references(hosts.map((host) => host.ref)),
    datastore: references([]),
    network: references([]),
    configurationEx: data('ClusterConfigInfoEx', {
      dasConfig: data('ClusterDasConfigInfo', { enabled: flag(true) }),
      drsConfig: data('ClusterDrsConfigInfo', { enabled: flag(true) }),
      group: undefined,
      rule: undefined,
    }),
  }
}

export function poolProperties({ ref, vms }: PlacedCluster): Fields {
  return {
    ...entity('Resources', ref),
    owner: ref,
    resourcePool: references([]),
    vm: references(vms.filter(({ vm }) => !vm.template).map((vm) => vm.ref)),
  }
}

export function datacenterProperties(placed: PlacedDatacenter): Fields {
  const { datacenter, vmFolder, hostFolder, datastoreFolder, networkFolder } = placed
  return {
    ...entity(datacenter.name, rootFolder),
    vmFolder,
    hostFolder,
    datastoreFolder,
    networkFolder,
    datastore: references([]),
    network: references([]),
  }
}

export function folderProperties(folder: Entity, childTypes: readonly string[]): Fields {
  return {
    ...entity(folder.name, folder.parent?.ref),
    childType: texts(childTypes),
    childEntity: references(folder.children.map((child) => child.ref)),
  }
}

export const green = choice('ManagedEntityStatus', 'green')

/** What every object of the inventory has. */
export function entity(name: string, parent: Reference | undefined): Fields {
  return { name: text(name), parent, overallStatus: green, configStatus: green }
}
