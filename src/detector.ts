import type { Check } from './framework/check.ts'
import { withDependencies } from './framework/order.ts'
import { activeAt } from './framework/suppressions.ts'
import type { Log } from './logging.ts'
import { Metrics, type Totals } from './outputs/metrics.ts'
import { type Round, type RoundParts, runRound } from './round.ts'

/** Runs rounds and keeps what the last one showed. Owns the source and the sessions, and gives both back. */
export class Detector {
  readonly metrics: Metrics
  #parts: RoundParts
  readonly #stop = new AbortController()
  readonly #totals: { [K in keyof Totals]: Map<string, Totals[K] extends ReadonlyMap<string, infer V> ? V : never> } = {
    rounds: new Map(),
    requests: new Map(),
    logins: new Map(),
    lastComplete: new Map(),
  }
  #last: Round | undefined

  constructor(parts: RoundParts, build: { readonly version: string }) {
    this.#parts = parts
    this.metrics = new Metrics(build)
  }

  get checks(): readonly Check[] {
    return this.#parts.checks
  }

  get last(): Round | undefined {
    return this.#last
  }

  /** Goes on with these from the next round on. Sessions that are not among them any more are the caller's to close. */
  adopt(parts: RoundParts): void {
    this.#parts = parts
  }

  /** Runs one round of these checks and of all they depend on. Throws when it was stopped, or when we are at fault. */
  async run(wanted: ReadonlySet<string>, triggers: Iterable<string>): Promise<Round> {
    const due = withDependencies(wanted, this.checks)
    const round = await runRound(this.#parts, due, this.#last, this.#stop.signal)
    this.#count(round, due, triggers)
    const active = activeAt(new Date(), this.#parts.suppressions).length
    await this.metrics.update(round, this.#totals, this.checks, active)
    this.#last = round
    tell(this.#parts.log, round)
    return round
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** Ends a running round at once. */
  abort(): void {
    this.#stop.abort(new Error('The detector is stopping.'))
  }

  /** Logs out everywhere. */
  async close(): Promise<void> {
    this.abort()
    await this.#parts.sessions.closeAll()
    await this.#parts.source.close()
  }

  #count(round: Round, due: ReadonlySet<string>, triggers: Iterable<string>): void {
    const add = (totals: Map<string, number>, key: string, more: number) =>
      totals.set(key, (totals.get(key) ?? 0) + more)
    for (const trigger of triggers) add(this.#totals.rounds, trigger, 1)
    for (const { name, connection } of round.vcenters) {
      add(this.#totals.requests, name, connection.requests)
      add(this.#totals.logins, name, connection.logins)
    }
    for (const { check, complete, ranAt } of round.runs) {
      if (complete && due.has(check)) this.#totals.lastComplete.set(check, ranAt)
    }
  }
}

/** How many changes of one round are worth a line each. */
const linesAtMost = 50

/** A line per change, and one for the round. What stays the same is not repeated. */
function tell(log: Log, { report, changes, durationSeconds }: Round): void {
  const news = changes.filter(
    ({ before, after }) => before !== undefined || (after && after.outcome !== 'pass' && after.outcome !== 'skip'),
  )
  for (const { check, subject, before, after } of news.slice(0, linesAtMost)) {
    const [first] = after?.findings ?? []
    const data = {
      check,
      subject: `${subject.kind}/${subject.name}`,
      was: before?.outcome,
      is: after?.outcome ?? 'gone',
    }
    log.info({ ...data, message: first?.message ?? after?.unknowns[0] }, 'Result changed')
  }
  if (news.length > linesAtMost) log.info({ more: news.length - linesAtMost }, 'More results changed')
  log.info(
    { ...report.summary, vcenters: report.vcenters.length, seconds: Number(durationSeconds.toFixed(3)) },
    'Round ended',
  )
}
