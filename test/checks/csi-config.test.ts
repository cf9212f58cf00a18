import { describe, expect, it } from 'vitest'
import { csiConfig } from '../../checks/csi-config.ts'
import { absent, aWorld, unreadable } from '../support/world.ts'
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
    csiConfig: text,
  })
}

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
    {
      what: 'plain Kubernetes',
      world: aWorld({ infrastructure: absent('None.'), csiConfig: global + section('vc-1') }),
      gist: 'skip',
    },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(csiConfig, world)).toEqual([`cluster/cluster ${gist}`])
  })

  it('says what the driver does without categories', async () => {
    const [result] = await judge(csiConfig, cluster(['vc-1'], global + section('vc-1'), ['vc-1', 'vc-1']))
    expect(result?.findings).toMatchObject([
      {
        message:
          "There are 2 failure domains, but the CSI driver's configuration has no topology-categories, so volumes ignore zones.",
        remedy: 'Add topology-categories = "openshift-zone,openshift-region" to its [Labels] section.',
      },
    ])
  })
})
