import { type Document, isMap, isSeq, LineCounter, parseAllDocuments, type YAMLMap } from 'yaml'
import { tooDeepAt } from '../../yaml-nesting.ts'
import { UsageError } from '../io.ts'

/** A Kubernetes object in a file, as a tree that knows where everything stands. */
export interface ManifestObject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly map: YAMLMap
  readonly document: Document
}

/** `ConfigMap openshift-config/cloud-provider-config`. */
export function titleOf({ kind, namespace, name }: ManifestObject): string {
  return [kind, namespace === '' ? name : `${namespace}/${name}`].filter((part) => part !== '').join(' ')
}

/** The object as plain values. */
export function jsOf(object: ManifestObject): unknown {
  try {
    return object.map.toJS(object.document, { maxAliasCount: 100 })
  } catch (error) {
    // Thrown for an alias without anchor, and for aliases that multiply without end.
    if (error instanceof ReferenceError) throw new UsageError(`${titleOf(object)}: its aliases cannot be followed.`)
    throw error
  }
}

/** The titles of some objects, and of many only the first. */
export function titlesOf(objects: readonly ManifestObject[]): string {
  const titles = objects.slice(0, 10).map(titleOf)
  return [...titles, ...(objects.length > 10 ? [`and ${objects.length - 10} more`] : [])].join(', ')
}

/**
 * The objects of a file, YAML or JSON, one or several documents, Lists opened. Nothing where the text is no manifest,
 * which is how a bare cloud configuration looks from here.
 */
export function manifestObjects(text: string, file: string): readonly ManifestObject[] | undefined {
  if (!/(?:^|[\s{,])["']?kind["']?\s*:/.test(text) || tooDeepAt(text, deepest) !== undefined) return undefined
  const lines = new LineCounter()
  // The parser's own look for repeated keys takes a quarter of a minute for a megabyte of them.
  const documents = [...parseAllDocuments(text, { prettyErrors: false, uniqueKeys: false, lineCounter: lines })]
  if (!documents.some((document) => isObject(document.contents))) return undefined
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0])
      // Only the kind of error: the parser's own words quote the text, which may be a password.
      throw new UsageError(`${file}:${line}:${col}: not YAML: ${error.code.toLowerCase().replaceAll('_', ' ')}.`)
    }
    return mapsIn(document.contents).map((map) => ({
      kind: textAt(map, 'kind'),
      namespace: textAt(map, 'metadata', 'namespace'),
      name: textAt(map, 'metadata', 'name'),
      map,
      document,
    }))
  })
}

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

function isObject(node: unknown): node is YAMLMap {
  return isMap(node) && textAt(node, 'kind') !== '' && ['apiVersion', 'metadata', 'items'].some((key) => node.has(key))
}

function mapsIn(node: unknown): readonly YAMLMap[] {
  if (!isObject(node)) return []
  const items = node.get('items')
  return isSeq(items) && textAt(node, 'kind').endsWith('List') ? items.items.flatMap(mapsIn) : [node]
}

function textAt(map: YAMLMap, ...path: readonly string[]): string {
  const value = map.getIn(path)
  return typeof value === 'string' ? value : ''
}
