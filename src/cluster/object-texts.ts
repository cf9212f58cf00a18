import { parseAllDocuments } from 'yaml'
import { tooDeepAt } from '../yaml-nesting.ts'
import type { FoundObject } from './heap.ts'
import { groupOf } from './manifests.ts'

export interface FoundText {
  readonly objects: FoundObject[]
  /** What is no YAML in it. No problem quotes the text, which may hold passwords. */
  readonly problems: string[]
}

/** The objects of one file: YAML or JSON, single, several documents or Lists. */
export function objectsIn(text: string, where: string): FoundText {
  if (looksLikeJson(text)) {
    try {
      return { objects: expanded(JSON.parse(text), where), problems: [] }
    } catch {
      // YAML says where it is broken, and flow style looks like JSON and is none.
    }
  }
  if (tooDeepAt(text, deepest) !== undefined)
    return { objects: [], problems: [`${where}: passed over, nested too deeply`] }
  const objects: FoundObject[] = []
  const problems: string[] = []
  for (const document of parseAllDocuments(text)) {
    const [error] = document.errors
    if (error !== undefined) {
      problems.push(`${where}:${error.linePos?.[0].line ?? 1}: passed over, not YAML (${error.code})`)
      continue
    }
    try {
      objects.push(...expanded(document.toJS({ maxAliasCount: 100 }), where))
    } catch {
      problems.push(`${where}: passed over, not YAML (an alias without its anchor, or too many aliases)`)
    }
  }
  return { objects, problems }
}

/**
 * Whether a text can hold an object we look at. Most files of a must-gather do not, and finding that out by parsing them
 * takes minutes.
 */
export function mentionsOurKinds(text: string): boolean {
  return ourKinds.test(text)
}

const ourKinds = new RegExp(`\\bkind["']?\\s*:\\s*["']?(${Object.keys(groupOf).join('|')})(List)?\\b`)

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

function looksLikeJson(text: string): boolean {
  return /^\s*[{[]/.test(text)
}

/** A List is its items; those of a typed one, such as a NodeList, need not repeat what they are. */
function expanded(object: unknown, where: string): FoundObject[] {
  if (!isList(object)) return [{ object, where }]
  const kind = typeof object.kind === 'string' && object.kind !== 'List' ? object.kind.replace(/List$/, '') : undefined
  const typed = kind === undefined ? {} : { kind, apiVersion: object.apiVersion }
  return object.items.map((item) => ({ object: isObject(item) ? { ...typed, ...item } : item, where }))
}

function isList(object: unknown): object is { items: readonly unknown[]; kind?: unknown; apiVersion?: unknown } {
  return isObject(object) && 'items' in object && Array.isArray(object.items)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
