import { Composer, type Document, isCollection, isNode, Lexer, LineCounter, type Node, Parser } from 'yaml'

/** Thrown for a text that would need more of the stack than there may be. */
export class NestedTooDeeply extends Error {
  override readonly name = 'NestedTooDeeply'
}

export interface ParsedDocument {
  readonly document: Document
  /** What is wrong with it, if anything: the line, from 1, and a word for it. Nothing of the text, which may be secret. */
  readonly flaw?: { readonly line: number; readonly code: string }
  /** The line, from 1, of what stands at a path, or else of what it should stand in. */
  lineOf(path: readonly PropertyKey[]): number | undefined
}

/** The documents of a YAML text, one after the other, in one pass that never builds what is nested too deeply. */
export function* documentsIn(text: string, deepest: number): Generator<ParsedDocument> {
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer()
  const withFlaw = (document: Document): ParsedDocument => {
    const [error] = document.errors
    const lineOf = (path: readonly PropertyKey[]) => {
      const start = nodeAt(document, path)?.range?.[0]
      return start === undefined ? undefined : lines.linePos(start).line
    }
    return error === undefined
      ? { document, lineOf }
      : { document, lineOf, flaw: { line: lines.linePos(error.pos[0]).line, code: error.code } }
  }
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) yield withFlaw(document)
    if (parser.stack.length > deepest) throw new NestedTooDeeply()
  }
  for (const token of parser.end()) for (const document of composer.next(token)) yield withFlaw(document)
  for (const document of composer.end()) yield withFlaw(document)
}

/** What stands at a path, or at as much of it as there is. */
function nodeAt({ contents }: Document, path: readonly PropertyKey[]): Node | null {
  let node: Node | null = contents
  for (const step of path) {
    const next: unknown = isCollection(node) ? node.get(step, true) : undefined
    if (!isNode(next)) break
    node = next
  }
  return node
}
