import { z } from 'zod'
import type { FurtherKind } from '../../framework/kube-schema.ts'
import { furtherKinds } from '../further-manifests.ts'
import { type NotRead, ObjectHeap } from '../heap.ts'
import { cloudConfigIn, infrastructureIn } from '../objects.ts'
import { cloudConfigPlaces, csiConfigPlaces, type GivenPlaces, type Place, secretPlaces } from '../places.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import type { Seen, Start } from './follow.ts'
import { listAll, type Selection } from './list.ts'
import { notPermitted } from './permissions.ts'
import { apiVersionOf, type Kind, objectPathOf, resourceOf } from './resources.ts'

export interface Gathered {
  readonly heap: ObjectHeap
  /** The objects that the reading depends on; undefined where the API server could not be asked. */
  readonly watched?: readonly Watched[]
}

export interface Watched extends Selection, Start {}

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
    gatherLists(client, heap, options.wanted, isOpenShift, signal),
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
    const seen = await fetchOne(client, heap, kind, place, signal)
    watched.push({ kind, place, ...(seen === undefined ? {} : { seen }) })
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
  isOpenShift: boolean,
  signal: AbortSignal,
): Promise<Watched> {
  const nodes = await fetchAll(client, heap, 'Node', signal)
  for (const further of wanted) {
    const about: { readonly kind: Kind; readonly name?: string } = furtherKinds[further]
    // Nobody gives rights to what cannot be there, and each refusal would be a line in the audit log of the server.
    if (!isOpenShift && resourceOf(about.kind).group.endsWith('.openshift.io'))
      heap.fail(about.kind, undefined, notServed(about.kind))
    else if (about.name === undefined) await fetchAll(client, heap, about.kind, signal)
    else await fetchOne(client, heap, about.kind, { namespace: '', name: about.name }, signal)
  }
  return { kind: 'Node', ...nodes }
}

async function fetchAll(client: KubeClient, heap: ObjectHeap, kind: Kind, signal: AbortSignal): Promise<Start> {
  const seen = new Map<string, string>()
  try {
    const version = await listAll(client, { kind }, signal, {
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
    return { seen, version }
  } catch (error) {
    heap.fail(kind, undefined, await notRead(client, error, { kind }, signal))
    return {}
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
    heap.fail(kind, why === 'not-served' ? undefined : place, await notRead(client, error, { kind, place }, signal))
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

async function notRead(
  client: KubeClient,
  error: unknown,
  { kind, place }: Selection,
  signal: AbortSignal,
): Promise<NotRead> {
  const why = error instanceof KubeError ? error.kind : undefined
  // A server refuses before it looks whether there is such a kind at all.
  const isServed = why === 'forbidden' ? await serves(client, kind, signal) : why !== 'not-served'
  if (!isServed) return notServed(kind)
  if (why !== 'forbidden') return { state: 'unreadable', why: messageOf(error) }
  const { group, plural } = resourceOf(kind)
  const verb = place === undefined ? 'list' : 'get'
  const verbs = isWatched(kind) ? [...(place === undefined ? [] : ['get']), 'list', 'watch'] : [verb]
  const right = { group, plural, verb, verbs, ...(place === undefined ? {} : { place }) }
  return { state: 'unreadable', why: notPermitted(right, messageOf(error)) }
}

/** Whether a change of such an object starts a round. */
function isWatched(kind: Kind): boolean {
  return kind === 'Node' || kind === 'Infrastructure' || kind === 'ConfigMap' || kind === 'Secret'
}

function notServed(kind: Kind): NotRead {
  return { state: 'absent', why: `The cluster knows no ${kind}: it does not serve ${apiVersionOf(kind)}.` }
}

/** Whether there are objects of this kind. Everybody who is known may ask that, as a rule; where not, there may be some. */
async function serves(client: KubeClient, kind: Kind, signal: AbortSignal): Promise<boolean> {
  const { group, plural } = resourceOf(kind)
  if (group === '') return true
  try {
    const path = `/apis/${apiVersionOf(kind)}`
    const { data } = discovered.safeParse(await client.json({ path, what: apiVersionOf(kind), signal }))
    return data === undefined || data.resources.some(({ name }) => name === plural)
  } catch (error) {
    return !(error instanceof KubeError && error.status === 404)
  }
}

const discovered = z.object({ resources: z.array(z.object({ name: z.string() })) })

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
