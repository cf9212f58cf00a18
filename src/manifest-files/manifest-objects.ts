import type { Document, YAMLMap } from 'yaml'
import { UsageError } from '../usage-error.ts'
import { placeAt, type TextFile } from './text-file.ts'

/** A document of a file that is a map, as a tree that knows where everything stands. */
export interface ManifestMap {
  readonly file: TextFile
  readonly map: YAMLMap
  readonly document: Document
}

/** A Kubernetes object in a file. */
export interface ManifestObject extends ManifestMap {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** What a typed list says of its items, where they do not say it themselves. */
  readonly typed: { readonly kind?: string; readonly apiVersion?: unknown }
}

/** `ConfigMap openshift-config/cloud-provider-config`. */
export function titleOf({ kind, namespace, name }: ManifestObject): string {
  return [kind, namespace === '' ? name : `${namespace}/${name}`].filter((part) => part !== '').join(' ')
}

/** The titles of some objects, and of many only the first. */
export function titlesOf(objects: readonly ManifestObject[], atMost = 10): string {
  const titles = objects.slice(0, atMost).map(titleOf).join(', ')
  return objects.length > atMost ? `${titles} and ${objects.length - atMost} more` : titles
}

/** The object as plain values. */
export function plainObjectOf(object: ManifestObject): object {
  return { ...object.typed, ...(plainOf(object) as object) } // its root is a map
}

/** A map as plain values, or a complaint where its aliases cannot be followed. */
export function plainOf({ map, document, file }: ManifestMap): unknown {
  try {
    return map.toJS(document, { maxAliasCount: 100 })
  } catch {
    const place = placeAt(file, map.range?.[0] ?? 0)
    throw new UsageError(`${place}: an alias below has no anchor, or there are too many aliases.`)
  }
}
