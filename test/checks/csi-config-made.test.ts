import { describe, expect, it } from 'vitest'
import { csiConfig } from '../../checks/csi-config.ts'
import { aWorld } from '../support/world.ts'
import { gists } from './judge.ts'

const global = '[Global]\ncluster-id = c\nuser = u@d\npassword = p\n'
const section = (server: string) => `[VirtualCenter "${server}"]\ndatacenters = "dc"\n`
const labels = '[Labels]\ntopology-categories = "openshift-zone,openshift-region"\n'

describe('csi-config', () => {
  it.each([
    { what: 'the cloud config has a vCenter too few', listed: ['vc-1', 'vc-2'], entries: ['vc-1'], sections: ['vc-1'] },
    { what: 'the cloud config has other letters', listed: ['VC-1'], entries: ['vc-1'], sections: ['vc-1'] },
    { what: 'the cloud config has an address', listed: ['vc-1'], entries: ['10.0.0.1'], sections: ['10.0.0.1'] },
    { what: 'a key is not the server', listed: ['vc-1'], entries: ['main=vc-1'], sections: ['main'] },
    {
      what: 'the cloud config lacks a datacenter',
      listed: ['vc-1'],
      entries: ['vc-1'],
      sections: ['vc-1'],
      dc: 'dc-9',
    },
    {
      what: 'a vCenter is only in the secret',
      listed: ['vc-1'],
      entries: ['vc-1'],
      sections: ['vc-1', 'vc-2'],
      gist: 'fail VCenterOnlyInCsiConfig',
    },
    {
      what: 'the secret lacks a vCenter',
      listed: ['VC-1', 'vc-2'],
      entries: ['vc-1', 'vc-2'],
      sections: ['vc-1'],
      gist: 'fail VCenterMissingFromCsiConfig',
    },
    {
      what: 'the secret has the address',
      listed: ['vc-1'],
      entries: ['vc-1'],
      sections: ['10.0.0.1'],
      gist: 'fail VCenterByNameAndAddress',
    },
  ])('what the operator of OpenShift wrote is compared with its source, where $what: $gist', async (row) => {
    const { listed, entries, sections, dc = 'dc', gist = 'pass' } = row
    const cloudConfig = JSON.stringify({
      global: { user: 'u', password: 'p' },
      vcenter: Object.fromEntries(
        entries.map((entry) => {
          const [key = '', server = key] = entry.split('=')
          return [key, { server, datacenters: ['dc'] }]
        }),
      ),
    })
    const domains = [
      { name: 'fd', region: 'r', zone: 'z', server: listed[0] ?? '', topology: { datacenter: dc, networks: [] } },
    ]
    const infrastructure = {
      vcenters: listed.map((server) => ({ server, datacenters: [dc] })),
      failureDomains: domains,
    }
    const world = aWorld({
      infrastructure,
      cloudConfig,
      csiConfig: global + sections.map((server) => section(server)).join('') + labels,
    })
    const place = { kind: 'Secret', namespace: 'openshift-cluster-csi-drivers', name: 's', key: 'cloud.conf' }
    const csi = { ...world.csiConfig, place } as typeof world.csiConfig // of a state that has a place
    expect(await gists(csiConfig, { ...world, csiConfig: csi })).toEqual([`cluster/cluster ${gist}`])
  })
})
