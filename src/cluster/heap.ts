import type { Part, Read } from '../framework/context.ts'
import { pathText } from '../path-text.ts'
import { groupOf, type Manifest, type ManifestOf, manifest } from './manifests.ts'
import { named, type Place } from './places.ts'

/** An object as it stands in a file or an answer, and what to call the place in a message. */
export interface FoundObject {
  readonly object: unknown
  readonly where: string
  /** The line of what stands at a path inside of it, where that can be told. */
  lineOf?(path: readonly PropertyKey[]): number | undefined
}

export type NotRead = Exclude<Read<never>, { readonly state: 'read' }>

type Kind = Manifest['kind']

interface Failure {
  readonly kind: Kind
  /** Of the object, as far as that is known. */
  readonly place: Place | undefined
  readonly why: NotRead
}

interface Kept {
  readonly manifest: Manifest
  readonly where: string
}

/**
 * The objects of one reading, cut down to what we look at while they come in, and why others are missing. Of two objects
 * of the same name the last wins.
 */
export class ObjectHeap {
  /** What a person should know about objects that were dropped. */
  readonly notes: string[] = []
  /** Where the objects come from: "There is no Node in …". */
  readonly place: string
  readonly #kept = new Map<Kind, Map<string, Kept>>()
  /** By kind, or by kind and place. */
  readonly #failures = new Map<string, Failure>()
  readonly #remedy: string
  readonly #listed = new Set<Kind>()

  /** The remedy is what to do about an object that is malformed. */
  constructor(place: string, remedy = '') {
    this.place = place
    this.#remedy = remedy === '' ? '' : ` ${remedy}`
  }

  /** Whether there is an object of this kind that was understood. */
  has(kind: Kind): boolean {
    return (this.#kept.get(kind)?.size ?? 0) > 0
  }

  /** Keeps an object if it is of a kind we look at. Returns what is wrong with it. */
  add({ object, where, lineOf }: FoundObject): readonly string[] {
    const kind = kindOf(object)
    if (kind === undefined) return []
    const parsed = manifest.safeParse(object)
    if (parsed.success) {
      this.#keep({ manifest: parsed.data, where })
      return []
    }
    const [issue] = parsed.error.issues
    const path = issue?.path ?? []
    const line = lineOf?.(path)
    const place = placeOf(object)
    const what = place === undefined ? kind : `${kind} ${shortName(place)}`
    const at = line === undefined ? where : `${where}:${line}`
    const why = `${at}: ${what} is malformed at ${pathText(path)}: ${issue?.message}.${this.#remedy}`
    this.fail(kind, place, { state: 'unreadable', why })
    return [why]
  }

  /**
   * Remembers why an object cannot be had; without a name all of a namespace, without a place the whole kind. The first
   * reason stands.
   */
  fail(kind: Kind, place: Place | undefined, why: NotRead): void {
    const key = place === undefined ? kind : `${kind} ${named(place)}`
    if (!this.#failures.has(key)) this.#failures.set(key, { kind, place, why })
  }

  /** Says that every object of this kind has been added: none, then, is an answer. */
  complete(kind: Kind): void {
    this.#listed.add(kind)
  }

  /** Drops what is known of a kind, before it is read again from the start. */
  forget(kind: Kind): void {
    this.#kept.delete(kind)
  }

  /** All objects of a kind; one that is malformed makes the list unreadable. */
  list<K extends Kind, T>(kind: K, project: (manifest: ManifestOf<K>) => T): Read<readonly T[]> {
    const [failure] = this.#failuresOf(kind)
    if (failure !== undefined) return failure.why
    const value = this.#seen(kind, project)
    return value.length === 0 && !this.#listed.has(kind) ? this.#absent(kind) : { state: 'read', value }
  }

  /** What is known of a kind whose list is unreadable: whom we saw, whom we saw badly, and whether there may be more. */
  part<K extends Kind, T>(kind: K, project: (manifest: ManifestOf<K>) => T): Part<T> | undefined {
    const seen = this.#seen(kind, project)
    // Of one that was also read well, nobody knows which of the two is true.
    const isNamed = ({ place }: Failure) =>
      place !== undefined && place.name !== '' && this.#kept.get(kind)?.has(named(place)) !== true
    const failures = this.#failuresOf(kind)
    const malformed = new Map(failures.filter(isNamed).map(({ place, why }) => [place?.name ?? '', why.why]))
    if (seen.length === 0 && malformed.size === 0) return undefined
    const [more, ...others] = failures.filter((failure) => !isNamed(failure))
    const rest = others.length === 0 ? '' : ` And ${others.length} more like this.`
    return { seen, malformed, ...(more === undefined ? {} : { mayBeMore: `${more.why.why}${rest}` }) }
  }

  one<K extends Kind, T>(kind: K, place: Place, project: (manifest: ManifestOf<K>) => T): Read<T> {
    const kept = this.#kept.get(kind)?.get(named(place))
    if (kept !== undefined) return { state: 'read', value: project(kept.manifest as ManifestOf<K>) } // kept by kind
    const failure = [place, { ...place, name: '' }].map((where) => this.#failures.get(`${kind} ${named(where)}`))
    return (
      failure[0]?.why ?? failure[1]?.why ?? this.#failures.get(kind)?.why ?? this.#absent(`${kind} ${shortName(place)}`)
    )
  }

  #failuresOf(kind: Kind): readonly Failure[] {
    return [...this.#failures.values()].filter((failure) => failure.kind === kind)
  }

  #seen<K extends Kind, T>(kind: K, project: (manifest: ManifestOf<K>) => T): readonly T[] {
    const kept = [...(this.#kept.get(kind)?.values() ?? [])]
    return kept.map(({ manifest }) => project(manifest as ManifestOf<K>)) // kept by kind
  }

  #absent(what: string): NotRead {
    return { state: 'absent', why: `There is no ${what} in ${this.place}.` }
  }

  #keep(kept: Kept): void {
    const { kind, metadata } = kept.manifest
    const ofKind = this.#kept.get(kind) ?? new Map<string, Kept>()
    const before = ofKind.get(named(metadata))
    if (before !== undefined && JSON.stringify(before.manifest) !== JSON.stringify(kept.manifest)) {
      this.notes.push(
        `${kind} ${shortName(metadata)} is in ${before.where} and, different, in ${kept.where}: the latter is used`,
      )
    }
    this.#kept.set(kind, ofKind.set(named(metadata), kept))
  }
}

/** The namespace only where there is one. */
function shortName(place: Place): string {
  return place.namespace === '' ? place.name : named(place)
}

/** The kind of an object that we look at. Without an apiVersion the kind is trusted. */
function kindOf(object: unknown): Kind | undefined {
  if (typeof object !== 'object' || object === null || !('kind' in object)) return undefined
  const { kind } = object
  if (typeof kind !== 'string' || !Object.hasOwn(groupOf, kind)) return undefined
  const known = kind as Kind // an own key of groupOf
  if (!('apiVersion' in object) || typeof object.apiVersion !== 'string') return known
  const group = object.apiVersion.includes('/') ? object.apiVersion.split('/')[0] : ''
  return group === groupOf[known] ? known : undefined
}

/** What a malformed object calls itself, as far as it can be told. */
function placeOf(object: unknown): Place | undefined {
  const metadata = typeof object === 'object' && object !== null && 'metadata' in object ? object.metadata : undefined
  if (typeof metadata !== 'object' || metadata === null || !('name' in metadata)) return undefined
  const namespace = 'namespace' in metadata && typeof metadata.namespace === 'string' ? metadata.namespace : ''
  return typeof metadata.name === 'string' ? { namespace, name: metadata.name } : undefined
}
