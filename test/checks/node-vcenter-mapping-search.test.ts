import { describe, expect, it } from 'vitest'
import { nodeVcenterMapping } from '../../checks/node-vcenter-mapping.ts'
import { swapUuid } from '../../src/framework/uuid.ts'
import { absent, aWorld, down, labelled, type NodeSpec, unreadable, uuidFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'
import { alone, nodeIn } from './one-node.ts'

describe('the VM of a node', () => {
  const uuid = uuidFor('n1')

  it.each([
    { what: 'its provider ID', node: { providerID: `vsphere://${uuid}` } },
    { what: 'its provider ID in upper case', node: { providerID: `VSPHERE://${uuid.toUpperCase()}` } },
    { what: 'its provider ID, byte-swapped', node: { providerID: `vsphere://${swapUuid(uuid)}` } },
    { what: 'its system UUID, where it has no provider ID', node: { providerID: '', systemUUID: uuid } },
    { what: 'its system UUID, byte-swapped', node: { providerID: '', systemUUID: swapUuid(uuid).toUpperCase() } },
    {
      what: 'its system UUID, where the provider ID finds nothing',
      node: { providerID: `vsphere://${uuidFor('other')}`, systemUUID: uuid },
    },
  ])('is found by $what', async ({ node }) => {
    expect(await gists(nodeVcenterMapping, alone({ nodes: [{ name: 'n1', ...node }] }))).toEqual(['node/n1 pass'])
  })

  it('is found although vSphere writes the UUID in upper case', async () => {
    const vms = [{ 'name': 'n1', 'config.uuid': uuid.toUpperCase() }]
    expect(await gists(nodeVcenterMapping, aWorld({ vcenters: { 'vc-1': { vms } } }))).toEqual(['node/n1 pass'])
  })

  const searchedFor = uuidFor('gone')
  const gone: NodeSpec = { name: 'n1', providerID: `vsphere://${searchedFor}` }

  it('is missing when every vCenter was searched', async () => {
    expect(await judge(nodeVcenterMapping, nodeIn('vc-1', { ...gone, labels: labelled('west') }))).toMatchObject([
      {
        outcome: 'fail',
        vcenter: 'vc-2',
        findings: [
          {
            reason: 'VmNotFound',
            severity: 'error',
            message: `No VM with the UUID ${searchedFor} of node n1 was found in any vCenter; it was expected in vc-2.`,
            remedy:
              'Check whether the VM of node n1 was deleted or moved to a vCenter that is not configured, and that the account may see it.',
          },
        ],
      },
    ])
  })

  it('is missing also where nothing says in which vCenter it should be', async () => {
    const world = aWorld({ vcenters: { 'vc-1': {}, 'vc-2': {} }, nodes: [gone] })
    expect(await judge(nodeVcenterMapping, world)).toMatchObject([
      { findings: [{ message: `No VM with the UUID ${searchedFor} of node n1 was found in any vCenter.` }] },
    ])
  })

  const hidden = (where: string, node = 'n1') =>
    `The VM of node ${node} was not found, but not everything could be searched: ${where}.`

  it.each([
    {
      what: 'a vCenter is down, even another than the expected one',
      world: nodeIn('vc-1', gone, { vcenters: { 'vc-1': {}, 'vc-2': down() } }),
      why: hidden('vc-2 (it could not be read)'),
    },
    {
      what: 'all vCenters are down',
      world: nodeIn('vc-1', gone, { vcenters: { 'vc-1': down(), 'vc-2': down() } }),
      why: hidden('vc-1 (it could not be read), vc-2 (it could not be read)'),
    },
    {
      what: 'a VM of the node’s name hides its UUID',
      world: alone({ vcenters: { 'vc-1': { vmsWithoutUuid: ['x', 'n1'] } }, nodes: [gone] }),
      why: hidden('vc-1 (VM n1 there does not tell its UUID)'),
    },
    {
      what: 'a VM of the node’s short name hides its UUID',
      world: alone({ vcenters: { 'vc-1': { vmsWithoutUuid: ['N1'] } }, nodes: [{ ...gone, name: 'n1.example.com' }] }),
      why: hidden('vc-1 (VM N1 there does not tell its UUID)', 'n1.example.com'),
    },
    {
      what: 'its failure domain names a vCenter that is not configured',
      world: nodeIn('vc-1', { ...gone, labels: labelled('west') }, { failureDomains: { east: 'vc-1', west: 'vc-9' } }),
      why: hidden('vc-9 (it is not configured)'),
    },
    {
      what: 'the node tells no UUID',
      world: alone({ nodes: [{ name: 'n1', providerID: '' }] }),
      why: 'Node n1 tells neither a provider ID nor a system UUID to find its VM by.',
    },
    {
      what: 'its provider ID holds no UUID',
      world: alone({ nodes: [{ name: 'n1', providerID: 'vsphere://n1' }] }),
      why: 'Node n1 tells no UUID to find its VM by: its provider ID is "vsphere://n1", and it tells no system UUID.',
    },
    {
      what: 'its system UUID is none, and it has no provider ID',
      world: alone({ nodes: [{ name: 'n1', providerID: '', systemUUID: 'Not Settable' }] }),
      why: 'Node n1 tells no UUID to find its VM by: it tells no provider ID, and its system UUID is "Not Settable".',
    },
    {
      what: 'neither of the two is a UUID',
      world: alone({ nodes: [{ name: 'n1', providerID: 'vsphere://', systemUUID: 'none' }] }),
      why: 'Node n1 tells no UUID to find its VM by: its provider ID is "vsphere://", and its system UUID is "none".',
    },
    {
      what: 'no vCenter is known',
      world: aWorld({ vcenters: {}, nodes: [gone], cloudConfig: unreadable('Forbidden.') }),
      why: 'No vCenter is known that the VM of node n1 could be searched in.',
    },
    {
      what: 'it was found, but Infrastructure may not be read, and with it the failure domains',
      world: nodeIn('vc-1', { labels: labelled('west') }, { infrastructure: unreadable('Forbidden.') }),
      why: 'Where the VM of node n1 should be cannot be told: Forbidden.',
    },
    {
      what: 'the nodes may not be read',
      world: aWorld({ nodes: unreadable('Forbidden.') }),
      why: 'Forbidden.',
    },
  ])('is unknown when $what', async ({ world, why }) => {
    expect(await judge(nodeVcenterMapping, world)).toMatchObject([
      { outcome: 'unknown', findings: [], unknowns: [why] },
    ])
  })

  it('is missing although some other VM hides its UUID', async () => {
    const world = alone({ vcenters: { 'vc-1': { vmsWithoutUuid: ['n10', 'orphan'] } }, nodes: [gone] })
    expect(await gists(nodeVcenterMapping, world)).toEqual(['node/n1 fail VmNotFound'])
  })

  it.each([
    {
      what: 'twice in one vCenter',
      vcenters: { 'vc-1': { vms: [{ name: 'n1' }, { 'name': 'copy', 'config.uuid': uuid }] } },
      where: 'n1 (vm-0) in vc-1, copy (vm-1) in vc-1',
    },
    {
      what: 'in two vCenters',
      vcenters: { 'vc-1': { vms: [{ name: 'n1' }] }, 'vc-2': { vms: [{ name: 'n1' }] } },
      where: 'n1 (vm-0) in vc-1, n1 (vm-0) in vc-2',
    },
  ])('that is there $what is a finding that names both', async ({ vcenters, where }) => {
    const nodes = [{ name: 'n1', providerID: `vsphere://${swapUuid(uuid)}` }]
    expect(await judge(nodeVcenterMapping, aWorld({ vcenters, nodes }))).toMatchObject([
      {
        outcome: 'fail',
        findings: [
          {
            reason: 'FoundMoreThanOnce',
            message: `2 VMs have the UUID ${uuid} of node n1: ${where}.`,
            remedy: 'Give every VM but the one that runs node n1 a UUID of its own, or unregister the copies.',
          },
        ],
      },
    ])
  })

  it('is one VM, where one vCenter goes by two names', async () => {
    const about = { version: '8.0.3', apiVersion: '8.0.3.0', build: '1', instanceUuid: 'same' }
    const vcenter = { vms: [{ name: 'n1' }], connection: { about } }
    const world = (server: string) =>
      aWorld({
        vcenters: { 'vc-1': vcenter, 'VC-1': vcenter },
        failureDomains: { east: server },
        nodes: [{ name: 'n1' }],
      })
    for (const server of ['vc-1', 'VC-1']) {
      expect(await judge(nodeVcenterMapping, world(server))).toMatchObject([{ outcome: 'pass', vcenter: server }])
    }
  })

  it.each([
    {
      what: 'a provider ID of another platform',
      node: { providerID: 'aws:///eu-central-1a/i-0abc' },
      why: 'Node n1 runs on aws, not on vSphere.',
    },
    {
      what: 'a platform label',
      node: { labels: { 'node.openshift.io/platform-type': 'BareMetal' }, providerID: '' },
      why: 'Node n1 runs on BareMetal, not on vSphere.',
    },
  ])('is not looked for, given $what', async ({ node, why }) => {
    expect(await judge(nodeVcenterMapping, alone({ nodes: [{ name: 'n1', ...node }] }))).toMatchObject([
      { subject: { kind: 'node', name: 'n1' }, outcome: 'skip', skippedBecause: why },
    ])
  })

  it.each(['vsphere', 'VSphere', ''])('is looked for, given the platform label "%s"', async (label) => {
    const nodes = [{ name: 'n1', labels: { 'node.openshift.io/platform-type': label } }]
    expect(await gists(nodeVcenterMapping, alone({ nodes }))).toEqual(['node/n1 pass'])
  })

  it.each([
    { what: 'no nodes', nodes: [], why: 'The cluster has no nodes.' },
    { what: 'nodes that are absent', nodes: absent('The folder holds no Node.'), why: 'The folder holds no Node.' },
  ])('of $what is skipped', async ({ nodes, why }) => {
    expect(await judge(nodeVcenterMapping, aWorld({ nodes }))).toMatchObject([
      { subject: { kind: 'cluster', name: 'cluster' }, outcome: 'skip', skippedBecause: why },
    ])
  })
})
