import type { Json } from './vim-value.ts'

/** What goes back to the client, before anything disturbs it. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function json(status: number, value: Json, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) }
}

export function plain(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
}

export const nothing: Answer = { status: 204, headers: {}, body: '' }

export const notFound: Answer = plain(404, '404 page not found\n')

/** The header that carries a session's token in both directions. */
export const sessionHeader = 'vmware-api-session-id'

/** A call as it came in. */
export interface Call {
  readonly method: string
  /** Decoded segments of the path. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}
