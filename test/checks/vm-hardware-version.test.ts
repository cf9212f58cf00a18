import { describe, expect, it } from 'vitest'
import { vmHardwareVersion } from '../../checks/vm-hardware-version.ts'
import { aNodeOn, aWorld, down, run, uuidFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

describe('vm-hardware-version', () => {
  it.each([
    { version: 'vmx-9', gist: 'fail HardwareVersionTooOld' }, // as text, 9 sorts after 15
    { version: 'vmx-09', gist: 'fail HardwareVersionTooOld' }, // as an octal number, it is none
    { version: 'vmx-14', gist: 'fail HardwareVersionTooOld' },
    { version: 'vmx-15', gist: 'pass' },
    { version: 'VMX-15', gist: 'pass' },
    { version: 'vmx-21', gist: 'pass' },
    { version: 'vmx-next', gist: 'unknown' },
    { version: 'vmx-', gist: 'unknown' },
    { version: 'vmx-15a', gist: 'unknown' },
    { version: '', gist: 'unknown' },
  ])('$version is $gist', async ({ version, gist }) => {
    expect(await gists(vmHardwareVersion, aNodeOn({ 'config.version': version }))).toEqual([`node/n1 ${gist}`])
  })

  it.each([
    { minimum: 17, version: 'vmx-16', gist: 'fail HardwareVersionTooOld' },
    { minimum: 17, version: 'vmx-17', gist: 'pass' },
    { minimum: 13, version: 'vmx-13', gist: 'pass' },
  ])('with minimum $minimum, $version is $gist', async ({ minimum, version, gist }) => {
    const world = aNodeOn({ 'config.version': version })
    expect(await gists(vmHardwareVersion, world, { minimum })).toEqual([`node/n1 ${gist}`])
  })

  it('names the VM, its node, the version it saw and the one it wants', async () => {
    expect(await judge(vmHardwareVersion, aNodeOn({ 'config.version': 'vmx-13' }))).toMatchObject([
      {
        subject: { kind: 'node', name: 'n1' },
        vcenter: 'vc-1',
        node: 'n1',
        findings: [
          {
            reason: 'HardwareVersionTooOld',
            severity: 'error',
            message: 'VM n1 of node n1 has hardware version vmx-13; the oldest supported is vmx-15.',
            remedy: 'Drain node n1, power off its VM, upgrade its compatibility to 15 or newer, and power it on.',
          },
        ],
      },
    ])
  })

  it('says which version it cannot compare', async () => {
    expect(await judge(vmHardwareVersion, aNodeOn({ 'config.version': 'vmx-next' }))).toMatchObject([
      {
        outcome: 'unknown',
        unknowns: ['Hardware version "vmx-next" of the VM of node n1 cannot be compared with others.'],
      },
    ])
  })

  it.each([
    {
      what: 'a version that may not be read',
      world: aNodeOn({ unreadable: { 'config.version': 'No permission.' } }),
      why: 'Cannot read config.version of VirtualMachine n1 (vm-0) of node n1 in vc-1: No permission.',
    },
    {
      what: 'a node without a VM',
      world: aWorld({ nodes: [{ name: 'n1' }] }),
      why: 'No VM has the UUID of node n1.',
    },
    {
      what: 'a node that tells no UUID',
      world: aWorld({ nodes: [{ name: 'n1', providerID: '' }] }),
      why: 'Node n1 tells neither a provider ID nor a system UUID to find its VM by.',
    },
    {
      what: 'a node whose provider ID holds no UUID',
      world: aWorld({ nodes: [{ name: 'n1', providerID: 'vsphere://not-a-uuid' }] }),
      why: 'Node n1 tells no UUID to find its VM by: its provider ID is "vsphere://not-a-uuid", and it tells no system UUID.',
    },
    {
      what: 'a node whose VM may be in a vCenter that is down',
      world: aWorld({ vcenters: { 'vc-1': {}, 'vc-2': down() }, nodes: [{ name: 'n1' }] }),
      why: 'The VM of node n1 was not found, and vc-2 could not be searched.',
    },
    {
      what: 'two VMs with the UUID of the node',
      world: aWorld({
        vcenters: { 'vc-1': { vms: [{ name: 'n1' }, { name: 'copy', 'config.uuid': uuidFor('n1') }] } },
        nodes: [{ name: 'n1' }],
      }),
      why: '2 VMs have the UUID of node n1, and it is not clear which one it runs on.',
    },
  ])('$what is unknown', async ({ world, why }) => {
    expect(await judge(vmHardwareVersion, world)).toMatchObject([{ outcome: 'unknown', findings: [], unknowns: [why] }])
  })

  it('of two VMs with one UUID, looks at the one where the node is expected', async () => {
    const world = aWorld({
      vcenters: {
        'vc-1': { vms: [{ name: 'n1', 'config.version': 'vmx-13' }] },
        'vc-2': { vms: [{ name: 'n1', 'config.version': 'vmx-19' }] },
      },
      failureDomains: { east: 'vc-2' },
      nodes: [{ name: 'n1' }],
    })
    expect(await judge(vmHardwareVersion, world)).toMatchObject([{ outcome: 'pass', vcenter: 'vc-2' }])
  })

  it('never mixes two vCenters whose managed object ids are equal', async () => {
    const world = aWorld({
      vcenters: {
        'vc-1': { vms: [{ name: 'n1', 'config.version': 'vmx-13' }] },
        'vc-2': { vms: [{ name: 'n2', 'config.version': 'vmx-19' }] },
      },
    })
    expect(await judge(vmHardwareVersion, world)).toMatchObject([
      {
        node: 'n1',
        vcenter: 'vc-1',
        outcome: 'fail',
        findings: [{ message: expect.stringContaining('VM n1 of node n1 has') }],
      },
      { node: 'n2', vcenter: 'vc-2', outcome: 'pass' },
    ])
  })

  it('counts the nodes of each version, also of one that it cannot compare', async () => {
    const vms = ['vmx-13', 'vmx-15', 'vmx-15', 'vmx-next'].map((version, index) => ({
      'name': `n${index}`,
      'config.version': version,
    }))
    const [{ samples } = { samples: [] }] = await run([vmHardwareVersion], aWorld({ vcenters: { 'vc-1': { vms } } }))

    expect(samples.map(({ subject, metric, labels, value }) => [subject, metric, labels, value])).toEqual(
      ['vmx-13', 'vmx-15', 'vmx-15', 'vmx-next'].map((version, index) => [
        `node/n${index}`,
        'vsphere_problem_detector_nodes_by_hardware_version',
        { hardware_version: version },
        1,
      ]),
    )
  })
})
