import { randomBytes } from 'node:crypto'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { microTime } from './lease-store.ts'
import { notPermitted } from './permissions.ts'

/** Something to be shown by `kubectl get events`. */
export interface KubeEvent {
  readonly regarding: {
    readonly apiVersion: string
    readonly kind: string
    readonly name: string
    readonly namespace?: string
    readonly uid?: string
  }
  readonly type: 'Normal' | 'Warning'
  /** CamelCase. */
  readonly reason: string
  /** What was done, CamelCase: "Check". */
  readonly action: string
  readonly note: string
}

export interface Reporter {
  /** Who reports, as a qualified name: `example.com/detector`. */
  readonly controller: string
  /** Which of its replicas. */
  readonly instance: string
}

/** Writes an Event; throws a `KubeError` when it cannot. Texts that Kubernetes would refuse as too long are cut. */
export async function createEvent(
  client: KubeClient,
  reporter: Reporter,
  event: KubeEvent,
  signal: AbortSignal,
): Promise<void> {
  const { regarding, type, reason, action, note } = event
  // Events about objects without namespace live in this one.
  const namespace = regarding.namespace ?? 'default'
  const body = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, name: `${regarding.name.slice(0, 200)}.${randomBytes(8).toString('hex')}` },
    eventTime: microTime(new Date()),
    reportingController: reporter.controller,
    reportingInstance: cut(reporter.instance, 128),
    regarding,
    type,
    reason: cut(reason, 128),
    action: cut(action, 128),
    note: cut(note, 1024),
  }
  const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`
  try {
    await client.json({
      method: 'POST',
      path,
      body,
      what: `an Event about ${regarding.kind} ${regarding.name}`,
      signal,
    })
  } catch (error) {
    if (!(error instanceof KubeError) || error.kind !== 'forbidden') throw error
    const right = { group: 'events.k8s.io', plural: 'events', verb: 'create', verbs: ['create'], place: { namespace } }
    throw new KubeError('forbidden', notPermitted(right, error.message), error.status)
  }
}

/** At most so many bytes, without half a character at the end. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  const room = bytes - Buffer.byteLength('…')
  return `${new TextDecoder().decode(Buffer.from(text).subarray(0, room)).replace(/\uFFFD+$/, '')}…`
}
