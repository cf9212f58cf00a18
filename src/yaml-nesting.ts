import { Lexer, Parser } from 'yaml'

/**
 * The offset at which a YAML text is nested too deeply, if it is. To be asked before composing it: the composer calls
 * itself for every level, and a few kilobytes of brackets end the process in a way that cannot be caught.
 * The parser counts up to two levels for each that a person would.
 */
export function tooDeepAt(text: string, deepest: number): number | undefined {
  const parser = new Parser()
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > deepest) return parser.offset
  }
  return undefined
}
