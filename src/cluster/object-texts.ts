import type { FoundObject } from './heap.ts'
import { type Kind, kindsIn } from './kinds-in-text.ts'
import { cutOff, expanded, isObject, itemOf, type LineOf, typedBy } from './lists.ts'
import { noteOf, type PassedOver } from './passed-over.ts'
import { documentsIn, NestedTooDeeply } from './yaml-documents.ts'
import { documentTexts, listParts, type Part } from './yaml-parts.ts'

export interface FoundText {
  readonly objects: FoundObject[]
  readonly problems: string[]
}

/** What {@link foundIn} finds, all at once. */
export function objectsIn(text: string, where: string): FoundText {
  const all = [...foundIn(text, where)]
  return {
    objects: all.filter((found) => 'object' in found),
    problems: all.filter((found) => 'because' in found).map(noteOf),
  }
}

/**
 * The objects of one file, YAML or JSON, single, several documents or Lists, and what of it could not be read. Documents
 * that hold nothing we look at are left out. Nothing quotes the text, which may hold passwords.
 */
export function* foundIn(text: string, where: string): Generator<FoundObject | PassedOver> {
  if (/^\s*[{[]/.test(text)) {
    const json = valueFrom(() => JSON.parse(text))
    if (json !== undefined) return yield* expanded(json.value, where)
    if (text.length > largestPart) return yield { where, ...notJson, kinds: kindsIn(text) }
    // YAML says where it is broken, and flow style looks like JSON and is none.
  }
  for (const document of documentTexts(text)) {
    const kinds = kindsIn(document.text)
    if (kinds.size > 0) yield* inDocument(document, where, kinds)
  }
}

const notJson = { because: 'not JSON', remedy: 'correct it, or collect it again' }

function* inDocument(document: Part, where: string, kinds: ReadonlySet<Kind>): Generator<FoundObject | PassedOver> {
  const list = listParts(document)
  const frame = list && frameOf(list.frame)
  if (list === undefined || frame === undefined) {
    for (const found of valuesIn(document, where, kinds))
      if ('value' in found) yield* expanded(found.value, where, found.lineOf)
      else yield found
    return
  }
  const typed = typedBy(frame)
  for (const item of list.items) {
    const held = typed.kind === undefined ? kindsIn(item.text) : kinds
    if (held.size === 0) continue
    for (const found of valuesIn(item, where, held))
      yield 'value' in found ? itemOf(found.value, typed, where, found.lineOf) : found
  }
  yield* cutOff(frame, where, kinds)
}

/** A list without its items, if that is what it is and nothing is wrong with it. */
function frameOf(text: string): object | undefined {
  const [only, another] = valuesIn({ text, linesBefore: 0 }, '', new Set())
  if (only === undefined || another !== undefined || !('value' in only)) return undefined
  const { value } = only
  return isObject(value) && 'items' in value && value.items === null ? value : undefined
}

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

/** A megabyte takes half a second, and nothing else happens meanwhile. */
const largestPart = 4 * 1024 * 1024

interface Value {
  readonly value: unknown
  /** In the file; absent where nothing is known of lines. */
  readonly lineOf?: LineOf
}

function after(linesBefore: number, line: number | undefined): number | undefined {
  return line === undefined ? undefined : linesBefore + line
}

function* valuesIn(part: Part, where: string, kinds: ReadonlySet<Kind>): Generator<Value | PassedOver> {
  const { text, linesBefore } = part
  const missed = (because: string, line = 1, remedy = 'correct it, or collect it again'): PassedOver => ({
    where: `${where}:${linesBefore + line}`,
    because,
    remedy,
    kinds,
  })
  if (text.length > largestPart) {
    yield missed('more than 4 MiB of YAML that cannot be cut', 1, 'collect it with -o json')
    return
  }
  try {
    for (const { document, flaw, lineOf } of documentsIn(text, deepest)) {
      const value = flaw === undefined ? valueFrom(() => document.toJS({ maxAliasCount: 100 })) : undefined
      if (flaw !== undefined) yield missed(`not YAML (${flaw.code})`, flaw.line)
      else if (value === undefined) yield missed(badAlias)
      else yield { ...value, lineOf: (path) => after(linesBefore, lineOf(path)) }
    }
  } catch (error) {
    if (!(error instanceof NestedTooDeeply)) throw error
    yield missed('nested too deeply')
  }
}

const badAlias = 'not YAML (an alias without its anchor, or too many aliases)'

function valueFrom(parse: () => unknown): Value | undefined {
  try {
    return { value: parse() }
  } catch {
    return undefined
  }
}
