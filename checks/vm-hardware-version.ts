import { defineCheck, gauge, Inconclusive } from '../src/framework/check.ts'

const nodes = gauge('vsphere_problem_detector_nodes_by_hardware_version', {
  help: 'How many nodes have a VM of this hardware version.',
  labels: ['hardware_version'],
})

export const vmHardwareVersion = defineCheck({
  id: 'vm-hardware-version',
  title: 'VM hardware version is supported',
  help: `Below hardware version 15 the vSphere CSI driver cannot attach volumes, which shows long after the node was installed,
in messages such as "disk is not attached to node".

Take the pods off the node, shut its VM down, and choose *Compatibility > Upgrade VM Compatibility* in the vSphere client. Option
\`minimum\` sets the oldest version that is accepted.`,
  scope: 'node',
  severity: 'error',
  needs: { vm: ['name', 'config.version'] },
  dependsOn: ['vcenter-connection', 'node-vcenter-mapping'],
  options: { minimum: 15 },
  metrics: [nodes],

  *run({ node, vm, options }) {
    const version = vm['config.version']
    yield nodes({ hardware_version: version })

    if (parse(version, node.name) < options.minimum) {
      yield {
        reason: 'HardwareVersionTooOld',
        message: `VM ${vm.name} of node ${node.name} has hardware version ${version}; the oldest supported is vmx-${options.minimum}.`,
        remedy: `Drain node ${node.name}, power off its VM, upgrade its compatibility to ${options.minimum} or newer, and power it on.`,
      }
    }
  },
})

/** 'vmx-15' → 15, 'vmx-09' → 9. */
function parse(version: string, node: string): number {
  const digits = /^vmx-(\d+)$/i.exec(version)?.[1]
  if (digits === undefined) {
    throw new Inconclusive(`Hardware version "${version}" of the VM of node ${node} cannot be compared with others.`)
  }
  return Number.parseInt(digits, 10)
}
