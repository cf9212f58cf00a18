import type { ManagedRead } from '../../framework/context.ts'
import { decoderOf, type Kind, privilegeOf } from '../../framework/vsphere-schema.ts'
import type { Live } from '../login.ts'
import { describeFault } from '../vim/faults.ts'
import type { Fault, ObjectContent } from './retrieve.ts'

/** What a check sees of an object: decoded values, and for the rest why it is not there. */
export function decodeObject<K extends Kind>(
  kind: K,
  paths: Iterable<string>,
  { unknownProperties, redactor }: Pick<Live, 'unknownProperties' | 'redactor'>,
  content: ObjectContent,
): ManagedRead<K> {
  const values: Record<string, unknown> = {}
  const unreadable: Record<string, string> = {}
  for (const path of paths) {
    const fault = faultOf(content, path)
    const raw = content.values.get(path)
    if (unknownProperties.has(path)) unreadable[path] = describeFault('InvalidProperty', {})
    else if (fault !== undefined) {
      unreadable[path] = redactor.clean(describeFault(fault.type, fault.fields, privilegeOf(kind, path)))
    } else if (raw !== undefined) {
      try {
        values[path] = decoderOf(kind, path)?.(raw)
      } catch (error) {
        unreadable[path] = `unexpected value: ${error instanceof Error ? error.message : 'it cannot be decoded'}`
      }
    }
  }
  // Each value comes from the decoder of its own path, which is what the type says.
  return { values: values as ManagedRead<K>['values'], unreadable }
}

/** A fault on `config` is one on `config.uuid` too. */
export function faultOf({ faults }: ObjectContent, path: string): Fault | undefined {
  if (faults.size === 0) return undefined
  const parts = path.split('.')
  return parts.map((_, i) => faults.get(parts.slice(0, i + 1).join('.'))).find((fault) => fault !== undefined)
}
