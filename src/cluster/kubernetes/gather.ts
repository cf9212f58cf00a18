import type { FurtherKind } from '../../framework/kube-schema.ts'
import { furtherKinds } from '../further-manifests.ts'
import { type NotRead, ObjectHeap } from '../heap.ts'
import { cloudConfigIn, infrastructureIn } from '../objects.ts'
import { cloudConfigPlaces, csiConfigPlaces, type GivenPlaces, type Place, secretPlaces } from '../places.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import type { Seen } from './follow.ts'
import { listAll, type Selection } from './list.ts'
import { notPermitted } from './permissions.ts'
import { apiVersionOf, type Kind, objectPathOf, resourceOf } from './resources.ts'

export interface Gathered {
  readonly heap: ObjectHeap
  /** The objects that the reading depends on; undefined where the API server could not be asked. */
  readonly watched?: readonly Watched[]
}

export interface Watched extends Selection {
  /** What was seen of them; undefined where nothing could be. */
  readonly seen: Seen | undefined
}

export interface GatherOptions {
  readonly wanted: ReadonlySet<FurtherKind>
  readonly places: GivenPlaces
}

const infrastructure = { namespace: '', name: 'cluster' }

/** Reads what a round needs. Whatever cannot be had is noted in the heap, with the reason; nothing is thrown. */
export async function gather(client: KubeClient, options: GatherOptions, signal: AbortSignal): Promise<Gathered> {
  const heap = new ObjectHeap('the cluster')
  const kinds: Kind[] = ['Node', ...[...options.wanted].map((kind) => furtherKinds[kind].kind)]
  const platform = await openshift(client, signal)
  if (platform.state === 'unreadable') {
    for (const kind of [...kinds, 'Infrastructure', 'ConfigMap', 'Secret'] as const)
      heap.fail(kind, undefined, platform)
    return { heap }
  }
  const isOpenShift = platform.state === 'read'
  if (!isOpenShift) heap.fail('Infrastructure', undefined, platform)

  const [configuration, nodes] = await Promise.all([
    gatherConfiguration(client, heap, options.places, isOpenShift, signal),
    gatherLists(client, heap, options.wanted, signal),
  ])
  return { heap, watched: [nodes, ...configuration] }
}

/** Infrastructure names the cloud config, which names the secrets. */
async function gatherConfiguration(
  client: KubeClient,
  heap: ObjectHeap,
  given: GivenPlaces,
  isOpenShift: boolean,
  signal: AbortSignal,
): Promise<Watched[]> {
  const isHere = ({ namespace }: Place) => isOpenShift || !namespace.startsWith('openshift-')
  const watched: Watched[] = []
  const fetch = async (kind: Kind, place: Place) => {
    watched.push({ kind, place, seen: await fetchOne(client, heap, kind, place, signal) })
  }
  if (isOpenShift) await fetch('Infrastructure', infrastructure)
  for (const place of cloudConfigPlaces(infrastructureIn(heap), given).filter(isHere)) await fetch('ConfigMap', place)
  const secrets = secretPlaces(cloudConfigIn(heap, given), given)
  const ofDriver = csiConfigPlaces.filter(({ namespace }) => namespace.startsWith('openshift-') === isOpenShift)
  for (const place of [...secrets.filter(isHere), ...ofDriver]) await fetch('Secret', place)
  return watched
}

/** One after the other: a page of each is all that is in memory at any moment. */
async function gatherLists(
  client: KubeClient,
  heap: ObjectHeap,
  wanted: ReadonlySet<FurtherKind>,
  signal: AbortSignal,
): Promise<Watched> {
  const seen = await fetchAll(client, heap, 'Node', signal)
  for (const further of wanted) {
    const about: { readonly kind: Kind; readonly name?: string } = furtherKinds[further]
    if (about.name === undefined) await fetchAll(client, heap, about.kind, signal)
    else await fetchOne(client, heap, about.kind, { namespace: '', name: about.name }, signal)
  }
  return { kind: 'Node', seen }
}

async function fetchAll(
  client: KubeClient,
  heap: ObjectHeap,
  kind: Kind,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const seen = new Map<string, string>()
  try {
    await listAll(client, { kind }, signal, {
      start() {
        heap.forget(kind)
        seen.clear()
      },
      item(object) {
        heap.add({ object, where: 'the cluster' })
        if (kind === 'Node') seen.set(nameOf(object), fingerprint(kind, object))
      },
    })
    heap.complete(kind)
    return seen
  } catch (error) {
    heap.fail(kind, undefined, notRead(error, kind, 'list', undefined))
    return undefined
  }
}

async function fetchOne(
  client: KubeClient,
  heap: ObjectHeap,
  kind: Kind,
  place: Place,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  try {
    const answer = await client.json({ path: objectPathOf(kind, place), what: `${kind} ${place.name}`, signal })
    const object = { kind, apiVersion: apiVersionOf(kind), ...asObject(answer) }
    heap.add({ object, where: 'the cluster' })
    return new Map([[place.name, fingerprint(kind, object)]])
  } catch (error) {
    const why = error instanceof KubeError ? error.kind : undefined
    // That an object is not there, the heap says by itself.
    if (why === 'not-found') return new Map()
    heap.fail(kind, why === 'not-served' ? undefined : place, notRead(error, kind, 'get', place))
    return undefined
  }
}

/** Whether OpenShift's configuration is served here. */
async function openshift(client: KubeClient, signal: AbortSignal): Promise<{ readonly state: 'read' } | NotRead> {
  try {
    await client.json({ path: '/apis/config.openshift.io/v1', what: 'config.openshift.io', signal })
    return { state: 'read' }
  } catch (error) {
    // Whoever may not even ask finds out by asking for the object.
    if (error instanceof KubeError && error.kind === 'forbidden') return { state: 'read' }
    const isElsewhere = error instanceof KubeError && error.status === 404
    if (isElsewhere)
      return { state: 'absent', why: 'This is no OpenShift cluster: it does not serve config.openshift.io.' }
    return { state: 'unreadable', why: messageOf(error) }
  }
}

function notRead(error: unknown, kind: Kind, verb: 'get' | 'list', place: Place | undefined): NotRead {
  if (error instanceof KubeError && error.kind === 'not-served') {
    return { state: 'absent', why: `The cluster knows no ${kind}: it does not serve ${apiVersionOf(kind)}.` }
  }
  if (error instanceof KubeError && error.kind === 'forbidden') {
    const { group, plural } = resourceOf(kind)
    const right = { group, plural, verb, verbs: ['get', 'list', 'watch'], ...(place === undefined ? {} : { place }) }
    return { state: 'unreadable', why: notPermitted(right, error.message) }
  }
  return { state: 'unreadable', why: messageOf(error) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
