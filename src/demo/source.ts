import { ObjectHeap } from '../cluster/heap.ts'
import { readingFrom } from '../cluster/objects.ts'
import type { ClusterReading, ClusterSource } from '../cluster/source.ts'
import { startSimulator, startUnreachable } from '../simulator/index.ts'
import type { Endpoint } from '../vsphere/client.ts'
import { demoManifests } from './manifests.ts'
import { east, north, vcenterWorld, west } from './world.ts'

/** A cluster that exists only here, on embedded simulated vCenters; one of the three does not answer. */
export async function demoSource(): Promise<ClusterSource> {
  const answering = await Promise.all([
    startSimulator(vcenterWorld('east', east)),
    startSimulator(vcenterWorld('west', west)),
  ])
  const silent = await startUnreachable(north)
  const heap = new ObjectHeap('the demo')
  for (const object of demoManifests()) heap.add({ object, where: 'the demo' })
  const endpoints: ClusterReading['endpoints'] = new Map<string, Pick<Endpoint, 'ca' | 'connectTo'>>([
    ...answering.map(({ name, host, port, ca }) => [name, { ca, connectTo: { host, port } }] as const),
    [north, { connectTo: { host: silent.host, port: silent.port } }] as const,
  ])

  return {
    description: 'the demo: a dozen nodes on three simulated vCenters, one of them down',
    read: async (_signal, wanted = new Set()) => ({ ...readingFrom(heap, { wanted }), endpoints }),
    close: async () => {
      await Promise.all(answering.map((vcenter) => vcenter.close()))
    },
  }
}
