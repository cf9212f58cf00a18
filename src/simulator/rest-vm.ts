import type { Entity } from './inventory.ts'
import { primitiveAt, restEnum } from './rest-values.ts'
import type { Json } from './vim-value.ts'
import { instanceUuidOf, vmSize } from './vm-properties.ts'

/** `GET /api/vcenter/vm/{id}`. */
export function vmInfo(entity: Entity): Json {
  const vm = entity.placedVm?.vm
  return {
    name: entity.name,
    guest_OS: 'OTHER_LINUX_64',
    power_state: restEnum(primitiveAt(entity, 'runtime.powerState')),
    identity: {
      name: entity.name,
      ...(vm && !vm.noConfig && { bios_uuid: vm.uuid, instance_uuid: instanceUuidOf(vm) }),
    },
    hardware: {
      version: primitiveAt(entity, 'config.version').toUpperCase().replace('-', '_'),
      upgrade_policy: 'NEVER',
      upgrade_status: 'NONE',
    },
    cpu: { count: vmSize.cpus, cores_per_socket: 1, hot_add_enabled: false, hot_remove_enabled: false },
    memory: { size_MiB: vmSize.memoryMiB, hot_add_enabled: false },
    boot: { type: 'BIOS', delay: 0, retry: false, retry_delay: 10000, enter_setup_mode: false },
    boot_devices: [],
    ...Object.fromEntries(devices.map((device) => [device, {}])),
  }
}

const devices = [
  'disks',
  'nics',
  'cdroms',
  'floppies',
  'parallel_ports',
  'serial_ports',
  'sata_adapters',
  'scsi_adapters',
  'nvme_adapters',
]
