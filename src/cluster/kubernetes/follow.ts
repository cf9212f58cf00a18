import { messageOf } from '../../framework/message-of.ts'
import { pause } from '../../net/deadline.ts'
import { SourceError } from '../source-error.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import type { FollowSettings } from './follow-settings.ts'
import { Known, type Seen } from './known.ts'
import { type Selection, whatOf } from './list.ts'
import { notPermitted } from './permissions.ts'
import { resourceOf } from './resources.ts'
import { snapshot } from './snapshot.ts'
import { watchFrom } from './watch-from.ts'

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
