import { describe, expect, it } from 'vitest'
import { nodeVcenterMapping } from '../../checks/node-vcenter-mapping.ts'
import { absent, betaLabelled, labelled, uuidFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'
import { alone, nodeIn } from './one-node.ts'

const login = '[Global]\nuser = u\npassword = p\n'
const workspace = (server: string) =>
  `${login}[VirtualCenter "vc-1"]\n[Workspace]\nserver = ${server}\ndatacenter = dc\n`
const yaml = 'global: {user: u, password: p}\nvcenter: {vc-1: {server: vc-1}}\n'

describe('node-vcenter-mapping', () => {
  it.each([
    { what: 'labels say where it is', world: nodeIn('vc-2', { labels: labelled('west') }), gist: 'pass' },
    { what: 'beta labels say where it is', world: nodeIn('vc-2', { labels: betaLabelled('west') }), gist: 'pass' },
    {
      what: 'each label falls back to its beta name on its own',
      world: nodeIn('vc-2', {
        labels: { 'topology.kubernetes.io/region': 'west', 'failure-domain.beta.kubernetes.io/zone': 'west-1a' },
      }),
      gist: 'pass',
    },
    {
      what: 'an empty label is none',
      world: nodeIn('vc-2', { labels: { ...labelled('', ''), ...betaLabelled('west') } }),
      gist: 'pass',
    },
    {
      what: 'labels count before beta labels',
      world: nodeIn('vc-2', { labels: { ...betaLabelled('east'), ...labelled('west') } }),
      gist: 'pass',
    },
    {
      what: 'labels say elsewhere',
      world: nodeIn('vc-1', { labels: labelled('west') }),
      gist: 'fail FoundInOtherVCenter',
    },
    {
      what: 'beta labels say elsewhere',
      world: nodeIn('vc-2', { labels: betaLabelled('east') }),
      gist: 'fail FoundInOtherVCenter',
    },
    {
      what: 'labels match nothing',
      world: nodeIn('vc-1', { labels: labelled('foo', 'bar') }),
      gist: 'fail LabelsMatchNoFailureDomain',
    },
    {
      what: 'beta labels match nothing',
      world: nodeIn('vc-1', { labels: betaLabelled('foo', 'bar') }),
      gist: 'fail LabelsMatchNoFailureDomain',
    },
    {
      what: 'region of one failure domain, zone of the other',
      world: nodeIn('vc-1', { labels: labelled('east', 'west-1a') }),
      gist: 'fail LabelsMatchNoFailureDomain',
    },
    {
      what: 'labels match nothing, and there is no VM',
      world: nodeIn('vc-1', { labels: labelled('foo'), providerID: `vsphere://${uuidFor('gone')}` }),
      gist: 'fail LabelsMatchNoFailureDomain VmNotFound',
    },
    { what: 'no labels, in the vCenter of the first failure domain', world: nodeIn('vc-1'), gist: 'pass' },
    { what: 'no labels, in another vCenter', world: nodeIn('vc-2'), gist: 'warn TopologyLabelsMissing' },
    {
      what: 'only one of the labels',
      world: nodeIn('vc-2', { labels: { 'topology.kubernetes.io/region': 'west' } }),
      gist: 'warn TopologyLabelsMissing',
    },
    {
      what: 'two failure domains in one vCenter',
      world: alone({ failureDomains: { east: 'vc-1', west: 'vc-1' } }, labelled('west')),
      gist: 'pass',
    },
    {
      what: 'the same with beta labels',
      world: alone({ failureDomains: { east: 'vc-1', west: 'vc-1' } }, betaLabelled('west')),
      gist: 'pass',
    },
    {
      what: 'the same with labels that match nothing',
      world: alone({ failureDomains: { east: 'vc-1', west: 'vc-1' } }, labelled('foo', 'bar')),
      gist: 'fail LabelsMatchNoFailureDomain',
    },
    {
      what: 'the same with an INI file',
      world: alone({ failureDomains: { east: 'vc-1', west: 'vc-1' }, cloudConfig: workspace('vc-1') }, labelled('foo')),
      gist: 'fail LabelsMatchNoFailureDomain',
    },
    {
      what: 'one failure domain, no labels, INI',
      world: alone({ failureDomains: { east: 'vc-1' }, cloudConfig: workspace('vc-1') }),
      gist: 'pass',
    },
    {
      what: 'one failure domain, no labels, YAML',
      world: alone({ failureDomains: { east: 'vc-1' }, cloudConfig: yaml }),
      gist: 'pass',
    },
    {
      what: 'one failure domain, labels that match nothing',
      world: alone({ failureDomains: { generated: 'vc-1' } }, labelled('region1', 'zone1')),
      gist: 'pass',
    },
    {
      what: 'one failure domain, and the VM elsewhere',
      world: nodeIn('vc-2', {}, { failureDomains: { east: 'vc-1' } }),
      gist: 'fail FoundInOtherVCenter',
    },
    {
      what: 'no failure domains, one vCenter',
      world: alone({}),
      gist: 'pass',
    },
    {
      what: 'no failure domains, two vCenters: nothing says where',
      world: nodeIn('vc-2', {}, { failureDomains: {} }),
      gist: 'pass',
    },
    {
      what: 'a failure domain whose server differs in case only, which is the news of another check',
      world: nodeIn('vc-2', { labels: labelled('west') }, { failureDomains: { east: 'vc-1', west: 'VC-2' } }),
      gist: 'pass',
    },
    {
      what: 'no Infrastructure object, as on plain Kubernetes',
      world: alone({ infrastructure: absent('There is none.') }),
      gist: 'pass',
    },
    { what: 'no cloud config', world: alone({ cloudConfig: absent('There is none.') }), gist: 'pass' },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(nodeVcenterMapping, world)).toEqual([`node/n1 ${gist}`])
  })

  it.each([
    {
      what: 'an empty vSphere spec',
      infrastructure: { vcenters: [] },
    },
    {
      what: 'vCenters but no failure domains',
      infrastructure: {},
    },
    {
      what: 'no Infrastructure object',
      infrastructure: absent('There is none.'),
    },
  ])('with an INI file and $what, a node belongs to the vCenter of the workspace', async ({ infrastructure }) => {
    const spec = (server: string) => alone({ infrastructure, cloudConfig: workspace(server) })
    expect(await judge(nodeVcenterMapping, spec('vc-1'))).toMatchObject([{ outcome: 'pass', vcenter: 'vc-1' }])
    expect(await judge(nodeVcenterMapping, spec('vc-2'))).toMatchObject([
      {
        outcome: 'fail',
        findings: [
          {
            reason: 'FoundInOtherVCenter',
            message:
              'VM n1 of node n1 was found in vc-1; the workspace of the cloud config says vc-2, which is no vCenter that is configured.',
            remedy: 'Correct the server of the workspace in the cloud config.',
          },
        ],
      },
    ])
  })

  it('does not take the workspace for the place of every vCenter of an INI file', async () => {
    const cloudConfig = `${login}[VirtualCenter "vc-1"]\n[VirtualCenter "vc-2"]\n[Workspace]\nserver = vc-1\n`
    expect(await gists(nodeVcenterMapping, nodeIn('vc-2', {}, { failureDomains: {}, cloudConfig }))).toEqual([
      'node/n1 pass',
    ])
  })

  it('keeps the workspace of an INI file with sections that the strict reader refuses', async () => {
    const cloudConfig = `${workspace('vc-2')}[Nodes]\ninternal-vm-network-name = net\n`
    expect(await gists(nodeVcenterMapping, alone({ cloudConfig }))).toEqual(['node/n1 fail FoundInOtherVCenter'])
  })

  it('names the node, both vCenters, the labels and the failure domain', async () => {
    expect(await judge(nodeVcenterMapping, nodeIn('vc-1', { labels: labelled('west') }))).toMatchObject([
      {
        node: 'n1',
        vcenter: 'vc-1',
        failureDomain: 'west',
        findings: [
          {
            severity: 'error',
            message:
              'VM n1 of node n1 was found in vc-1; its labels (region west, zone west-1a, failure domain west) say vc-2.',
            remedy: 'Correct the topology labels of node n1, or move the VM to vc-2.',
          },
        ],
      },
    ])
  })

  it.each([
    {
      world: nodeIn('vc-1', { labels: labelled('foo', 'bar') }),
      message:
        'The labels of node n1 say region foo, zone bar, which is no failure domain of the Infrastructure object.',
      remedy: 'Correct the topology labels of node n1, or add the failure domain to Infrastructure/cluster.',
    },
    {
      world: nodeIn('vc-2'),
      message: 'VM n1 of node n1 is in vc-2, but the node lacks its region or zone label, so it counts as one of vc-1.',
      remedy: 'Label node n1 with the region and zone of its failure domain.',
    },
    {
      world: nodeIn('vc-2', {}, { failureDomains: { east: 'vc-1' } }),
      message: 'VM n1 of node n1 was found in vc-2; failure domain east, the only one, says vc-1.',
      remedy: 'Correct the server of failure domain east in Infrastructure/cluster, or move the VM to vc-1.',
    },
    {
      world: alone({ failureDomains: { east: 'vc-9' } }),
      message:
        'VM n1 of node n1 was found in vc-1; failure domain east, the only one, says vc-9, which is no vCenter that is configured.',
      remedy: 'Correct the server of failure domain east in Infrastructure/cluster.',
    },
    {
      world: nodeIn('vc-1', { labels: labelled('west') }, { failureDomains: { east: 'vc-1', west: 'vc-9' } }),
      message:
        'VM n1 of node n1 was found in vc-1; its labels (region west, zone west-1a, failure domain west) say vc-9, which is no vCenter that is configured.',
      remedy: 'Correct the server of failure domain west in Infrastructure/cluster, or the topology labels of node n1.',
    },
  ])('$message', async ({ world, message, remedy }) => {
    expect(await judge(nodeVcenterMapping, world)).toMatchObject([{ findings: [{ message, remedy }] }])
  })
})
