import { z } from 'zod'
import { messageOf } from '../../framework/message-of.ts'
import { pause } from '../../net/deadline.ts'
import { SourceError } from '../source-error.ts'
import type { KubeClient } from './client.ts'
import { errorOf, KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import { listAll, type Selection, selectorOf, whatOf } from './list.ts'
import { notPermitted } from './permissions.ts'
import { objectPathOf, pathOf, resourceOf } from './resources.ts'

export interface FollowSettings {
  /** How often to look at a single object that we may read and not watch. */
  readonly pollMs: number
  /** The same for a list, which is more to read, and for what could not be read at all. */
  readonly listPollMs: number
  /** How long to wait after the first failure; later waits grow up to the poll interval. */
  readonly pauseMs: number
  /** How long a watch may last. Then a new one goes on from there: one that has died unnoticed is not waited for. */
  readonly watchMs: number
  /** The server ends a watch by itself; the client does so this much later, in case the server is gone. */
  readonly graceMs: number
}

export const defaultFollowSettings: FollowSettings = {
  pollMs: 10_000,
  listPollMs: 60_000,
  pauseMs: 1_000,
  watchMs: 300_000,
  graceMs: 10_000,
}

/** Names and fingerprints of objects. */
export type Seen = ReadonlyMap<string, string>

/** What is known already. */
export interface Start {
  /** What was seen, which is no news; absent where nothing could be, and then the first look that succeeds is. */
  readonly seen?: Seen
  /** The version of the list that it was seen in. */
  readonly version?: string
}

/** Who is told what happens to the selected objects. */
export interface Follower {
  onChange(what: string): void
  /** Why changes may not be noticed, each time that it shows; undefined when nothing is in the way any more. */
  onProblem(problem: string | undefined): void
}

/**
 * Calls back for every change to what is selected, until the signal ends: watches, goes on where the connection breaks,
 * lists anew what is too old to go on from, and polls where it may not watch.
 */
export async function follow(
  client: KubeClient,
  selection: Selection,
  start: Start,
  follower: Follower,
  signal: AbortSignal,
  settings: FollowSettings,
): Promise<void> {
  const known = new Known(selection, start.seen, (what) => follower.onChange(what))
  const pollMs = selection.place === undefined ? settings.listPollMs : settings.pollMs
  let { version }: { version?: string | undefined } = start
  // Whoever could not look a moment ago waits first.
  let failures = start.seen === undefined ? 1 : 0
  if (failures > 0) await pause(jittered(settings.pauseMs), signal).catch(() => {})
  while (!signal.aborted) {
    let wait = 0
    try {
      version ??= await snapshot(client, selection, known, signal)
      if (version === '') {
        version = undefined
        wait = pollMs
        follower.onProblem(undefined)
      } else {
        const ended = await watchFrom(client, selection, version, known, signal, settings)
        version = ended.version
        failures = ended.isHealthy ? 0 : failures + 1
        if (ended.isHealthy) follower.onProblem(undefined)
      }
    } catch (error) {
      if (signal.aborted) return
      // A connection breaks now and then; and what no round could read either, rounds report.
      if (isOurFault(error) || (start.seen !== undefined && failures > 0))
        follower.onProblem(whyNotFollowed(error, selection, version === undefined ? 'read' : 'watch'))
      const why = error instanceof KubeError ? error.kind : undefined
      // Whoever may not watch may perhaps list or get. That may change: a server that has just started refuses much.
      if (why === 'forbidden' || why === 'not-served' || why === 'gone') version = undefined
      failures += 1
    }
    // Each refusal is a line in the audit log of the server.
    const longest = known.isBlind ? settings.listPollMs : pollMs
    const backOff = failures === 0 ? 0 : Math.min(settings.pauseMs * 2 ** (failures - 1), longest)
    await pause(jittered(Math.max(wait, backOff)), signal).catch(() => {})
  }
}

/** Neither of the cluster nor of our credentials, which are what the client throws. */
function isOurFault(error: unknown): boolean {
  return !(error instanceof KubeError || error instanceof SourceError)
}

function whyNotFollowed(error: unknown, selection: Selection, step: 'read' | 'watch'): string {
  const said = messageOf(error)
  if (isOurFault(error)) return `Following ${whatOf(selection)} failed inside the detector: ${said}`
  if (!(error instanceof KubeError) || error.kind !== 'forbidden') return said
  const { kind, place } = selection
  const { group, plural } = resourceOf(kind)
  const read = place === undefined ? ['list'] : ['get', 'list']
  const verb = step === 'watch' ? 'watch' : place === undefined ? 'list' : 'get'
  return notPermitted({ group, plural, verb, verbs: [...read, 'watch'], ...(place && { place }) }, said)
}

/** So that two replicas do not come back in step. */
export function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 2)
}

/** What is known of the selected objects, and whom to tell when it changes. */
class Known {
  readonly #selection: Selection
  readonly #onChange: (what: string) => void
  #objects: Map<string, string> | undefined

  constructor(selection: Selection, seen: Seen | undefined, onChange: (what: string) => void) {
    this.#selection = selection
    this.#onChange = onChange
    this.#objects = seen && new Map(seen)
  }

  /** Whether nothing could be seen so far. */
  get isBlind(): boolean {
    return this.#objects === undefined
  }

  /** The whole truth. */
  replace(objects: ReadonlyMap<string, string>): void {
    const before = this.#objects
    this.#objects = new Map(objects)
    if (before === undefined) {
      this.#onChange(`the API server answers for ${whatOf(this.#selection)} now`)
      return
    }
    for (const [name, print] of objects)
      if (before.get(name) !== print) this.#tell(name, before.has(name) ? 'changed' : 'added')
    for (const name of before.keys()) if (!objects.has(name)) this.#tell(name, 'removed')
  }

  put(name: string, print: string): void {
    const before = this.#objects?.get(name)
    this.#objects?.set(name, print)
    if (before !== print) this.#tell(name, before === undefined ? 'added' : 'changed')
  }

  remove(name: string): void {
    if (this.#objects?.delete(name)) this.#tell(name, 'removed')
  }

  #tell(name: string, how: string): void {
    const { kind, place } = this.#selection
    this.#onChange(`${kind.toLowerCase()} ${place?.namespace ? `${place.namespace}/` : ''}${name} ${how}`)
  }
}

/** Reads all that is selected; returns the version to watch from, or nothing where only the object itself may be read. */
async function snapshot(client: KubeClient, selection: Selection, known: Known, signal: AbortSignal): Promise<string> {
  const { kind, place } = selection
  const objects = new Map<string, string>()
  // As a round looks: one that may be listed and not read would otherwise be news after every round.
  if (known.isBlind && place !== undefined) known.replace(await single(client, selection, signal))
  try {
    const version = await listAll(client, selection, signal, {
      start: () => objects.clear(),
      item: (object) => objects.set(nameOf(object), fingerprint(kind, object)),
    })
    known.replace(objects)
    return version
  } catch (error) {
    if (place === undefined || !(error instanceof KubeError) || error.kind !== 'forbidden') throw error
    known.replace(await single(client, selection, signal))
    return ''
  }
}

async function single(client: KubeClient, selection: Selection, signal: AbortSignal): Promise<Map<string, string>> {
  const { kind, place = { namespace: '', name: '' } } = selection
  try {
    const object = await client.json({ path: objectPathOf(kind, place), what: whatOf(selection), signal })
    return new Map(typeof object === 'object' && object !== null ? [[place.name, fingerprint(kind, object)]] : [])
  } catch (error) {
    if (error instanceof KubeError && error.kind === 'not-found') return new Map()
    throw error
  }
}

/** Watches until the server ends it. Without a version the list has to be read anew. */
async function watchFrom(
  client: KubeClient,
  selection: Selection,
  from: string,
  known: Known,
  signal: AbortSignal,
  { watchMs, graceMs, pauseMs }: FollowSettings,
): Promise<{ readonly version: string | undefined; readonly isHealthy: boolean }> {
  const started = performance.now()
  let version = from
  let events = 0
  const query = {
    ...selectorOf(selection),
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: from,
    timeoutSeconds: String(Math.ceil(watchMs / 1000)),
  }
  const call = { path: pathOf(selection.kind, selection.place?.namespace), what: whatOf(selection), query, signal }
  for await (const line of client.lines(call, watchMs + graceMs)) {
    const event = eventOf(line)
    if (event === undefined)
      throw new KubeError('malformed', `The watch of ${call.what} sends something that is no event.`)
    events += 1
    const { type, object } = event
    if (type === 'ERROR') {
      const error = errorOf(object.code ?? 500, JSON.stringify(object), call.what)
      if (error.kind === 'gone') return { version: undefined, isHealthy: events > 1 }
      throw error
    }
    version = object.metadata?.resourceVersion ?? version
    if (type === 'ADDED' || type === 'MODIFIED') known.put(nameOf(object), fingerprint(selection.kind, object))
    if (type === 'DELETED') known.remove(nameOf(object))
  }
  return { version, isHealthy: events > 0 || performance.now() - started > pauseMs }
}

const eventSchema = z.object({
  type: z.string(),
  object: z.looseObject({
    code: z.number().optional(),
    metadata: z.looseObject({ resourceVersion: z.string().optional() }).optional(),
  }),
})

function eventOf(line: string): z.infer<typeof eventSchema> | undefined {
  try {
    return eventSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
