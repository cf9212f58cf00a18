import { describe, expect, it } from 'vitest'
import { datacenterConsistency } from '../../checks/datacenter-consistency.ts'
import { absent, aWorld, unreadable } from '../support/world.ts'
import { gists, judge } from './judge.ts'

/** One failure domain in `datacenter`, and the datacenters that the two places list for its vCenter. */
function listed(
  datacenter: string,
  inCloudConfig: readonly string[],
  inInfrastructure: readonly string[],
  server = 'vc-1',
) {
  return aWorld({
    infrastructure: {
      cloudConfig: { name: 'cloud-provider-config', key: 'config' },
      vcenters: [{ server: 'vc-1', datacenters: inInfrastructure }],
      failureDomains: [{ name: 'east', region: 'r', zone: 'z', server, topology: { datacenter, networks: [] } }],
    },
    cloudConfig: JSON.stringify({
      global: { user: 'u', password: 'p' },
      vcenter: { 'vc-1': { server: 'vc-1', datacenters: inCloudConfig } },
    }),
  })
}

describe('datacenter-consistency', () => {
  it.each([
    { what: 'listed in both', world: listed('DC0', ['DC0'], ['DC0']), gist: 'pass' },
    { what: 'one of several', world: listed('DC1', ['DC0', ' DC1 '], ['DC0', 'DC1']), gist: 'pass' },
    { what: 'a path where the other is a name', world: listed('DC0', ['/folder/DC0'], ['DC0']), gist: 'pass' },
    { what: 'a name where the other is a path', world: listed('/folder/DC0', ['DC0'], ['/folder/DC0']), gist: 'pass' },
    {
      what: 'two paths that differ',
      world: listed('/a/DC0', ['/b/DC0'], ['/a/DC0']),
      gist: 'fail DatacenterMissingFromCloudConfig',
    },
    {
      what: 'missing from the cloud config',
      world: listed('DC1', ['DC0'], ['DC1']),
      gist: 'fail DatacenterMissingFromCloudConfig',
    },
    {
      what: 'missing from Infrastructure',
      world: listed('DC1', ['DC1'], ['DC0']),
      gist: 'fail DatacenterMissingFromInfrastructure',
    },
    {
      what: 'missing from both',
      world: listed('DC1', ['DC0'], ['DC0']),
      gist: 'fail DatacenterMissingFromCloudConfig DatacenterMissingFromInfrastructure',
    },
    {
      what: 'none listed in the cloud config',
      world: listed('DC0', [], ['DC0']),
      gist: 'fail DatacenterMissingFromCloudConfig',
    },
    { what: 'another case', world: listed('dc0', ['DC0'], ['dc0']), gist: 'fail DatacenterMissingFromCloudConfig' },
    {
      what: 'a server that the cloud config does not know',
      world: listed('DC0', ['DC0'], ['DC0'], 'vc-9'),
      gist: 'skip',
    },
    { what: 'no datacenter at all', world: listed('', ['DC0'], ['DC0']), gist: 'skip' },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(datacenterConsistency, world)).toEqual([`failureDomain/east ${gist}`])
  })

  it('names failure domain, datacenter, vCenter, list and what to edit', async () => {
    const [result] = await judge(datacenterConsistency, listed('DC2', ['DC0', 'DC1'], ['DC0']))
    expect(result?.findings).toMatchObject([
      {
        message: 'Failure domain east is in datacenter DC2; the cloud config lists DC0, DC1 for vc-1.',
        remedy: 'Add DC2 to the datacenters of vc-1 in ConfigMap openshift-config/cloud-provider-config, key config.',
        source: { object: 'cloudConfig', path: ['vcenters', 'vc-1', 'datacenters'] },
      },
      {
        message: 'Failure domain east is in datacenter DC2; Infrastructure lists DC0 for vc-1.',
        source: { path: ['spec', 'platformSpec', 'vsphere', 'vcenters', 0, 'datacenters'] },
      },
    ])
  })

  it('says what it means that none are listed, which not everybody takes for all', async () => {
    const [result] = await judge(datacenterConsistency, listed('DC0', [], ['DC0']))
    expect(result?.findings).toMatchObject([
      {
        message:
          'Failure domain east is in datacenter DC0; the cloud config lists none for vc-1, which means all to the cloud controller and none to the CSI operator.',
      },
    ])
  })

  it.each([
    ['no Infrastructure', { infrastructure: absent('Plain Kubernetes.') }, 'skip'],
    [
      'a cloud config that is broken',
      { failureDomains: { east: 'vc-1' }, cloudConfig: unreadable('Forbidden.') },
      'unknown',
    ],
  ])('%s: %s', async (_what, spec, outcome) => {
    expect((await judge(datacenterConsistency, aWorld(spec)))[0]?.outcome).toBe(outcome)
  })
})
