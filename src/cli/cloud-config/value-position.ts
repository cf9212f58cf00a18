import type { Position } from '../../cloud-config/index.ts'
import type { ManifestValue } from './located.ts'

/** Where a position of the value lies in the file. Only a literal block (`|`) keeps line and column. */
export function positionInFile(
  { node, fileText, isBase64 }: Pick<ManifestValue, 'node' | 'fileText' | 'isBase64'>,
  { line, column }: Position,
): Position | undefined {
  if (node.type !== 'BLOCK_LITERAL' || isBase64 || node.range == null) return undefined
  const [start, end] = node.range
  const headerLine = fileText.slice(0, start).split('\n').length
  const [, ...lines] = fileText.slice(start, end).split('\n')
  return { line: headerLine + line, column: indentOf(lines, String(node.value).split('\n')) + column }
}

/** What the lines of the file have in front of those of the value. */
function indentOf(inFile: readonly string[], inValue: readonly string[]): number {
  const at = inFile.findIndex((line) => line.trim() !== '')
  const blanks = (text: string | undefined) => /^ */.exec(text ?? '')?.[0].length ?? 0
  return at === -1 ? 0 : blanks(inFile[at]) - blanks(inValue[at])
}
