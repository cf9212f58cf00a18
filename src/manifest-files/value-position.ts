import type { Position } from '../cloud-config/index.ts'
import type { ManifestValue } from './manifest-values.ts'

/** Tells where a position of the value lies in the file. Only a literal block (`|`) keeps line and column. */
export function positionsInFile({
  node,
  object,
  isBase64,
}: ManifestValue): ((position: Position) => Position) | undefined {
  if (node.type !== 'BLOCK_LITERAL' || isBase64 || node.range == null) return undefined
  const [start, end] = node.range
  const { text } = object.file
  const header = text.slice(0, start).split('\n').length
  const [, ...lines] = text.slice(start, end).split('\n')
  const indent = indentOf(lines, String(node.value).split('\n'))
  return ({ line, column }) => ({ line: header + line, column: indent + column })
}

/** What the lines of the file have in front of those of the value. */
function indentOf(inFile: readonly string[], inValue: readonly string[]): number {
  const at = inFile.findIndex((line) => line.trim() !== '')
  const blanks = (text: string | undefined) => /^ */.exec(text ?? '')?.[0].length ?? 0
  return at === -1 ? 0 : blanks(inFile[at]) - blanks(inValue[at])
}
