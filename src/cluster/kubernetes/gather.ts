import { z } from 'zod'
import type { FurtherKind } from '../../framework/kube-schema.ts'
import { messageOf } from '../../framework/message-of.ts'
import { furtherKinds } from '../further-manifests.ts'
import { type NotRead, ObjectHeap } from '../heap.ts'
import { cloudConfigIn, infrastructureIn } from '../objects.ts'
import { cloudConfigPlaces, csiConfigPlaces, type GivenPlaces, type Place, secretPlaces } from '../places.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import type { Start } from './follow.ts'
import { listAll, type Selection } from './list.ts'
import { notPermitted } from './permissions.ts'
import { apiVersionOf, type Kind, objectPathOf, resourceOf } from './resources.ts'

export interface Gathered {
  readonly heap: ObjectHeap
  /** Where to look in it. */
  readonly places: GivenPlaces
  /** The objects that the reading depends on; undefined where the API server could not be asked. */
  readonly watched?: readonly Watched[]
  /** Whether something could not be read for a reason that passes by itself. */
  readonly mayRecover: boolean
}

export interface Watched extends Selection, Start {}

export interface GatherOptions {
  readonly wanted: ReadonlySet<FurtherKind>
  readonly places: GivenPlaces
}

interface Errand {
  readonly client: KubeClient
  readonly heap: ObjectHeap
  readonly signal: AbortSignal
  mayRecover: boolean
}

const infrastructure = { namespace: '', name: 'cluster' }

/** Reads what a round needs. Whatever cannot be had is noted in the heap, with the reason; nothing is thrown. */
export async function gather(client: KubeClient, options: GatherOptions, signal: AbortSignal): Promise<Gathered> {
  const heap = new ObjectHeap('the cluster')
  const kinds: Kind[] = ['Node', ...[...options.wanted].map((kind) => furtherKinds[kind].kind)]
  const platform = await platformOf(client, signal)
  if (platform.state === 'unreadable') {
    for (const kind of [...kinds, 'Infrastructure', 'ConfigMap', 'Secret'] as const)
      heap.fail(kind, undefined, platform)
    return { heap, places: { ...options.places, live: 'unknown' }, mayRecover: true }
  }
  const isOpenShift = platform.state === 'read'
  const places = { ...options.places, live: platform.state === 'read' ? platform.live : 'kubernetes' } as const
  if (!isOpenShift) heap.fail('Infrastructure', undefined, platform)

  const errand = { client, heap, signal, mayRecover: false }
  const [configuration, lists] = await Promise.all([
    gatherConfiguration(errand, places, isOpenShift),
    gatherLists(errand, options.wanted, isOpenShift),
  ])
  return { heap, places, watched: [...lists, ...configuration], mayRecover: errand.mayRecover }
}

/** Infrastructure names the cloud config, which names the secrets. */
async function gatherConfiguration(errand: Errand, given: GivenPlaces, isOpenShift: boolean): Promise<Watched[]> {
  const { heap } = errand
  const isHere = ({ namespace }: Place) => isOpenShift || !namespace.startsWith('openshift-')
  const watched: Watched[] = []
  const fetch = async (kind: Kind, { namespace, name }: Place, instead?: string) => {
    const place = { namespace, name }
    watched.push({ kind, place, ...(await fetchOne(errand, kind, place, instead)) })
  }
  if (isOpenShift) await fetch('Infrastructure', infrastructure)
  for (const place of cloudConfigPlaces(infrastructureIn(heap), given).filter(isHere)) {
    // A guess on OpenShift: the chart permits what its settings name, and nobody should permit more.
    const isGuess =
      given.live === 'openshift' && place.namedBy === undefined && !place.namespace.startsWith('openshift-')
    await fetch(
      'ConfigMap',
      place,
      isGuess ? 'If it is the cloud config, name it in source.kubernetes.cloudConfig.' : undefined,
    )
  }
  const secrets = secretPlaces(cloudConfigIn(heap, given), given)
  const ofDriver = csiConfigPlaces.filter(({ namespace }) => namespace.startsWith('openshift-') === isOpenShift)
  for (const place of [...secrets.filter(isHere), ...ofDriver]) await fetch('Secret', place)
  return watched
}

/** One after the other: a page of each is all that is in memory at any moment. */
async function gatherLists(errand: Errand, wanted: ReadonlySet<FurtherKind>, isOpenShift: boolean): Promise<Watched[]> {
  const watched: Watched[] = [{ kind: 'Node', ...(await fetchAll(errand, 'Node')) }]
  for (const further of wanted) {
    const about: { readonly kind: Kind; readonly name?: string } = furtherKinds[further]
    // Nobody gives rights to what cannot be there, and each refusal would be a line in the audit log of the server.
    if (!isOpenShift && resourceOf(about.kind).group.endsWith('.openshift.io')) {
      errand.heap.fail(about.kind, undefined, notServed(about.kind))
      continue
    }
    const place = about.name === undefined ? undefined : { namespace: '', name: about.name }
    const { seen } =
      place === undefined ? await fetchAll(errand, about.kind) : await fetchOne(errand, about.kind, place)
    // That they change starts no round, but that they can be seen does.
    if (seen === undefined) watched.push({ kind: about.kind, ...(place === undefined ? {} : { place }) })
  }
  return watched
}

async function fetchAll(errand: Errand, kind: Kind): Promise<Start> {
  const { client, heap, signal } = errand
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
    heap.forget(kind) // some of its pages are no list
    heap.fail(kind, undefined, await notRead(errand, error, { kind }))
    return {}
  }
}

/** `instead` is what to do where it may not be read, if that is not to permit it. */
async function fetchOne(errand: Errand, kind: Kind, place: Place, instead?: string): Promise<Start> {
  const { client, heap, signal } = errand
  try {
    const answer = await client.json({ path: objectPathOf(kind, place), what: `${kind} ${place.name}`, signal })
    const object = { kind, apiVersion: apiVersionOf(kind), ...asObject(answer) }
    heap.add({ object, where: 'the cluster' })
    return { seen: new Map([[place.name, fingerprint(kind, object)]]) }
  } catch (error) {
    const why = error instanceof KubeError ? error.kind : undefined
    // That an object is not there, the heap says by itself.
    if (why === 'not-found') return { seen: new Map() }
    heap.fail(kind, why === 'not-served' ? undefined : place, await notRead(errand, error, { kind, place }, instead))
    return {}
  }
}

/** Whether OpenShift's configuration is served here; unreadable where the API server cannot be asked. */
export async function platformOf(client: KubeClient, signal: AbortSignal): Promise<Platform> {
  try {
    await client.json({ path: '/apis/config.openshift.io/v1', what: 'config.openshift.io', signal })
    return { state: 'read', live: 'openshift' }
  } catch (error) {
    // Whoever may not even ask finds out by asking for the object.
    if (error instanceof KubeError && error.kind === 'forbidden') return { state: 'read', live: 'unknown' }
    const isElsewhere = error instanceof KubeError && error.status === 404
    if (isElsewhere)
      return { state: 'absent', why: 'This is no OpenShift cluster: it does not serve config.openshift.io.' }
    return { state: 'unreadable', why: messageOf(error) }
  }
}

type Platform =
  | { readonly state: 'read'; readonly live: 'openshift' | 'unknown' }
  | Extract<NotRead, { readonly state: 'absent' | 'unreadable' }>

async function notRead(errand: Errand, error: unknown, { kind, place }: Selection, instead?: string): Promise<NotRead> {
  const { client, signal } = errand
  const why = error instanceof KubeError ? error.kind : undefined
  if (why !== 'forbidden' && why !== 'not-served') errand.mayRecover = true
  // A server refuses before it looks whether there is such a kind at all.
  const isServed = why === 'forbidden' ? await serves(client, kind, signal) : why !== 'not-served'
  if (!isServed) return notServed(kind)
  if (why !== 'forbidden') return { state: 'unreadable', why: messageOf(error) }
  const { group, plural } = resourceOf(kind)
  const verb = place === undefined ? 'list' : 'get'
  const verbs = isWatched(kind) ? [...(place === undefined ? [] : ['get']), 'list', 'watch'] : [verb]
  const right = { group, plural, verb, verbs, ...(place && { place }), ...(instead && { instead }) }
  return { state: 'unreadable', why: notPermitted(right, messageOf(error)) }
}

/** Whether a change of such an object starts a round. */
export function isWatched(kind: Kind): boolean {
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

function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
