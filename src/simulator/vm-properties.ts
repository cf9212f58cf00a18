import { uuidOf } from './identity.ts'
import type { PlacedCluster, PlacedVm } from './placement.ts'
import { entity, green } from './properties.ts'
import {
  anyType,
  choice,
  type DataObject,
  data,
  dataObjects,
  dateTime,
  type Fields,
  flag,
  int,
  type Reference,
  references,
  text,
} from './vim-value.ts'
import type { SimulatedVm } from './world.ts'

export function vmProperties({ vm, ref, host }: PlacedVm, folder: Reference, cluster: PlacedCluster): Fields {
  const runtime = data('VirtualMachineRuntimeInfo', {
    host,
    connectionState: choice(
      'VirtualMachineConnectionState',
      vm.connectionState ?? (vm.noConfig ? 'orphaned' : 'connected'),
    ),
    powerState: choice('VirtualMachinePowerState', vm.powerState ?? (vm.template ? 'poweredOff' : 'poweredOn')),
  })
  const config = vm.noConfig ? undefined : vmConfig(vm)
  return {
    ...entity(vm.name, folder),
    config,
    runtime,
    // A template can not be powered on, so it belongs to no pool.
    resourcePool: vm.template ? undefined : cluster.pool,
    parentVApp: undefined,
    summary: data('VirtualMachineSummary', {
      vm: ref,
      runtime,
      config: data('VirtualMachineConfigSummary', {
        name: text(vm.name),
        template: flag(vm.template ?? false),
        uuid: config?.fields['uuid'],
        instanceUuid: config?.fields['instanceUuid'],
        numCpu: config && int(vmSize.cpus),
        memorySizeMB: config && int(vmSize.memoryMiB),
      }),
      overallStatus: green,
    }),
    datastore: references([]),
    network: references([]),
  }
}

export const vmSize = { cpus: 4, memoryMiB: 16384 }

export const instanceUuidOf = (vm: SimulatedVm): string => uuidOf('instance', vm.name, vm.uuid)

function vmConfig(vm: SimulatedVm): DataObject {
  return data('VirtualMachineConfigInfo', {
    changeVersion: text('2026-01-01T00:00:00Z'),
    modified: dateTime(new Date('2026-01-01T00:00:00Z')),
    name: text(vm.name),
    guestFullName: text('Other 5.x or later Linux (64-bit)'),
    guestId: text('other5xLinux64Guest'),
    version: text(vm.hardwareVersion ?? 'vmx-19'),
    uuid: text(vm.uuid),
    instanceUuid: text(instanceUuidOf(vm)),
    template: flag(vm.template ?? false),
    annotation: text(''),
    flags: data('VirtualMachineFlagInfo', {
      diskUuidEnabled: vm.diskUuidEnabled === undefined ? undefined : flag(vm.diskUuidEnabled),
    }),
    hardware: data('VirtualHardware', {
      numCPU: int(vmSize.cpus),
      numCoresPerSocket: int(1),
      memoryMB: int(vmSize.memoryMiB),
    }),
    extraConfig: dataObjects('OptionValue', extraConfig(vm)),
    changeTrackingEnabled: flag(false),
  })
}

function extraConfig(vm: SimulatedVm): readonly DataObject[] {
  if (vm.diskUuidEnabled === undefined) return []
  const value = anyType(text(vm.diskUuidEnabled ? 'TRUE' : 'FALSE'))
  return [data('OptionValue', { key: text('disk.EnableUUID'), value })]
}
