import { describe, expect, it } from 'vitest'
import { infraCloudConfig } from '../../checks/infra-cloud-config.ts'
import { absent, aWorld, unreadable, yamlFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

/** A cluster whose Infrastructure lists `servers` and whose cloud config has `entries`, as `key` or `key=server`. */
function between(servers: readonly string[], entries: readonly string[]) {
  return aWorld({
    infrastructure: { vcenters: servers.map((server) => ({ server, datacenters: [] })) },
    cloudConfig: yamlFor(entries),
  })
}

const ini = '[Global]\nuser = u\npassword = p\n[VirtualCenter "vc-1"]\n[Workspace]\nserver = vc-1\n'

describe('infra-cloud-config', () => {
  it.each([
    { what: 'one vCenter in both', servers: ['vc-1'], entries: ['vc-1'], gist: 'pass' },
    { what: 'two vCenters in both', servers: ['vc-1', 'vc-2'], entries: ['vc-1', 'vc-2'], gist: 'pass' },
    { what: 'two vCenters in another order', servers: ['vc-2', 'vc-1'], entries: ['vc-1', 'vc-2'], gist: 'pass' },
    {
      what: 'a vCenter that only Infrastructure has',
      servers: ['vc-1', 'vc-2'],
      entries: ['vc-1'],
      gist: 'fail VCenterMissingFromCloudConfig',
    },
    {
      what: 'a vCenter that only the cloud config has',
      servers: ['vc-1'],
      entries: ['vc-1', 'vc-2'],
      gist: 'fail VCenterMissingFromInfrastructure',
    },
    {
      what: 'a vCenter that was renamed in Infrastructure',
      servers: ['vc-9'],
      entries: ['vc-1'],
      gist: 'fail VCenterMissingFromCloudConfig VCenterMissingFromInfrastructure',
    },
    {
      what: 'a key that is not the server',
      servers: ['vc-1'],
      entries: ['main=vc-1'],
      gist: 'fail CloudConfigKeyDiffers',
    },
    { what: 'a key whose case differs', servers: ['vc-1'], entries: ['VC-1'], gist: 'fail VCenterNameCaseDiffers' },
    {
      what: 'a server whose case differs, under the right key',
      servers: ['vc-1'],
      entries: ['vc-1=VC-1'],
      gist: 'pass',
    },
    { what: 'an Infrastructure without vCenters', servers: [], entries: ['vc-1'], gist: 'skip' },
  ])('$what: $gist', async ({ servers, entries, gist }) => {
    expect(await gists(infraCloudConfig, between(servers, entries))).toEqual([`cluster/cluster ${gist}`])
  })

  it('takes an INI file as well', async () => {
    expect(await gists(infraCloudConfig, aWorld({ cloudConfig: ini, failureDomains: { east: 'vc-1' } }))).toEqual([
      'cluster/cluster pass',
    ])
  })

  it('shows both lists, and both counts', async () => {
    const [result] = await judge(infraCloudConfig, between(['vc-1', 'vc-3'], ['vc-1', 'vc-2', 'vc-4']))
    const lists = 'Infrastructure lists 2 (vc-1, vc-3); the cloud config lists 3 (vc-1, vc-2, vc-4).'
    expect(result?.findings).toMatchObject([
      {
        severity: 'error',
        message: `vCenter vc-3 is in Infrastructure but not in the cloud config. ${lists}`,
        remedy: 'Add vc-3 with its datacenters to the cloud config.',
      },
      {
        message: `vCenter vc-2 is in the cloud config but not in Infrastructure. ${lists}`,
        remedy:
          'Add vc-2 to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster, or remove it from the cloud config.',
      },
      { message: `vCenter vc-4 is in the cloud config but not in Infrastructure. ${lists}` },
    ])
  })

  it.each([
    {
      servers: ['vc-1'],
      entries: ['VC-1'],
      message: 'Infrastructure writes vc-1, the cloud config VC-1; they must be equal to the letter.',
      remedy: 'Rename the entry in the cloud config to vc-1.',
    },
    {
      servers: ['vc-1'],
      entries: ['main=vc-1'],
      message: 'The cloud config has vc-1 under the key main; OpenShift looks for the key vc-1.',
      remedy: 'Rename the key main in the cloud config to vc-1.',
    },
  ])('$message', async ({ servers, entries, message, remedy }) => {
    expect(await judge(infraCloudConfig, between(servers, entries))).toMatchObject([
      { findings: [{ message, remedy }] },
    ])
  })

  it('names the ConfigMap to edit where Infrastructure tells it', async () => {
    const world = aWorld({
      vcenters: { 'vc-1': {}, 'vc-2': {} },
      infrastructure: { cloudConfig: { name: 'cloud-provider-config', key: 'config' } },
      cloudConfig: yamlFor(['vc-1']),
    })
    expect(await judge(infraCloudConfig, world)).toMatchObject([
      {
        findings: [
          { remedy: 'Add vc-2 with its datacenters to ConfigMap openshift-config/cloud-provider-config, key config.' },
        ],
      },
    ])
  })

  it.each([
    {
      what: 'no Infrastructure object, as on plain Kubernetes',
      world: aWorld({ infrastructure: absent('There is no Infrastructure object.') }),
      verdict: { outcome: 'skip', skippedBecause: 'There is no Infrastructure object.' },
    },
    {
      what: 'an Infrastructure object that may not be read',
      world: aWorld({ infrastructure: unreadable('Forbidden.') }),
      verdict: { outcome: 'unknown', unknowns: ['Forbidden.'] },
    },
    {
      what: 'no cloud config',
      world: aWorld({ cloudConfig: absent('There is no cloud config.') }),
      verdict: { outcome: 'skip', skippedBecause: 'There is no cloud config.' },
    },
    {
      what: 'a cloud config that cannot be read',
      world: aWorld({ cloudConfig: unreadable('Line 3: not YAML.') }),
      verdict: { outcome: 'unknown', unknowns: ['Line 3: not YAML.'] },
    },
    {
      what: 'an Infrastructure object without vCenters',
      world: aWorld({ infrastructure: { vcenters: [] } }),
      verdict: { outcome: 'skip', skippedBecause: 'The Infrastructure object lists no vCenters.' },
    },
  ])('$what: $verdict.outcome', async ({ world, verdict }) => {
    expect(await judge(infraCloudConfig, world)).toMatchObject([verdict])
  })
})
