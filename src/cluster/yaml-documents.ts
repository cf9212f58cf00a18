import { Composer, type Document, Lexer, LineCounter, Parser } from 'yaml'

/** Thrown for a text that would need more of the stack than there may be. */
export class NestedTooDeeply extends Error {
  override readonly name = 'NestedTooDeeply'
}

export interface ParsedDocument {
  readonly document: Document
  /** What is wrong with it, if anything: the line, from 1, and a word for it. Nothing of the text, which may be secret. */
  readonly flaw?: { readonly line: number; readonly code: string }
}

/** The documents of a YAML text, one after the other, in one pass that never builds what is nested too deeply. */
export function* documentsIn(text: string, deepest: number): Generator<ParsedDocument> {
  const lines = new LineCounter()
  lines.addNewLine(0)
  const parser = new Parser(lines.addNewLine)
  const composer = new Composer()
  const withFlaw = (document: Document): ParsedDocument => {
    const [error] = document.errors
    return error === undefined
      ? { document }
      : { document, flaw: { line: lines.linePos(error.pos[0]).line, code: error.code } }
  }
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) for (const document of composer.next(token)) yield withFlaw(document)
    if (parser.stack.length > deepest) throw new NestedTooDeeply()
  }
  for (const token of parser.end()) for (const document of composer.next(token)) yield withFlaw(document)
  for (const document of composer.end()) yield withFlaw(document)
}
