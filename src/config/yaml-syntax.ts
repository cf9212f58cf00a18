import type { YAMLError } from 'yaml'

/** What is wrong with the YAML, in our own words: the parser's may quote the text, and the text may hold a password. */
export function syntaxProblem({ code, message }: YAMLError): string {
  return known[code] ?? `is not valid YAML: ${harmless.has(code) ? message : 'this does not fit what stands before it'}`
}

/** The parser says where a repeated key begins, not what it is. */
export function duplicateKey(text: string, offset: number): string {
  const name = /^["']?([\w.-]{1,80})/.exec(text.slice(offset, offset + 100))?.[1]
  return `the key${name === undefined ? '' : ` "${name}"`} is given twice in one mapping; keep one of them`
}

const known: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a second YAML document begins here; keep all settings in one and remove the "---"',
  NON_STRING_KEY: 'a key must be plain text',
  TAB_AS_INDENT: 'a tab indents this line, which YAML does not allow; use spaces',
  TAG_RESOLVE_FAILED: 'tags such as "!name" are not supported; write the plain value',
  BLOCK_AS_IMPLICIT_KEY:
    'is not valid YAML: a mapping begins inside a value; check the indentation, or quote the value',
  MULTILINE_IMPLICIT_KEY: 'is not valid YAML: a line without "key:" stands here',
}

/** Codes whose messages are fixed sentences. */
const harmless: ReadonlySet<string> = new Set(['BAD_INDENT', 'BAD_SCALAR_START', 'MISSING_CHAR', 'BLOCK_IN_FLOW'])
