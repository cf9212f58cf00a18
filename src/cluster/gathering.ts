import { setImmediate } from 'node:timers/promises'
import type { FurtherKind } from '../framework/kube-schema.ts'
import { isManifest } from './files-below.ts'
import { ObjectHeap } from './heap.ts'
import { type Kind, kindsIn, manifestKinds } from './kinds-in-text.ts'
import { type Promised, promisedBy } from './must-gather-path.ts'
import { foundIn } from './object-texts.ts'
import { readingFrom } from './objects.ts'
import { noteOf, type PassedOver, whyMissing } from './passed-over.ts'
import type { GivenPlaces } from './places.ts'
import type { ClusterReading } from './source.ts'

/**
 * What comes out of collected files while they are read. What was passed over is remembered with the kinds it may have
 * held: that an object is not there can only be said where everything was read.
 */
export class Gathering {
  readonly #place: string
  readonly #heap: ObjectHeap
  readonly #notes: string[] = []
  #files = 0
  #breath = performance.now()

  constructor(place: string) {
    this.#place = place
    this.#heap = new ObjectHeap(place, 'Correct it, or collect it again.')
  }

  /** Adds the objects of a file. Lets others have their turn meanwhile. */
  async addFile(path: string, where: string, text: string, signal: AbortSignal): Promise<void> {
    this.#files += 1
    const promised = promisedBy(path)
    if (text.includes('\0')) this.#miss(path, { where, ...noText, kinds: manifestKinds })
    else if (promised !== undefined && promised.kinds.size > 0 && kindsIn(text).size === 0)
      this.#miss(path, { where, ...withoutObject, kinds: promised.kinds })
    for (const found of foundIn(text, where)) {
      if ('because' in found) this.#miss(path, found)
      else this.#notes.push(...this.#heap.add(found))
      if (performance.now() - this.#breath < longestTurnMs) continue
      await setImmediate()
      signal.throwIfAborted()
      this.#breath = performance.now()
    }
  }

  /** Remembers a file, or a folder of files, that was not read. Without kinds it may have held any. */
  passOver(path: string, passed: Omit<PassedOver, 'kinds'> & { readonly kinds?: ReadonlySet<Kind> }): void {
    if (isManifest(path)) this.#files += 1
    this.#miss(path, { kinds: manifestKinds, ...passed })
  }

  /** Remembers a file that was not read and that nothing is missing for. */
  ignore(path: string, passed: Omit<PassedOver, 'kinds'>): void {
    if (isManifest(path)) this.#files += 1
    this.#notes.push(noteOf(passed))
  }

  reading(wanted: ReadonlySet<FurtherKind>, places: GivenPlaces = {}): ClusterReading {
    const nothingFound = this.#whyUseless(places)
    if (nothingFound !== undefined)
      for (const kind of manifestKinds) this.#heap.fail(kind, undefined, { state: 'unreadable', why: nothingFound })
    const reading = readingFrom(this.#heap, { wanted, places })
    return {
      ...reading,
      endpoints: new Map(),
      notes: shortened([...this.#notes, ...reading.notes]),
      ...(nothingFound === undefined ? {} : { nothingFound }),
    }
  }

  #miss(path: string, passed: PassedOver): void {
    this.#notes.push(noteOf(passed))
    const { kinds, namespace }: Promised = promisedBy(path) ?? passed
    const place = namespace === undefined ? undefined : { namespace, name: '' }
    for (const kind of kinds) {
      this.#heap.fail(kind, place, { state: 'unreadable', why: whyMissing(passed, kind) })
    }
  }

  /** What to tell somebody who named the wrong folder. One ConfigMap of somebody else makes it no better. */
  #whyUseless(places: GivenPlaces): string | undefined {
    if ([...manifestKinds].some((kind) => kind !== 'ConfigMap' && kind !== 'Secret' && this.#heap.has(kind)))
      return undefined
    const { cloudConfig, csiConfig, credentialSecrets = [] } = readingFrom(this.#heap, { places })
    const reads = [cloudConfig, csiConfig, ...credentialSecrets.map(({ data }) => data)]
    if (reads.some((read) => read?.state === 'read' || read?.state === 'broken')) return undefined
    const files = `none of its ${this.#files} YAML and JSON files holds one that can be used`
    const seen = this.#files === 0 ? 'it holds no YAML or JSON file' : files
    const [note] = this.#notes
    const hint = note === undefined ? 'Is it the right one?' : `The first of ${this.#notes.length} troubles is ${note}`
    return `${this.#place} has no object that is looked at (Infrastructure, Node, cloud config and others): ${seen}. ${hint}`
  }
}

const noText = { because: 'not text in UTF-8', remedy: 'save it as UTF-8' }

const withoutObject = { because: 'without the object that its name promises', remedy: 'collect it again' }

/** Others, such as somebody who asks whether we are alive, wait no longer than this. */
const longestTurnMs = 20

const notesAtMost = 50

function shortened(notes: readonly string[]): readonly string[] {
  if (notes.length <= notesAtMost) return notes
  return [...notes.slice(0, notesAtMost), `and ${notes.length - notesAtMost} more like these`]
}
