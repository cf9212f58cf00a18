import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml'
import { positionsIn } from '../cloud-config/text.ts'
import { tooDeepAt } from '../yaml-nesting.ts'
import type { Path, Position } from './problems.ts'
import { duplicateKey, syntaxProblem } from './yaml-syntax.ts'
import { mostAliases, tooManyAliases, treeProblems } from './yaml-tree.ts'

/** A YAML text as a value, with what is wrong about it and where everything stands. Never throws. */
export function parseYaml(text: string): ParsedYaml {
  const positionAt = positionsIn(text)
  const broken = (problems: readonly YamlProblem[]): ParsedYaml => ({ problems, positionOf: () => undefined })

  const tooDeep = tooDeepAt(text, deepest)
  if (tooDeep !== undefined) {
    return broken([{ position: positionAt(tooDeep), message: 'is nested too deeply for a settings file' }])
  }
  const document = parseDocument(text, {
    prettyErrors: false,
    resolveKnownTags: false,
    schema: 'core',
    stringKeys: true,
  })
  const duplicates = document.errors.filter((error) => error.code === 'DUPLICATE_KEY')
  const syntax = document.errors.find((error) => error.code !== 'DUPLICATE_KEY')
  const problems = [
    ...duplicates.map(({ pos: [at] }) => ({ at, message: duplicateKey(text, at) })),
    ...document.warnings.map((warning) => ({ at: warning.pos[0], message: syntaxProblem(warning) })),
    // One slip makes the parser stumble several times; only the first place helps.
    ...(syntax === undefined ? [] : [{ at: syntax.pos[0], message: syntaxProblem(syntax) }]),
    ...(syntax === undefined ? treeProblems(document) : []),
  ].map(({ at, message }) => ({ position: positionAt(at), message }))

  const onlyDuplicates = problems.length === duplicates.length
  if (!onlyDuplicates) return broken(problems)
  try {
    const value: unknown = document.toJS({ maxAliasCount: mostAliases })
    return { value, problems, positionOf: (path) => positionIn(document, path, positionAt) }
  } catch {
    return broken([{ position: { line: 1, column: 1 }, message: tooManyAliases }])
  }
}

/** Settings need about 6 levels. */
const deepest = 60

export interface ParsedYaml {
  /** Absent where the text is no YAML; null where it is empty. */
  readonly value?: unknown
  readonly problems: readonly YamlProblem[]
  /** Of the key or list item, or of the nearest thing around it that is there. */
  positionOf(path: Path): Position | undefined
}

export interface YamlProblem {
  readonly position: Position
  readonly message: string
}

function positionIn(document: Document, path: Path, positionAt: (offset: number) => Position): Position | undefined {
  let node: unknown = document.contents
  let offset = isNode(node) ? node.range?.[0] : undefined
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.findLast((item) => isScalar(item.key) && item.key.value === key)
      if (pair === undefined) break
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset
      node = pair.value
    } else if (isSeq(node) && typeof key === 'number') {
      const item = node.items[key]
      if (!isNode(item)) break
      offset = item.range?.[0] ?? offset
      node = item
    } else break
  }
  return offset === undefined ? undefined : positionAt(offset)
}
