import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, visit, type YAMLMap } from 'yaml'
import type { ManifestObject } from '../cli/cloud-config/manifest-objects.ts'
import { UsageError } from '../cli/io.ts'
import { yamlTrouble } from '../cloud-config/yaml-document.ts'
import { tooDeepAt } from '../yaml-nesting.ts'
import { usualNamespace } from './namespaces.ts'
import type { TextFile } from './text-file.ts'

/** A Kubernetes object in a file. */
export interface LintObject extends ManifestObject {
  readonly file: TextFile
  /** What a typed list says of its items, where they do not say it themselves. */
  readonly typed: { readonly kind?: string; readonly apiVersion?: unknown }
}

/** A document that is a map and no Kubernetes object. */
export interface LintMap {
  readonly file: TextFile
  readonly map: YAMLMap
  readonly document: Document
}

/** The documents of a text that may be YAML. */
export interface Documents {
  readonly objects: readonly LintObject[]
  readonly maps: readonly LintMap[]
  /** The first place that is no YAML, and why. */
  readonly error?: { readonly offset: number; readonly message: string }
  /** The first key that stands twice in one map, which no API server takes. */
  readonly repeatedKey?: { readonly offset: number; readonly message: string }
}

export function documentsOf(file: TextFile): Documents {
  const deep = tooDeepAt(file.text, deepest)
  if (deep !== undefined) {
    const { line, column } = file.at(deep)
    throw new UsageError(`${file.name}:${line}:${column}: nested too deeply.`)
  }
  const documents = [
    ...parseAllDocuments(file.text, {
      prettyErrors: false,
      merge: true,
      // A warning of the parser would go straight to stderr, text and all.
      logLevel: 'error',
      // The parser's own look for repeated keys takes minutes for a megabyte of them.
      uniqueKeys: false,
    }),
  ]
  const objects: LintObject[] = []
  const maps: LintMap[] = []
  for (const document of documents) {
    const { contents } = document
    if (!isMap(contents)) continue
    if (isObject(contents)) objects.push(...objectsIn(contents, document, file, {}))
    else maps.push({ file, map: contents, document })
  }
  const [error] = documents.flatMap((document) => document.errors)
  if (error !== undefined) return { objects, maps, error: { offset: error.pos[0], message: yamlTrouble(error.code) } }
  const twice = documents.flatMap(repeatedKeys)[0]
  if (twice === undefined) return { objects, maps }
  return { objects, maps, repeatedKey: { offset: twice, message: 'this key is given twice; remove one of the two' } }
}

/** Where keys stand that their map has already. */
function repeatedKeys(document: Document.Parsed): readonly number[] {
  const offsets: number[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        // Each key that merges another map has a value of its own.
        if (!isScalar(key)) continue
        if (seen.has(key.value)) offsets.push(key.range?.[0] ?? 0)
        seen.add(key.value)
      }
    },
  })
  return offsets
}

/** The plain value of a part of a document, or a complaint where its aliases cannot be followed. */
export function plainOf({ map, document, file }: LintMap): unknown {
  try {
    return map.toJS(document, { maxAliasCount: 100 })
  } catch {
    const { line, column } = file.at(map.range?.[0] ?? 0)
    throw new UsageError(`${file.name}:${line}:${column}: an alias below has no anchor, or there are too many aliases.`)
  }
}

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

function isObject(node: YAMLMap): boolean {
  return textAt(node, 'kind') !== '' && ['apiVersion', 'metadata', 'items'].some((key) => node.has(key))
}

function objectsIn(map: YAMLMap, document: Document, file: TextFile, typed: LintObject['typed']): LintObject[] {
  const kind = textAt(map, 'kind') || (typed.kind ?? '')
  const items = map.get('items')
  if (isSeq(items) && kind.endsWith('List')) {
    const own = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion: map.get('apiVersion') }
    return items.items.flatMap((item) => {
      const target = isAlias(item) ? item.resolve(document) : item
      return isMap(target) ? objectsIn(target, document, file, own) : []
    })
  }
  const name = textAt(map, 'metadata', 'name')
  const namespace = textAt(map, 'metadata', 'namespace') || usualNamespace(kind, name)
  return [{ kind, namespace, name, map, document, file, typed }]
}

export function textAt(map: YAMLMap, ...path: readonly string[]): string {
  const value: unknown = map.getIn(path)
  return typeof value === 'string' ? value : ''
}
