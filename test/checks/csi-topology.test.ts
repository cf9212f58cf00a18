import { describe, expect, it } from 'vitest'
import { csiConfig } from '../../checks/csi-config.ts'
import { absent, aWorld, unreadable, type WorldSpec } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const csi = (labels = '') =>
  `[Global]\ncluster-id = c\nuser = u@d\npassword = p\n[VirtualCenter "vc-1"]\n${labels === '' ? '' : `[Labels]\n${labels}\n`}`
const categories = (names: string) => csi(`topology-categories = "${names}"`)
const twoDomains: WorldSpec = { failureDomains: { east: 'vc-1', west: 'vc-1' } }
const driver = (...topologyCategories: string[]) => ({ topologyCategories })

const plain = (labels: string): WorldSpec => ({
  infrastructure: absent('There is no Infrastructure object.'),
  cloudConfig: `global: {user: u, password: p}\nvcenter: {vc-1: {server: vc-1}}\nlabels: {${labels}}\n`,
})

/** As the operator of OpenShift keeps it, or as people do. */
function writtenBy(writer: 'operator' | 'people', spec: WorldSpec) {
  const world = aWorld(spec)
  const namespace = writer === 'operator' ? 'openshift-cluster-csi-drivers' : 'vmware-system-csi'
  const place = { kind: 'Secret', namespace, name: 's', key: 'x.conf' }
  return { ...world, csiConfig: { ...world.csiConfig, place } as typeof world.csiConfig } // of a state that has a place
}

describe('topology categories', () => {
  it.each<[string, WorldSpec, string]>([
    ['those of OpenShift', { ...twoDomains, csiConfig: categories('openshift-zone,openshift-region') }, 'pass'],
    ['in another order', { ...twoDomains, csiConfig: categories('openshift-region, openshift-zone') }, 'pass'],
    ['others', { ...twoDomains, csiConfig: categories('k8s-zone,k8s-region') }, 'fail TopologyCategoriesDiffer'],
    ['one of two', { ...twoDomains, csiConfig: categories('openshift-zone') }, 'fail TopologyCategoriesDiffer'],
    [
      'one too many',
      { ...twoDomains, csiConfig: categories('openshift-zone,openshift-region,rack') },
      'warn TopologyCategoriesDiffer',
    ],
    ['none', { ...twoDomains, csiConfig: csi() }, 'fail TopologyCategoriesMissing'],
    [
      'the old names of them',
      { ...twoDomains, csiConfig: csi('zone = openshift-zone\nregion = openshift-region') },
      'pass',
    ],
    [
      'others by the old names',
      { ...twoDomains, csiConfig: csi('zone = z\nregion = r') },
      'fail TopologyCategoriesDiffer',
    ],
    [
      'those of the ClusterCSIDriver, which does not count with several failure domains',
      { ...twoDomains, csiConfig: categories('a,b'), clusterCsiDriver: driver('a', 'b') },
      'fail TopologyCategoriesDiffer',
    ],
    ['any, one failure domain', { failureDomains: { east: 'vc-1' }, csiConfig: categories('a,b') }, 'pass'],
    ['those of the ClusterCSIDriver', { csiConfig: categories('b,a'), clusterCsiDriver: driver('a', 'b') }, 'pass'],
    [
      'others than the ClusterCSIDriver',
      { csiConfig: categories('a,c'), clusterCsiDriver: driver('a', 'b') },
      'fail TopologyCategoriesDiffer',
    ],
    [
      'none where the ClusterCSIDriver has some',
      { csiConfig: csi(), clusterCsiDriver: driver('a', 'b') },
      'fail TopologyCategoriesMissing',
    ],
    [
      'some where the ClusterCSIDriver has none',
      { csiConfig: categories('a'), clusterCsiDriver: driver() },
      'warn TopologyCategoriesDiffer',
    ],
    ['none, as the ClusterCSIDriver', { csiConfig: csi(), clusterCsiDriver: driver() }, 'pass'],
    [
      'some, with a ClusterCSIDriver that may not be read',
      { csiConfig: categories('a'), clusterCsiDriver: unreadable('Forbidden.') },
      'unknown',
    ],
    [
      'right, with a ClusterCSIDriver that may not be read and does not count',
      {
        ...twoDomains,
        csiConfig: categories('openshift-zone,openshift-region'),
        clusterCsiDriver: unreadable('Forbidden.'),
      },
      'pass',
    ],
    [
      'some, with an Infrastructure that may not be read',
      { infrastructure: unreadable('Forbidden.'), csiConfig: categories('a'), clusterCsiDriver: driver('b') },
      'unknown',
    ],
  ])('of the operator, %s', async (_, spec, gist) => {
    expect(await gists(csiConfig, writtenBy('operator', spec))).toEqual([`cluster/cluster ${gist}`])
  })

  it.each<[string, WorldSpec, string]>([
    ['the labels', { ...plain('zone: z, region: r'), csiConfig: categories('z,r') }, 'pass'],
    ['more than the labels', { ...plain('zone: z, region: r'), csiConfig: categories('r,z,rack') }, 'pass'],
    ['others', { ...plain('zone: z, region: r'), csiConfig: categories('a,b') }, 'warn TopologyCategoriesDiffer'],
    [
      'the labels, where nothing of OpenShift may be read',
      { ...plain('zone: z, region: r'), csiConfig: categories('z,r'), clusterCsiDriver: unreadable('Forbidden.') },
      'pass',
    ],
    ['none, though nodes have zones', { ...plain('zone: z, region: r'), csiConfig: csi() }, 'pass'],
    ['some, though nodes have no zones', { ...plain(''), csiConfig: categories('a,b') }, 'pass'],
    ['some, with one label that has no effect', { ...plain('zone: z'), csiConfig: categories('a,b') }, 'pass'],
    [
      'more than those of OpenShift',
      { ...twoDomains, csiConfig: categories('openshift-zone,openshift-region,rack') },
      'pass',
    ],
  ])('of people, %s', async (_, spec, gist) => {
    expect(await gists(csiConfig, writtenBy('people', spec))).toEqual([`cluster/cluster ${gist}`])
  })

  it.each<[string, ReturnType<typeof aWorld>, string, string]>([
    [
      'the operator of OpenShift',
      writtenBy('operator', { ...twoDomains, csiConfig: categories('a,b') }),
      "There are several failure domains, whose topology categories are openshift-zone, openshift-region, but the CSI driver's configuration has a, b, so volumes do not follow the failure domains.",
      'See with "oc describe clusteroperator storage" why others are written; the storage operator of OpenShift writes Secret openshift-cluster-csi-drivers/s, key x.conf.',
    ],
    [
      'the ClusterCSIDriver',
      writtenBy('operator', { csiConfig: categories('a'), clusterCsiDriver: driver() }),
      "ClusterCSIDriver/csi.vsphere.vmware.com names no topology categories, but the CSI driver's configuration has a.",
      'See with "oc describe clusteroperator storage" why others are written; the storage operator of OpenShift writes Secret openshift-cluster-csi-drivers/s, key x.conf.',
    ],
    [
      'people, by the old names',
      writtenBy('people', { ...plain('zone: z, region: r'), csiConfig: csi('zone = a\nregion = b') }),
      "The cloud config labels nodes by the categories r, z, but the CSI driver's configuration has b, a, so volumes follow other tags than nodes do.",
      'Correct the labels region and zone of the cloud config, or write topology-categories = "r,z" into the section [Labels] instead of region and zone in Secret vmware-system-csi/s, key x.conf; "vpd config render csi" prints the whole file.',
    ],
  ])('are told to %s', async (_, world, message, remedy) => {
    expect(await judge(csiConfig, world)).toMatchObject([{ findings: [{ message, remedy }] }])
  })
})
