import type { Position } from '../cloud-config/index.ts'
import { positionsIn } from '../cloud-config/text.ts'

/** A file that holds text, and the line and column of every offset in it. */
export interface TextFile {
  readonly name: string
  readonly text: string
  readonly at: (offset: number) => Position
}

export function textFile(name: string, text: string): TextFile {
  return { name, text, at: positionsIn(text) }
}

/** `file.yaml:3:5`. */
export function placeAt({ name, at }: TextFile, offset: number): string {
  const { line, column } = at(offset)
  return `${name}:${line}:${column}`
}
