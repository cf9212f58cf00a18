import {
  type Check,
  isInconclusive,
  isNotApplicable,
  NotApplicable,
  type Options,
  type Sample,
  type Severity,
} from './check.ts'
import { messageOf } from './message-of.ts'
import { type Observed, take } from './observations.ts'
import { disowned, unlessAborted } from './promises.ts'
import { outcomeOf, type Result } from './result.ts'
import { contextFor } from './run-context.ts'
import type { Look, Subject } from './subject.ts'
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

/** One check on one subject, from looking to verdict. */
export class Run {
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
        const next = await unlessAborted(step, signal)
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
    this.#look = this.#subject.look(signal)
    return contextFor(this.#check.needs, this.#look, this.#world, this.#settings.options)
  }

  #take(observation: unknown): void {
    disowned(observation) // it is refused, whatever comes of it
    take(observation, this.#check, this.#settings.severity, this.#observed)
  }

  #stop(error: unknown): void {
    const said = saidBy(error)
    if (said !== undefined && isNotApplicable(error)) this.#skippedBecause = said
    else if (said !== undefined && isInconclusive(error)) this.#observed.unknowns.push(said)
    else {
      this.#broken = true
      this.#observed.unknowns.push(`The check itself failed: ${said ?? 'what it threw cannot be shown.'}`)
    }
  }
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
function saidBy(error: unknown): string | undefined {
  try {
    return messageOf(error)
  } catch {
    return undefined
  }
}
