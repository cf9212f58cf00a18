import { type Document, isAlias, isMap, isScalar, isSeq, parseAllDocuments, visit, type YAMLMap } from 'yaml'
import { yamlTrouble } from '../cloud-config/yaml-document.ts'
import { tooDeepAt } from '../yaml-nesting.ts'
import type { ManifestMap, ManifestObject } from './manifest-objects.ts'
import type { TextFile } from './text-file.ts'

/** The documents of a text that may be YAML or JSON. */
export interface Documents {
  /** Whether any is a Kubernetes object, be it an empty List. */
  readonly isManifest: boolean
  /** Lists are opened. */
  readonly objects: readonly ManifestObject[]
  /** Documents that are maps and no Kubernetes objects. */
  readonly maps: readonly ManifestMap[]
  /** Where the text is nested so deeply that nothing of it was read. */
  readonly tooDeepAt?: number
  /** The first place that is no YAML, and why. */
  readonly error?: Trouble
  /** The first key that stands twice in one map, which no API server takes. */
  readonly repeatedKey?: Trouble
}

interface Trouble {
  readonly offset: number
  readonly message: string
}

export function documentsOf(file: TextFile): Documents {
  const deep = tooDeepAt(file.text, deepest)
  if (deep !== undefined) return { isManifest: false, objects: [], maps: [], tooDeepAt: deep }
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
  const all = documents.flatMap((document): ManifestMap[] => {
    const { contents: map } = document
    return isMap(map) ? [{ file, map, document }] : []
  })
  const manifests = all.filter(({ map }) => isObject(map))
  const found = {
    isManifest: manifests.length > 0,
    objects: manifests.flatMap((root) => objectsIn(root, {})),
    maps: all.filter(({ map }) => !isObject(map)),
  }
  const [error] = documents.flatMap((document) => document.errors)
  // In our own words: those of the parser quote the text, which may be a password.
  if (error !== undefined) return { ...found, error: { offset: error.pos[0], message: yamlTrouble(error.code) } }
  const [twice] = documents.flatMap(repeatedKeys)
  if (twice === undefined) return found
  return { ...found, repeatedKey: { offset: twice, message: 'this key is given twice; remove one of the two' } }
}

/** The deepest objects of a cluster, definitions of custom resources, need some 50 levels. */
const deepest = 500

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

function isObject(node: YAMLMap): boolean {
  return textAt(node, 'kind') !== '' && ['apiVersion', 'metadata', 'items'].some((key) => node.has(key))
}

function objectsIn({ file, map, document }: ManifestMap, typed: ManifestObject['typed']): readonly ManifestObject[] {
  const kind = textAt(map, 'kind') || (typed.kind ?? '')
  const items = map.get('items')
  if (isSeq(items) && kind.endsWith('List')) {
    const own = kind === 'List' ? {} : { kind: kind.slice(0, -'List'.length), apiVersion: map.get('apiVersion') }
    return items.items.flatMap((item) => {
      const target = isAlias(item) ? item.resolve(document) : item
      return isMap(target) ? objectsIn({ file, map: target, document }, own) : []
    })
  }
  const [namespace, name] = [textAt(map, 'metadata', 'namespace'), textAt(map, 'metadata', 'name')]
  return [{ kind, namespace, name, map, document, file, typed }]
}

function textAt(map: YAMLMap, ...path: readonly string[]): string {
  const value: unknown = map.getIn(path)
  return typeof value === 'string' ? value : ''
}
