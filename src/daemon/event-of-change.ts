import type { KubeEvent } from '../cluster/kubernetes/events.ts'
import type { Result } from '../framework/result.ts'
import type { ToldResult } from './told.ts'

/** An object that events can be about. */
export type Regarding = KubeEvent['regarding']

/** What is worth an Event: what became another since it was told, and trouble that is seen for the first time. */
export function eventsOf(told: ToldResult | undefined, now: Result, self: Regarding): KubeEvent[] {
  const { check, outcome } = now
  if (now.suppressed !== undefined) return []
  const isTrouble = outcome === 'fail' || outcome === 'warn'
  if (!isTrouble && (told === undefined || told.outcome === outcome)) return []
  const common = { regarding: regarding(now, self), action: 'Check' } as const
  if (isTrouble) {
    const known = new Set(told?.reasons)
    const news = now.findings.filter(({ reason, severity }) => severity !== 'info' && !known.has(reason))
    return news.map(({ reason, message, remedy }) => {
      const note = [`${check}: ${message}`, remedy].filter((part) => part !== undefined).join(' ')
      return { ...common, type: 'Warning', reason, note }
    })
  }
  switch (outcome) {
    case 'pass':
      return [{ ...common, type: 'Normal', reason: 'CheckPassed', note: `${check}: ${now.title}.` }]
    case 'skip':
      return [{ ...common, type: 'Normal', reason: 'CheckSkipped', note: `${check}: ${now.skippedBecause ?? ''}` }]
    default:
      return [{ ...common, type: 'Warning', reason: 'CheckUnknown', note: `${check}: ${now.unknowns.join(' ')}` }]
  }
}

/** In place of Events that are too many. */
export function furtherEvents(count: number, self: Regarding): KubeEvent {
  const note = `${count} further changes of results are not told one by one. GET /status shows every result.`
  return { regarding: self, action: 'Check', type: 'Normal', reason: 'MoreResultsChanged', note }
}

function regarding({ subject }: Result, self: Regarding): Regarding {
  if (subject.kind !== 'node') return self
  // kubectl finds events of a node by this, as the kubelet writes them.
  return { apiVersion: 'v1', kind: 'Node', name: subject.name, uid: subject.name }
}
