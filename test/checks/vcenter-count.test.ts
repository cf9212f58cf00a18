import { describe, expect, it } from 'vitest'
import { vcenterCount } from '../../checks/vcenter-count.ts'
import type { FeatureGate } from '../../src/framework/check.ts'
import { absent, aWorld, unreadable, yamlFor } from '../support/world.ts'
import { gists, judge } from './judge.ts'

const gate = 'VSphereMultiVCenters'
const release = (version: string, enabled: string[] = [], disabled: string[] = []): FeatureGate => ({
  versions: [{ version, enabled, disabled }],
})

function counted(count: number, featureGate: FeatureGate) {
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
    { what: 'plain Kubernetes', world: aWorld({ featureGate: absent('No OpenShift.') }), gist: 'skip' },
    { what: 'a gate that may not be read', world: aWorld({ featureGate: unreadable('Forbidden.') }), gist: 'unknown' },
  ])('$what: $gist', async ({ world, gist }) => {
    expect(await gists(vcenterCount, world)).toEqual([`cluster/cluster ${gist}`])
  })

  it('counts a vCenter once, whichever place names it, and names them all', async () => {
    const world = aWorld({
      infrastructure: { vcenters: [{ server: 'vc-1', datacenters: [] }] },
      cloudConfig: yamlFor(['vc-1', 'vc-2']),
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
