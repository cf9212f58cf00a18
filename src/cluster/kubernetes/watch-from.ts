import { z } from 'zod'
import type { KubeClient } from './client.ts'
import { errorOf, KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import type { FollowSettings } from './follow-settings.ts'
import type { Known } from './known.ts'
import { type Selection, selectorOf, whatOf } from './list.ts'
import { pathOf } from './resources.ts'

/** Watches until the server ends it. Without a version the list has to be read anew. */
export async function watchFrom(
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
