import type { KubeClient } from '../cluster/kubernetes/client.ts'
import { KubeError } from '../cluster/kubernetes/errors.ts'
import { createEvent } from '../cluster/kubernetes/events.ts'
import type { KeptBytes } from '../cluster/kubernetes/kept-bytes.ts'
import { outcomes, type Result } from '../framework/result.ts'
import type { Log } from '../logging.ts'
import { eventsOf, furtherEvents, type Regarding } from './event-of-change.ts'
import { Told } from './told.ts'

/** Tells somebody what has changed since it was last told. */
export interface EventSink {
  /** Takes what is so now, of the checks that ran. Returns at once, and never throws. */
  emit(results: readonly Result[], ran: ReadonlySet<string>): void
  /** Waits so long for what is under way, and then ends it. */
  close(patienceMs: number): Promise<void>
}

/** How many changes of one round are written: a vCenter that is gone may change thousands of results at once. */
const eventsAtMost = 100

/**
 * Writes Kubernetes Events: about the node where a result is about one, else about the daemon itself. What was told is
 * remembered in the cluster, so that a daemon that starts does not tell it again; what could not be told is told later.
 */
export function kubernetesEvents(options: {
  readonly client: KubeClient
  readonly self: Regarding
  readonly memory: KeptBytes
  readonly log: Log
}): EventSink {
  const { client, self, log } = options
  const stop = new AbortController()
  const reporter = { controller: 'vsphere-problem-detector', instance: self.name }
  let memory: KeptBytes | undefined = options.memory
  let told: Told | undefined
  let underWay = Promise.resolve()

  const remembered = async (): Promise<Told> => {
    try {
      const bytes = await memory?.read(stop.signal)
      const last = bytes === undefined || bytes.length === 0 ? new Told() : Told.unpack(bytes)
      if (last === undefined)
        log.warn({ in: memory?.name }, 'What Events were written cannot be understood: begun anew')
      return last ?? new Told()
    } catch (error) {
      forgetful(error)
      return new Told()
    }
  }
  const keep = async (now: Told) => {
    if (!now.isChanged) return
    try {
      await memory?.write(now.pack(), stop.signal)
      now.kept()
    } catch (error) {
      // Somebody else wrote: what they have told is seen when it is read again.
      if (error instanceof KubeError && error.kind === 'conflict') told = undefined
      else forgetful(error)
    }
  }
  /** Without the right to remember it is done without; any other trouble may have gone by the next round. */
  const forgetful = (error: unknown) => {
    if (!(error instanceof KubeError) || error.kind !== 'forbidden') throw error
    memory = undefined
    log.warn({ problem: error.message }, 'Events that were written may be written again by the next process')
  }

  const tell = async (results: readonly Result[], ran: ReadonlySet<string>) => {
    told ??= await remembered()
    const now = told
    let left = eventsAtMost
    let more = 0
    try {
      for (const result of results.toSorted(byWeight)) {
        const events = eventsOf(now.last(result), result, self)
        if (events.length > left) more += events.length
        else for (const event of events) await createEvent(client, reporter, event, stop.signal)
        left -= events.length
        now.set(result)
      }
      now.keepOnly(results, ran)
      if (more > 0) await createEvent(client, reporter, furtherEvents(more, self), stop.signal)
    } finally {
      await keep(now)
    }
  }
  return {
    emit(results, ran) {
      // The first that cannot be written ends it: the next would meet the same trouble.
      underWay = underWay
        .then(() => (stop.signal.aborted ? undefined : tell(results, ran)))
        .catch((error: Error) => {
          if (!stop.signal.aborted) log.warn({ problem: error.message }, 'Cannot write Events')
        })
    },
    async close(patienceMs) {
      const timer = setTimeout(() => stop.abort(new Error('the detector is stopping')), patienceMs)
      await underWay
      clearTimeout(timer)
      stop.abort(new Error('the detector is stopping'))
    },
  }
}

/** What explains the most comes first: the trouble of a vCenter before that of its nodes, and a failure before the rest. */
function byWeight(one: Result, other: Result): number {
  const weight = ({ outcome, subject }: Result) => outcomes.indexOf(outcome) * 2 + (subject.kind === 'node' ? 1 : 0)
  return weight(one) - weight(other)
}
