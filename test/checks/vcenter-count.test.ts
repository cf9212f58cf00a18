import { describe, expect, it } from 'vitest'
import { vcenterCount } from '../../checks/vcenter-count.ts'
import type { FeatureGate } from '../../src/framework/check.ts'
import { absent, aWorld, unreadable, yamlFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const gate = 'VSphereMultiVCenters'
const release = (version: string, enabled: string[] = [], disabled: string[] = []): FeatureGate => ({
  versions: [{ version, enabled, disabled }],
})

function counted(count: number, featureGate: FeatureGate | ReturnType<typeof absent>) {
  const servers = Array.from({ length: count }, (_, index) => `vc-${index + 1}`)
  return aWorld({
    infrastructure: { vcenters: servers.map((server) => ({ server, datacenters: [] })) },
    cloudConfig: yamlFor(servers),
    featureGate,
  })
}

describe('vcenter-count', () => {
  it.each([
    { what: 'one, on an old release', world: counted(1, release('4.14.3')), gist: 'pass' },
    { what: 'two, on 4.16', world: counted(2, release('4.16.0')), gist: 'fail SeveralVCentersNotSupported' },
    {
      what: 'two, on 4.17 with the gate off',
      world: counted(2, release('4.17.1', [], [gate])),
      gist: 'fail SeveralVCentersNotSupported',
    },
    { what: 'two, on 4.17 with the gate on', world: counted(2, release('4.17.1', [gate])), gist: 'pass' },
    { what: 'three, on 4.18', world: counted(3, release('4.18.0')), gist: 'pass' },
    { what: 'three, on 5.0', world: counted(3, release('5.0.1')), gist: 'pass' },
    { what: 'four, on 4.18', world: counted(4, release('4.18.0', [gate])), gist: 'fail TooManyVCenters' },
    { what: 'four, and nobody knows the release', world: counted(4, absent('No file.')), gist: 'fail TooManyVCenters' },
    { what: 'two, and nobody knows the release', world: counted(2, absent('No file.')), gist: 'skip' },
    { what: 'one, and nobody knows the release', world: counted(1, absent('No file.')), gist: 'pass' },
    {
      what: 'two, and the gate as it is kept in Git, without a status',
      world: counted(2, { featureSet: 'TechPreviewNoUpgrade', versions: [] }),
      gist: 'unknown',
    },
    { what: 'two, and a gate that may not be read', world: counted(2, unreadable('Forbidden.')), gist: 'unknown' },
    {
      what: 'four, and a gate that may not be read',
      world: counted(4, unreadable('No.')),
      gist: 'fail TooManyVCenters',
    },
    { what: 'plain Kubernetes', world: aWorld({ infrastructure: absent('No OpenShift.') }), gist: 'skip' },
    {
      what: 'four in Infrastructure, without a cloud config',
      world: { ...counted(4, release('4.18.0')), cloudConfig: absent('No file.') },
      gist: 'fail TooManyVCenters',
    },
    {
      what: 'one in Infrastructure, and a cloud config that may name more',
      world: { ...counted(1, release('4.18.0')), cloudConfig: unreadable('Forbidden.') },
      gist: 'unknown',
    },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(vcenterCount, world)).toEqual([`cluster/cluster ${gist}`])
  })

  it('counts a vCenter once, whichever place names it, in whichever letters, and names them all', async () => {
    const world = aWorld({
      infrastructure: { vcenters: [{ server: 'vc-1', datacenters: [] }] },
      cloudConfig: yamlFor(['VC-1', 'vc-2']),
      featureGate: release('4.16.9'),
    })
    const [result] = await judge(vcenterCount, world)
    expect(result?.findings).toMatchObject([
      {
        message:
          '2 vCenters are configured, but release 4.16.9 supports one: feature gate VSphereMultiVCenters is off.',
      },
    ])
  })
})
