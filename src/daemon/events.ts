import type { KubeClient } from '../cluster/kubernetes/client.ts'
import { createEvent, type KubeEvent } from '../cluster/kubernetes/events.ts'
import type { Change } from '../framework/report.ts'
import type { Result } from '../framework/result.ts'
import type { Log } from '../logging.ts'

/** Tells somebody what a round has changed. */
export interface EventSink {
  /** Returns at once, and never throws. */
  emit(changes: readonly Change[]): void
  /** Ends what is still under way. */
  close(): Promise<void>
}

/** An object that events can be about. */
export type Regarding = KubeEvent['regarding']

/** How many events of one round are written: a vCenter that is gone may change thousands of results at once. */
const eventsAtMost = 100

/** Writes Kubernetes Events: about the node where a result is about one, else about the daemon itself. */
export function kubernetesEvents(options: {
  readonly client: KubeClient
  readonly self: Regarding
  readonly log: Log
}): EventSink {
  const { client, self, log } = options
  const stop = new AbortController()
  const reporter = { controller: 'vsphere-problem-detector', instance: self.name }
  let underWay = Promise.resolve()

  const write = async (events: readonly KubeEvent[]) => {
    for (const event of events.slice(0, eventsAtMost)) {
      if (stop.signal.aborted) return
      await createEvent(client, reporter, event, stop.signal)
    }
    if (events.length > eventsAtMost) {
      log.info({ more: events.length - eventsAtMost }, 'More results changed than Events are written')
    }
  }
  return {
    emit(changes) {
      const events = changes.flatMap((change) => eventsOf(change, self))
      // The first that cannot be written ends it: the next would meet the same trouble.
      underWay = underWay
        .then(() => write(events))
        .catch((error: Error) => {
          if (!stop.signal.aborted) log.warn({ problem: error.message }, 'Cannot write Events')
        })
    },
    async close() {
      stop.abort(new Error('the detector is stopping'))
      await underWay
    },
  }
}

/** What is worth an Event: what became another, and trouble that is seen for the first time. */
export function eventsOf({ check, before, after }: Change, self: Regarding): KubeEvent[] {
  // What is gone can have no event; what is suppressed shall have none.
  if (after === undefined || after.suppressed !== undefined) return []
  const isTrouble = after.outcome === 'fail' || after.outcome === 'warn'
  if (before === undefined && !isTrouble) return []
  const common = { regarding: regarding(after, self), action: 'Check' } as const
  if (isTrouble) {
    const known = new Set(before?.suppressed ? [] : before?.findings.map(({ reason }) => reason))
    const news = after.findings.filter(({ reason, severity }) => severity !== 'info' && !known.has(reason))
    return news.map(({ reason, message, remedy }) => {
      const note = [`${check}: ${message}`, remedy].filter((part) => part !== undefined).join(' ')
      return { ...common, type: 'Warning', reason, note }
    })
  }
  switch (after.outcome) {
    case 'pass':
      return [{ ...common, type: 'Normal', reason: 'CheckPassed', note: `${check}: ${after.title}.` }]
    case 'skip':
      return [{ ...common, type: 'Normal', reason: 'CheckSkipped', note: `${check}: ${after.skippedBecause ?? ''}` }]
    default:
      return [{ ...common, type: 'Warning', reason: 'CheckUnknown', note: `${check}: ${after.unknowns.join(' ')}` }]
  }
}

function regarding({ subject }: Result, self: Regarding): Regarding {
  if (subject.kind !== 'node') return self
  // kubectl finds events of a node by this, as the kubelet writes them.
  return { apiVersion: 'v1', kind: 'Node', name: subject.name, uid: subject.name }
}
