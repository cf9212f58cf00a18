import { describe, expect, it } from 'vitest'
import { csiConfig } from '../../checks/csi-config.ts'
import type { CheckContext } from '../../src/framework/context.ts'
import { absent, aWorld, yamlFor } from '../support/world.ts'
import { judge } from './judge.ts'

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

describe('csi-config', () => {
  const at = (world: CheckContext, namespace: string, name: string): CheckContext => {
    const place = { kind: 'Secret', namespace, name, key: 'x.conf' }
    return { ...world, csiConfig: { ...world.csiConfig, place } as typeof world.csiConfig } // of a state that has a place
  }

  it('names both where one vCenter has two names', async () => {
    const [result] = await judge(csiConfig, plain(global + section('10.0.0.1')))
    expect(result?.findings).toMatchObject([
      {
        message:
          "The CSI driver's configuration names vCenter 10.0.0.1 where the cloud config names vc-1: probably one vCenter, by address and by name.",
        remedy:
          'If it is one, write the name of [VirtualCenter "10.0.0.1"] as vc-1; if they are two, add a section [VirtualCenter "vc-1"] in the CSI driver\'s configuration; "vpd config render csi" prints the whole file.',
        source: { object: 'csiConfig', path: ['vcenters', '10.0.0.1'] },
      },
    ])
  })

  it('names all of both where several have two names', async () => {
    const [result] = await judge(csiConfig, plainWith(['vc-1', 'vc-2'], '10.0.0.1', '10.0.0.2'))
    expect(result?.findings).toMatchObject([
      {
        message:
          "The CSI driver's configuration names vCenters 10.0.0.1, 10.0.0.2 where the cloud config names vc-1, vc-2: probably the same vCenters, by address and by name.",
        remedy:
          'If they are the same, write the names of those sections as vc-1, vc-2; if not, add sections [VirtualCenter "…"] for those that are missing in the CSI driver\'s configuration; "vpd config render csi" prints the whole file.',
      },
    ])
  })

  it('says that only letters differ, and what that does', async () => {
    const [onKubernetes] = await judge(csiConfig, plain(global + section('VC-1')))
    expect(onKubernetes?.findings).toMatchObject([
      {
        severity: 'warning',
        message:
          "vCenter vc-1 of the cloud config is in the CSI driver's configuration only in other letters, as VC-1. DNS ignores case and each driver logs in under its own name, so both work; but whatever compares the names takes them for two.",
        source: { object: 'csiConfig', path: ['vcenters', 'VC-1'] },
      },
    ])
    const [onOpenShift] = await judge(csiConfig, cluster(['vc-1'], global + section('VC-1')))
    expect(onOpenShift?.findings).toMatchObject([
      {
        message:
          "vCenter vc-1 of Infrastructure and the cloud config is in the CSI driver's configuration only in other letters, as VC-1.",
      },
    ])
    expect(onOpenShift?.outcome).toBe('fail')
  })

  const madeOf = (servers: readonly string[], text: string, domains: readonly string[], datacenters = ['dc']) => {
    const entries = servers.map((server) => [server, { server, datacenters }])
    const config = { global: { user: 'u', password: 'p' }, vcenter: Object.fromEntries(entries) }
    const { cloudConfig } = aWorld({ cloudConfig: JSON.stringify(config) })
    return at({ ...cluster(servers, text, domains), cloudConfig }, 'openshift-cluster-csi-drivers', 's')
  }

  it.each([
    { world: madeOf(['vc-1', 'vc-2'], global + section('vc-1'), []), why: 'vc-2 is not written' },
    { world: madeOf(['vc-1'], global + section('VC-1'), []), why: 'vc-1 is not written' },
    { world: madeOf(['vc-1'], global + section('10.0.0.1'), []), why: 'vc-1 is not written' },
    { world: madeOf(['vc-1'], global + section('vc-1', 'x'), ['vc-1']), why: 'dc is not written' },
    { world: madeOf(['vc-1'], global + section('vc-1', 'x'), [], ['a', 'b']), why: 'a, b are not written' },
    {
      world: madeOf(['vc-1'], global + section('vc-1') + section('vc-2') + labels, []),
      before: 'Add vc-2 to the cloud config if it is wanted. ',
      why: 'it is still written if it is not',
    },
  ])('does not ask to write what OpenShift was told already: why $why', async ({ world, before = '', why }) => {
    const [result] = await judge(csiConfig, world)
    expect(result?.findings.map(({ remedy }) => remedy)).toEqual([
      `${before}See with "oc describe clusteroperator storage" why ${why}; the storage operator of OpenShift writes Secret openshift-cluster-csi-drivers/s, key x.conf.`,
    ])
  })
})
