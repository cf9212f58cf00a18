import { createHash } from 'node:crypto'
import { infrastructureOf, type Manifest, manifest, nodeOf } from '../manifests.ts'
import type { Kind } from './resources.ts'

/**
 * Stays the same while nothing changes that a reading takes from the object: a node's heartbeat, say, is no change. Tells
 * nothing about the object, so that one of a secret can be kept.
 */
export function fingerprint(kind: Kind, object: object): string {
  const { data, error } = manifest.safeParse({ ...object, kind })
  // Of a malformed one a reading takes what is wrong with it.
  const taken = data === undefined ? error?.issues : takenFrom(data)
  return createHash('sha256').update(JSON.stringify(taken)).digest('base64')
}

function takenFrom(object: Manifest): unknown {
  switch (object.kind) {
    case 'Node':
      return nodeOf(object)
    case 'Infrastructure':
      return infrastructureOf(object)
    default:
      // The rest was left out when it was parsed.
      return object
  }
}

/** The name of an object, however little of it is known. */
export function nameOf(object: object): string {
  // Every object of Kubernetes has this shape, as far as it has it.
  const { metadata } = object as { readonly metadata?: { readonly name?: unknown } }
  return typeof metadata?.name === 'string' ? metadata.name : ''
}
