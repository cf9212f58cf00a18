import { defineCheck, gauge, Inconclusive } from '../src/framework/check.ts'

const nodes = gauge('vsphere_problem_detector_nodes_by_hardware_version', {
  help: 'Number of nodes by virtual hardware version.',
  labels: ['hardware_version'],
})

export const vmHardwareVersion = defineCheck({
  id: 'vm-hardware-version',
  title: 'VM hardware version is supported',
  help: `The vSphere CSI driver needs virtual hardware 15 or newer. On an older VM volumes fail to attach, long after the
node was installed, with messages such as "disk is not attached to node".

Drain the node, power off its VM, and choose *Compatibility > Upgrade VM Compatibility* in the vSphere client. Option
\`minimum\` sets the oldest version that is accepted.`,
  scope: 'node',
  severity: 'error',
  needs: { vm: ['name', 'config.version'] },
  dependsOn: ['vcenter-connection', 'node-vcenter-mapping'],
  options: { minimum: 15 },
  metrics: [nodes],

  *run({ vm, options }) {
    const version = vm['config.version']
    yield nodes({ hardware_version: version })

    if (parse(version) < options.minimum) {
      yield {
        reason: 'HardwareVersionTooOld',
        message: `VM ${vm.name} has hardware version ${version}; the oldest supported is vmx-${options.minimum}.`,
        remedy: `Drain the node, power off VM ${vm.name}, upgrade its compatibility to ${options.minimum} or newer, and power it on.`,
      }
    }
  },
})

/** 'vmx-15' → 15. Always decimal: 'vmx-09' is 9. */
function parse(version: string): number {
  const digits = /^vmx-(\d+)$/i.exec(version)?.[1]
  if (digits === undefined) throw new Inconclusive(`"${version}" is not a hardware version that can be compared.`)
  return Number.parseInt(digits, 10)
}
