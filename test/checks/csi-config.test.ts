import { describe, expect, it } from 'vitest'
import { csiConfig } from '../../checks/csi-config.ts'
import type { CheckContext } from '../../src/framework/context.ts'
import { absent, aWorld, unreadable, yamlFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const global = '[Global]\ncluster-id = c\nuser = u@d\npassword = p\n'
const section = (server: string, datacenters = 'dc') => `[VirtualCenter "${server}"]\ndatacenters = "${datacenters}"\n`
const labels = '[Labels]\ntopology-categories = "openshift-zone,openshift-region"\n'

/** Infrastructure with these vCenters and, per server, a failure domain in datacenter `dc`. */
function cluster(servers: readonly string[], text: string, domains: readonly string[] = []) {
  return aWorld({
    infrastructure: {
      vcenters: servers.map((server) => ({ server, datacenters: ['dc'] })),
      failureDomains: domains.map((server, index) => ({
        name: `fd-${index}`,
        region: 'r',
        zone: `z${index}`,
        server,
        topology: { datacenter: 'dc', networks: [] },
      })),
    },
    cloudConfig: yamlFor(servers),
    csiConfig: text,
  })
}

/** No Infrastructure, and a cloud config that lists datacenters for `vc-1`. */
const plain = (text: string, datacenters: readonly string[] = []) =>
  aWorld({
    infrastructure: absent('There is no Infrastructure object.'),
    cloudConfig: JSON.stringify({
      global: { user: 'u', password: 'p' },
      vcenter: { 'vc-1': { server: 'vc-1', datacenters } },
    }),
    csiConfig: text,
  })

const plainWith = (configured: readonly string[], ...sections: readonly string[]) =>
  aWorld({
    infrastructure: absent('There is no Infrastructure object.'),
    cloudConfig: yamlFor(configured),
    csiConfig: global + sections.map((server) => section(server)).join('') + labels,
  })

const disagreeing = (listed: readonly string[], configured: readonly string[], ...sections: readonly string[]) => ({
  ...cluster(listed, global + sections.map((server) => section(server)).join('') + labels),
  cloudConfig: aWorld({ cloudConfig: yamlFor(configured) }).cloudConfig,
})

describe('csi-config', () => {
  it.each([
    { what: 'the same vCenter', world: cluster(['vc-1'], global + section('vc-1'), ['vc-1']), gist: 'pass' },
    {
      what: 'the same two',
      world: cluster(['vc-1', 'vc-2'], global + section('vc-1') + section('vc-2') + labels, ['vc-1', 'vc-2']),
      gist: 'pass',
    },
    {
      what: 'a path in the datacenters',
      world: cluster(['vc-1'], global + section('vc-1', '/f/dc'), ['vc-1']),
      gist: 'pass',
    },
    {
      what: 'no datacenters, which means all',
      world: cluster(['vc-1'], `${global}[VirtualCenter "vc-1"]\n`, ['vc-1']),
      gist: 'pass',
    },
    {
      what: 'a vCenter too few',
      world: cluster(['vc-1', 'vc-2'], global + section('vc-1')),
      gist: 'fail VCenterMissingFromCsiConfig',
    },
    {
      what: 'a vCenter too many',
      world: cluster(['vc-1'], global + section('vc-1') + section('vc-2') + labels),
      gist: 'fail VCenterOnlyInCsiConfig',
    },
    {
      what: 'another datacenter',
      world: cluster(['vc-1'], global + section('vc-1', 'other'), ['vc-1']),
      gist: 'fail DatacenterMissingFromCsiConfig',
    },
    {
      what: 'two failure domains, no categories',
      world: cluster(['vc-1'], global + section('vc-1'), ['vc-1', 'vc-1']),
      gist: 'fail TopologyCategoriesMissing',
    },
    { what: 'no CSI secret', world: aWorld(), gist: 'skip' },
    { what: 'a secret that may not be read', world: aWorld({ csiConfig: unreadable('Forbidden.') }), gist: 'unknown' },
    {
      what: 'a broken text',
      world: aWorld({ csiConfig: { state: 'broken', why: 'Line 1 is no header.' } }),
      gist: 'fail CsiConfigBroken',
    },
    { what: 'plain Kubernetes, in order', world: plain(global + section('vc-1')), gist: 'pass' },
    {
      what: 'plain Kubernetes, the vCenter in other letters',
      world: plain(global + section('VC-1')),
      gist: 'warn VCenterMissingFromCsiConfig',
    },
    {
      what: 'plain Kubernetes, two vCenters by their addresses',
      world: plainWith(['vc-1', 'vc-2'], '10.0.0.1', '10.0.0.2'),
      gist: 'warn VCenterByNameAndAddress',
    },
    {
      what: 'plain Kubernetes, two vCenters, one of them by its address',
      world: plainWith(['vc-1', 'vc-2'], '10.0.0.1', 'vc-2'),
      gist: 'warn VCenterByNameAndAddress',
    },
    {
      what: 'plain Kubernetes, a name and an address for two names',
      world: plainWith(['vc-1', 'vc-2'], '10.0.0.1', 'vc-3'),
      gist: 'fail VCenterMissingFromCsiConfig VCenterMissingFromCsiConfig VCenterOnlyInCsiConfig VCenterOnlyInCsiConfig',
    },
    {
      what: 'two addresses for two names of Infrastructure',
      world: cluster(['vc-1', 'vc-2'], global + section('10.0.0.1') + section('10.0.0.2') + labels),
      gist: 'fail VCenterMissingFromCsiConfig VCenterMissingFromCsiConfig VCenterOnlyInCsiConfig VCenterOnlyInCsiConfig',
    },
    {
      what: 'plain Kubernetes, another vCenter',
      world: plain(global + section('vc-2')),
      gist: 'fail VCenterMissingFromCsiConfig VCenterOnlyInCsiConfig',
    },
    {
      what: 'plain Kubernetes, a datacenter of the cloud config too few',
      world: plain(global + section('vc-1', 'dc'), ['dc', 'dc-2']),
      gist: 'warn DatacenterMissingFromCsiConfig',
    },
    {
      what: 'plain Kubernetes, fewer datacenters in the cloud config',
      world: plain(global + section('vc-1', 'dc,dc-2'), ['dc']),
      gist: 'pass',
    },
    {
      what: 'plain Kubernetes, the vCenter by its address',
      world: plain(global + section('10.0.0.1')),
      gist: 'warn VCenterByNameAndAddress',
    },
    {
      what: 'the vCenter by its name, everywhere else by its address',
      world: cluster(['2001:db8::1'], global + section('vc-1')),
      gist: 'fail VCenterByNameAndAddress',
    },
    {
      what: 'the vCenter by its address in Infrastructure alone',
      world: disagreeing(['10.0.0.1'], ['vc-1'], 'vc-1'),
      gist: 'fail VCenterByNameAndAddress',
    },
    {
      what: 'an address beside two that are missing',
      world: cluster(['vc-1', 'vc-2'], global + section('10.0.0.1')),
      gist: 'fail VCenterMissingFromCsiConfig VCenterMissingFromCsiConfig VCenterOnlyInCsiConfig',
    },
    {
      what: 'an address, and another one in other letters',
      world: cluster(['vc-1', 'vc-2'], global + section('VC-1') + section('10.0.0.2') + labels),
      gist: 'fail VCenterByNameAndAddress VCenterMissingFromCsiConfig',
    },
    {
      what: 'the letters of Infrastructure, where the cloud config has others',
      world: disagreeing(['VC-1'], ['vc-1'], 'VC-1'),
      gist: 'pass',
    },
    {
      what: 'the letters of the cloud config, where Infrastructure has others',
      world: disagreeing(['VC-1'], ['vc-1'], 'vc-1'),
      gist: 'fail VCenterMissingFromCsiConfig',
    },
    {
      what: 'a vCenter that the cloud config has and Infrastructure has not, as infra-cloud-config says',
      world: disagreeing(['vc-1'], ['vc-1', 'vc-2'], 'vc-1', 'vc-2'),
      gist: 'pass',
    },
    {
      what: 'a vCenter of the cloud config too few',
      world: disagreeing(['vc-1'], ['vc-1', 'vc-2'], 'vc-1'),
      gist: 'fail VCenterMissingFromCsiConfig',
    },
    {
      what: 'an Infrastructure without vCenters',
      world: cluster([], global + section('nowhere')),
      gist: 'pass',
    },
    {
      what: 'Infrastructure alone',
      world: { ...cluster(['vc-1'], global + section('vc-1')), cloudConfig: absent('No file.') },
      gist: 'pass',
    },
    {
      what: 'nothing to compare it with',
      world: { ...plain(global + section('vc-1')), cloudConfig: absent('No file.') },
      gist: 'skip',
    },
    {
      what: 'an Infrastructure that may not be read',
      world: aWorld({ infrastructure: unreadable('Forbidden.'), csiConfig: global + section('vc-1') }),
      gist: 'unknown',
    },
    {
      what: 'a broken text, and nothing to compare it with',
      world: aWorld({
        infrastructure: absent('No.'),
        cloudConfig: absent('No.'),
        csiConfig: { state: 'broken', why: 'Line 1 is no header.' },
      }),
      gist: 'fail CsiConfigBroken',
    },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(csiConfig, world)).toEqual([`cluster/cluster ${gist}`])
  })

  it('says what the driver does without categories', async () => {
    const [result] = await judge(csiConfig, cluster(['vc-1'], global + section('vc-1'), ['vc-1', 'vc-1']))
    expect(result?.findings).toMatchObject([
      {
        message:
          "There are several failure domains, whose topology categories are openshift-zone, openshift-region, but the CSI driver's configuration has no topology-categories, so volumes ignore zones.",
        remedy:
          'Add topology-categories = "openshift-zone,openshift-region" to the section [Labels] in the CSI driver\'s configuration; "vpd config render csi" prints the whole file.',
      },
    ])
  })

  const at = (world: CheckContext, namespace: string, name: string): CheckContext => {
    const place = { kind: 'Secret', namespace, name, key: 'x.conf' }
    return { ...world, csiConfig: { ...world.csiConfig, place } as typeof world.csiConfig } // of a state that has a place
  }

  it.each([
    {
      what: 'the secret that people write',
      world: at(plain(global + section('vc-2')), 'vmware-system-csi', 'vsphere-config-secret'),
      remedy:
        'Add a section [VirtualCenter "vc-1"] in Secret vmware-system-csi/vsphere-config-secret, key x.conf; "vpd config render csi" prints the whole file.',
    },
    {
      what: 'what OpenShift makes it from, where that was not collected',
      world: at(
        { ...cluster(['vc-1'], global + section('vc-2')), cloudConfig: absent('No file.') },
        'openshift-cluster-csi-drivers',
        'vsphere-csi-config-secret',
      ),
      remedy:
        'See that Infrastructure/cluster, the cloud config, and Secret kube-system/vsphere-creds all have vc-1; the storage operator of OpenShift writes Secret openshift-cluster-csi-drivers/vsphere-csi-config-secret, key x.conf.',
    },
  ])('names $what', async ({ world, remedy }) => {
    const [result] = await judge(csiConfig, world)
    expect(result?.findings[0]).toMatchObject({ reason: 'VCenterMissingFromCsiConfig', remedy })
  })

  it('says who does not have a vCenter', async () => {
    const [result] = await judge(csiConfig, disagreeing(['vc-1'], ['vc-1'], 'vc-1', 'vc-2'))
    expect(result?.findings).toMatchObject([
      {
        message: "The CSI driver's configuration names vCenter vc-2, which Infrastructure and the cloud config do not.",
      },
    ])
  })
})
