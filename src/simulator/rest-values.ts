import type { Entity } from './inventory.ts'
import { type PropertyRead, readProperty } from './managed-object.ts'

/** The text of a property; empty where it is unset. */
export function primitiveAt(entity: Entity, path: string): string {
  const read = readVisibly(entity, path)
  return read.state === 'set' && read.value.kind === 'primitive' ? String(read.value.value) : ''
}

/** The id of the object that a property refers to. */
export function idAt(entity: Entity, path: string): string | undefined {
  const read = readVisibly(entity, path)
  return read.state === 'set' && read.value.kind === 'reference' ? read.value.id : undefined
}

/** `notResponding` in the one API is `NOT_RESPONDING` in the other. */
export function restEnum(camelCase: string): string {
  return camelCase.replace(/[A-Z]/g, '_$&').toUpperCase()
}

/** What the world hides, it hides by property path, and the REST API knows none. */
function readVisibly({ ref, properties }: Entity, path: string): PropertyRead {
  return readProperty({ ref, properties }, path)
}
