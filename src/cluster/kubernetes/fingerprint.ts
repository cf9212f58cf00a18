import { createHash } from 'node:crypto'
import type { Kind } from './resources.ts'

/**
 * Stays the same while nothing changes that a round would see: a node's heartbeat, say, is no change. Tells nothing about
 * the object, so that one of a secret can be kept.
 */
export function fingerprint(kind: Kind, object: object): string {
  const part = parts[kind]?.(object as Loose) ?? object // every Kubernetes object has this shape, as far as it has it
  return createHash('sha256').update(JSON.stringify(part)).digest('base64')
}

interface Loose {
  readonly metadata?: { readonly labels?: unknown }
  readonly spec?: { readonly providerID?: unknown }
  readonly status?: { readonly platformStatus?: unknown }
  readonly data?: unknown
}

const parts: { readonly [K in Kind]?: (object: Loose) => unknown } = {
  Node: ({ metadata, spec }) => [metadata?.labels, spec?.providerID],
  ConfigMap: ({ data }) => [data],
  Secret: ({ data }) => [data],
  Infrastructure: ({ spec, status }) => [spec, status?.platformStatus],
}

/** The name of an object, however little of it is known. */
export function nameOf(object: object): string {
  const { metadata } = object as { readonly metadata?: { readonly name?: unknown } } // as above
  return typeof metadata?.name === 'string' ? metadata.name : ''
}
