import { setMaxListeners } from 'node:events'
import { onBehalfOf } from './at-fault.ts'
import {
  type Check,
  type ConfigNeed,
  demand,
  Inconclusive,
  isInconclusive,
  isNotApplicable,
  NotApplicable,
  type Options,
  type Sample,
  type Severity,
} from './check.ts'
import type { Broken, Read } from './context.ts'
import { deepFreeze } from './freeze.ts'
import { type Observed, take } from './observations.ts'
import { disowned } from './promises.ts'
import { outcomeOf, type Result } from './result.ts'
import { type Look, type Subject, subjectsOf } from './subjects.ts'
import { callWithin, TookTooLong } from './watchdog.ts'
import type { World } from './world.ts'

export interface RunSettings {
  readonly options: Options
  /** The user's severity for this check; replaces that of every finding. */
  readonly severity?: Severity
  readonly timeoutMs: number
  /** Why the check is not run at all, if it is not: every subject is skipped with this. */
  readonly skipBecause?: string
}

/** One check's word on one subject, and what only the framework needs to know about it. */
export interface Judged {
  readonly subject: Subject
  readonly result: Result
  readonly samples: readonly Sample[]
  /** Whether the check itself failed: threw, took too long or yielded rubbish. Nothing else explains that away. */
  readonly broken: boolean
  /** Whether this explains what others cannot see, whatever severity the user gives it. */
  readonly isTrouble: boolean
}

/**
 * Runs one check on each of its subjects. Whatever the check does, this returns: in about `timeoutMs`, or as soon as the
 * signal ends, with which the round's time is up.
 */
export async function runCheck(
  check: Check,
  world: World,
  settings: RunSettings,
  signal?: AbortSignal,
): Promise<Judged[]> {
  const deadline = new AbortController()
  setMaxListeners(0, deadline.signal) // one for every subject, and for every call of each
  const end = () => deadline.abort(new Inconclusive("The round's time was up before the check had ended."))
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end, { once: true })
  const timer = setTimeout(() => deadline.abort(new TookTooLong(late(settings))), settings.timeoutMs)
  try {
    const runs = subjectsOf[check.scope](world, check.needs).map((subject) => new Run(check, subject, world, settings))
    await onBehalfOf({ check: check.id, fail: (error) => deadline.abort(error) }, () => {
      startAll(runs, settings, deadline.signal)
      return Promise.all(runs.map((run) => run.finish(deadline.signal)))
    })
    return runs.map((run) => run.judged())
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    deadline.abort(new TookTooLong('The check has ended.'))
  }
}

/** When the time is up before a check begins, it may still say what it can say at once. */
const atOnceMs = 1_000

/** Synchronous checks run to their end here, all subjects under one watchdog; asynchronous ones are only started. */
function startAll(runs: readonly Run[], { timeoutMs }: RunSettings, signal: AbortSignal): void {
  try {
    callWithin(signal.aborted ? Math.min(timeoutMs, atOnceMs) : timeoutMs, () => {
      for (const run of runs) run.start(signal)
    })
  } catch (error) {
    for (const run of runs) run.abandon(signal.aborted ? signal.reason : error)
  }
}

function late({ timeoutMs }: RunSettings): string {
  return `It did not end within ${timeoutMs / 1000} s.`
}

/** One check on one subject, from looking to verdict. */
class Run {
  readonly #check: Check
  readonly #subject: Subject
  readonly #world: World
  readonly #settings: RunSettings
  readonly #observed: Observed = { findings: [], asMeant: [], unknowns: [], samples: [] }
  #look: Look | undefined
  #pending: Pending | undefined
  #skippedBecause: string | undefined
  #broken = false
  #ended = false

  constructor(check: Check, subject: Subject, world: World, settings: RunSettings) {
    this.#check = check
    this.#subject = subject
    this.#world = world
    this.#settings = settings
  }

  start(signal: AbortSignal): void {
    try {
      if (this.#settings.skipBecause !== undefined) throw new NotApplicable(this.#settings.skipBecause)
      const yielded: unknown = this.#check.run(this.#context(signal) as never) // the runner alone knows the context's type
      if (isAsync(yielded)) {
        this.#pending = pending(yielded[Symbol.asyncIterator]())
        return
      }
      if (disowned(yielded)) throw new TypeError('its run returns a promise; make it an async generator: async *run')
      if (!isIterable(yielded)) throw new TypeError('its run is no generator and returns no list')
      for (const observation of yielded) this.#take(observation)
    } catch (error) {
      this.#stop(error)
    }
    this.#ended = true
  }

  /** Waits for an asynchronous check, but not past the deadline. */
  async finish(signal: AbortSignal): Promise<void> {
    if (this.#pending === undefined || this.#ended) return
    const { iterator, first } = this.#pending
    try {
      for (let step = first; ; step = iterator.next()) {
        const next = await before(signal, step)
        if (next.done === true) break
        this.#take(next.value)
      }
    } catch (error) {
      this.#stop(error)
      void ended(iterator) // it may never settle, and has nothing more to tell
    }
    this.#ended = true
  }

  /** The watchdog ended the loop over all subjects: those that had not finished have no verdict. */
  abandon(error: unknown): void {
    if (this.#ended) return
    this.#stop(error)
    this.#ended = true
  }

  judged(): Judged {
    const { id, title, scope, severity } = this.#check
    const { kind, name, vcenter, failureDomain, node } = this.#subject
    const { findings, samples, asMeant } = this.#observed
    const blindSpots = this.#look?.views.flatMap((view) => view.blindSpots) ?? []
    const unknowns = [...this.#observed.unknowns, ...(this.#look?.notSeen ?? []), ...blindSpots]
    const skipped = this.#skippedBecause !== undefined && findings.length === 0 && !this.#broken
    const own = outcomeOf(asMeant, unknowns)
    return {
      subject: this.#subject,
      samples,
      broken: this.#broken,
      isTrouble: !skipped && (own === 'fail' || own === 'unknown'),
      result: {
        check: id,
        title,
        scope,
        subject: { kind, name },
        ...(vcenter === undefined ? {} : { vcenter }),
        ...(failureDomain === undefined ? {} : { failureDomain }),
        ...(node === undefined ? {} : { node }),
        outcome: skipped ? 'skip' : outcomeOf(findings, unknowns),
        severity: this.#settings.severity ?? severity,
        findings,
        unknowns: skipped ? [] : [...new Set(unknowns)],
        ...(skipped && this.#skippedBecause !== undefined ? { skippedBecause: this.#skippedBecause } : {}),
        checkedAt: this.#world.takenAt.toISOString(),
      },
    }
  }

  #context(signal: AbortSignal): object {
    const { needs } = this.#check
    const look = this.#subject.look(signal)
    this.#look = look
    return {
      ...look.context,
      kube: Object.fromEntries(
        (needs.kube ?? []).map((name) => [name, demand<unknown>(this.#world.kube[name] ?? notAsked(name))]),
      ),
      kubeIfThere: Object.fromEntries(
        (needs.kubeIfThere ?? []).map((name) => [name, this.#world.kube[name] ?? notAsked(name)]),
      ),
      cloudConfig: demandAs(needs.cloudConfig, this.#world.cloudConfig),
      csiConfig: demandAs(needs.csiConfig, this.#world.csiConfig),
      credentials: demandAs(needs.credentials, this.#world.credentials),
      places: placesOf(this.#world),
      options: deepFreeze(this.#settings.options),
      now: this.#world.takenAt,
    }
  }

  #take(observation: unknown): void {
    disowned(observation) // it is refused, whatever comes of it
    take(observation, this.#check, this.#settings.severity, this.#observed)
  }

  #stop(error: unknown): void {
    const said = messageOf(error)
    if (said !== undefined && isNotApplicable(error)) this.#skippedBecause = said
    else if (said !== undefined && isInconclusive(error)) this.#observed.unknowns.push(said)
    else {
      this.#broken = true
      this.#observed.unknowns.push(`The check itself failed: ${said ?? 'what it threw cannot be shown.'}`)
    }
  }
}

function notAsked(name: string): Read<never> {
  return { state: 'absent', why: `This source does not look for ${name}.` }
}

/** The same, if it was asked for; for a check that wants it even if broken, the account of what is wrong. */
function demandAs<T>(need: ConfigNeed | undefined, read: Read<T>): T | Broken | Read<T> | undefined {
  if (need === undefined) return undefined
  if (need === 'if-there') return read
  return need === 'even-if-broken' && read.state === 'broken' ? read : demand(read)
}

function placesOf({ cloudConfig, csiConfig }: World): object {
  const ofCloud = 'place' in cloudConfig && cloudConfig.place
  const ofCsi = 'place' in csiConfig && csiConfig.place
  return { ...(ofCloud && { cloudConfig: ofCloud }), ...(ofCsi && { csiConfig: ofCsi }) }
}

function isAsync(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

/** An asynchronous check that has been set off. Its first step is taken at once, so that the watchdog sees it. */
interface Pending {
  readonly iterator: AsyncIterator<unknown>
  readonly first: Promise<IteratorResult<unknown>>
}

function pending(iterator: AsyncIterator<unknown>): Pending {
  const first = iterator.next()
  first.catch(() => {}) // nobody awaits it when another subject has used up the time
  return { iterator, first }
}

async function ended(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.()
  } catch {
    // The verdict is out; how the check takes its end changes nothing.
  }
}

/** What an error says; undefined for one that throws again when it is looked at. */
function messageOf(error: unknown): string | undefined {
  try {
    return String(error instanceof Error ? error.message : error)
  } catch {
    return undefined
  }
}

/** The promise, unless the signal ends first; then the signal's reason is thrown. */
function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  promise.catch(() => {}) // when the deadline wins, a later rejection has nobody to go to
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
