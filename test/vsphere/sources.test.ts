import { describe, expect, it } from 'vitest'
import { client, endpointOf, failure, never, plan, simulate, uuids } from './support.ts'

const tags = [
  { name: 'openshift-region', tags: [{ name: 'east', on: ['/east'] }] },
  {
    name: 'openshift-zone',
    tags: [
      { name: 'east-1', on: ['/east/host/cluster-1'] },
      { name: 'unused', on: [] },
    ],
  },
]

describe('tags', () => {
  it('are told by object, and names are asked for once a round', async () => {
    const simulator = await simulate(1, { tags })
    const vcenter = client(endpointOf(simulator))
    const { inventory } = await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
    const [cluster = ''] = inventory.objects.cluster?.keys() ?? []
    const [datacenter = ''] = inventory.objects.datacenter?.keys() ?? []
    const [host = ''] = inventory.objects.host?.keys() ?? []
    const objects = [
      { type: 'ClusterComputeResource', id: cluster },
      { type: 'Datacenter', id: datacenter },
      { type: 'HostSystem', id: host },
    ]
    const sources = vcenter.sources(never())
    const before = vcenter.requests
    expect((await sources.tags(objects)).byObject).toEqual(
      new Map([
        [cluster, [{ category: 'openshift-zone', name: 'east-1' }]],
        [datacenter, [{ category: 'openshift-region', name: 'east' }]],
        [host, []],
      ]),
    )
    // One for all objects, two tags, two categories.
    expect(vcenter.requests - before).toBe(5)
    await sources.tags(objects)
    expect(vcenter.requests - before).toBe(6)
  })

  it('of nothing cost no call', async () => {
    const simulator = await simulate(1, { tags })
    const vcenter = client(endpointOf(simulator))
    await vcenter.read({ plan, nodeUuids: uuids(0) }, never())
    const before = vcenter.requests
    expect((await vcenter.sources(never()).tags([])).byObject).toEqual(new Map())
    expect(vcenter.requests - before).toBe(0)
  })

  it.each([
    ['not permitted', 403, '{"messages":[]}', 'no-permission'],
    ['something else', 200, '[7]', 'malformed-answer'],
    ['not there', 404, 'no', 'unsupported-version'],
  ])('that are %s are said to be', async (_, status, body, kind) => {
    const simulator = await simulate(1, { tags })
    simulator.fail({ match: 'POST /api/cis/tagging/', status, body })
    const sources = client(endpointOf(simulator)).sources(never())
    const failed = await failure(sources.tags([{ type: 'Datacenter', id: 'x' }]))
    expect(failed).toMatchObject({ name: 'VSphereError', kind, message: expect.stringContaining('vc.example.com') })
  })
})
