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
    {
      what: 'one vCenter in two entries that differ in case',
      servers: ['vc-1'],
      entries: ['vc-1', 'VC-1'],
      gist: 'fail VCenterTwiceInCloudConfig',
    },
    {
      what: 'one vCenter in two entries, the wrong one first',
      servers: ['vc-1'],
      entries: ['VC-1', 'vc-1'],
      gist: 'fail VCenterTwiceInCloudConfig',
    },
    {
      what: 'one vCenter under two keys',
      servers: ['vc-1'],
      entries: ['vc-1', 'main=vc-1'],
      gist: 'fail VCenterTwiceInCloudConfig',
    },
    {
      what: 'two in Infrastructure that differ in case, and one entry for the second',
      servers: ['VC-1', 'vc-1'],
      entries: ['vc-1'],
      gist: 'fail VCenterMissingFromCloudConfig',
    },
    {
      what: 'a name here, an address there',
      servers: ['vc-1', 'vc-2'],
      entries: ['vc-1', '2001:db8::2'],
      gist: 'fail VCenterByNameAndAddress',
    },
    {
      what: 'an address here, a key with a named server there',
      servers: ['10.0.0.1'],
      entries: ['main=vc-1'],
      gist: 'fail VCenterByNameAndAddress',
    },
    {
      what: 'an address here, two names there',
      servers: ['10.0.0.1'],
      entries: ['vc-1', 'vc-2'],
      gist: 'fail VCenterMissingFromCloudConfig VCenterMissingFromInfrastructure VCenterMissingFromInfrastructure',
    },
    {
      what: 'two addresses',
      servers: ['10.0.0.1'],
      entries: ['10.0.0.2'],
      gist: 'fail VCenterMissingFromCloudConfig VCenterMissingFromInfrastructure',
    },
    { what: 'an Infrastructure without vCenters', servers: [], entries: ['vc-1'], gist: 'skip' },
  ])('$what: $gist', async ({ servers, entries, gist }) => {
    expect(await gists(infraCloudConfig, between(servers, entries))).toEqual([`cluster/cluster ${gist}`])
  })

  it.each([
    // The storage operator connects to what Infrastructure lists, whether there are failure domains or not.
    { what: 'the same vCenters', servers: ['vc-1'], entries: ['vc-1'], gist: 'pass' },
    {
      what: 'other vCenters',
      servers: ['vc-1'],
      entries: ['vc-2'],
      gist: 'fail VCenterMissingFromCloudConfig VCenterMissingFromInfrastructure',
    },
    { what: 'no vCenters', servers: [], entries: ['vc-1'], gist: 'skip' },
  ])('without failure domains, $what: $gist', async ({ servers, entries, gist }) => {
    const world = between(servers, entries)
    expect(world.kube.infrastructure).toMatchObject({ value: { failureDomains: [] } })
    expect(await gists(infraCloudConfig, world)).toEqual([`cluster/cluster ${gist}`])
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
      remedy: 'Rename the entry VC-1 in the cloud config to vc-1.',
    },
    {
      servers: ['vc-1'],
      entries: ['main=vc-1'],
      message: 'The cloud config has vc-1 under the key main; OpenShift looks for the key vc-1.',
      remedy: 'Rename the key main in the cloud config to vc-1.',
    },
    {
      servers: ['vc-1'],
      entries: ['VC-1', 'vc-1'],
      message:
        'The entries vc-1 and VC-1 of the cloud config are one vCenter, which Infrastructure lists once. Infrastructure lists 1 (vc-1); the cloud config lists 2 (VC-1, vc-1).',
      remedy: 'Remove the entry VC-1 from the cloud config.',
    },
    {
      servers: ['vc-1'],
      entries: ['vc-1', 'main=vc-2'],
      message:
        'vCenter main is in the cloud config but not in Infrastructure. Infrastructure lists 1 (vc-1); the cloud config lists 2 (vc-1, main).',
      remedy:
        'Add the server of main to spec.platformSpec.vsphere.vcenters of Infrastructure/cluster and make it the key of the entry, or remove the entry from the cloud config.',
    },
    {
      servers: ['10.0.0.1'],
      entries: ['vc-1.example.com'],
      message:
        'Infrastructure names 10.0.0.1 where the cloud config has vc-1.example.com: probably one vCenter, by address and by name; they must be equal to the letter. Infrastructure lists 1 (10.0.0.1); the cloud config lists 1 (vc-1.example.com).',
      remedy:
        'If it is one, rename the entry vc-1.example.com in the cloud config to 10.0.0.1; if they are two, each belongs in both places.',
    },
  ])('$message', async ({ servers, entries, message, remedy }) => {
    expect(await judge(infraCloudConfig, between(servers, entries))).toMatchObject([
      { findings: [{ message, remedy }] },
    ])
  })

  it.each([
    { what: 'none', inInfrastructure: undefined, inCloudConfig: 443, gist: 'pass' },
    { what: 'the usual one', inInfrastructure: 443, inCloudConfig: 443, gist: 'pass' },
    { what: 'two', inInfrastructure: undefined, inCloudConfig: 8443, gist: 'warn PortDiffers' },
    { what: 'another one in both', inInfrastructure: 8443, inCloudConfig: 8443, gist: 'warn PortIgnored' },
    { what: "a simulator's", server: '127.0.0.1', inInfrastructure: 8443, inCloudConfig: 8443, gist: 'pass' },
  ])('a port that is $what: $gist', async ({ server = 'vc-1', inInfrastructure: port, inCloudConfig, gist }) => {
    const world = aWorld({
      infrastructure: { vcenters: [{ server, datacenters: [], ...(port && { port }) }] },
      cloudConfig: `global: {user: u, password: p}\nvcenter: {${server}: {server: ${server}, port: ${inCloudConfig}}}\n`,
    })
    expect(await gists(infraCloudConfig, world)).toEqual([`cluster/cluster ${gist}`])
  })

  it('names the place of the cloud config where it is known', async () => {
    const world = between(['vc-1', 'vc-2'], ['vc-1'])
    const cloudConfig = { ...world.cloudConfig, place: { file: 'vsphere.conf' } }
    expect(await judge(infraCloudConfig, { ...world, cloudConfig })).toMatchObject([
      { findings: [{ remedy: 'Add vc-2 with its datacenters to vsphere.conf.' }] },
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
