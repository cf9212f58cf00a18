import {
  type Alias,
  Composer,
  type CST,
  type Document,
  type ErrorCode,
  isAlias,
  isCollection,
  isPair,
  isScalar,
  Lexer,
  type Node,
  Parser,
  type YAMLParseError,
} from 'yaml'
import { Refusal } from './text.ts'
import { refuseControlCharacters } from './yaml-text.ts'

export interface YamlDocument {
  readonly root: Node | null
  /** Follows an alias to the node it stands for; any other node is itself. */
  readonly target: (node: Node | null) => Node | null
  /** Offset of text that follows the first document and is never read. */
  readonly unreadFrom?: number
}

// A token costs some microseconds, and a configuration of hundreds of vCenters has a few thousand of them.
const maxTokens = 50_000

/** The first document of a text as a tree of nodes with offsets. */
export function parseYaml(text: string): YamlDocument {
  refuseControlCharacters(text)
  const bracket = firstSignificant(text)
  // Spares INI files the YAML parser. A bracket here opens a list, or a key that is one; neither can be a configuration.
  if (text[bracket] === '[')
    throw new Refusal(bracket, 'a list begins where the keys global, vcenter, labels are expected')
  const { document, next } = composeFirst(text)
  const root = asNode(document.contents)
  const [error] = document.errors
  if (error !== undefined && !isAfterFlowRoot(root, error)) throw new Refusal(error.pos[0], yamlTrouble(error.code))
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.1')
    throw new Refusal(0, 'the cloud provider reads YAML 1.1 only; remove the %YAML line')
  const unread = next ?? error?.pos[0]
  return { root, target: aliasTargets(root), ...(unread !== undefined && { unreadFrom: unread }) }
}

/** The reference stops reading at the brace that closes the document, so that nothing behind it can be wrong. */
const isAfterFlowRoot = (root: Node | null, { code, pos }: YAMLParseError): boolean =>
  isCollection(root) && root.flow === true && code === 'UNEXPECTED_TOKEN' && pos[0] >= (root.range?.[1] ?? 0)

function firstSignificant(text: string): number {
  let at = 0
  for (;;) {
    while (text[at] === ' ' || text[at] === '\n' || text[at] === '\t') at++
    if (text[at] !== '#') return at
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end
  }
}

function composeFirst(text: string): { document: Document; next: number | undefined } {
  const tokens: CST.Token[] = []
  try {
    const next = readTokens(text, tokens)
    const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
    for (const document of composer.compose(tokens, true, text.length)) return { document, next }
  } catch (error) {
    if (error instanceof Refusal) throw error
    // The parser reports trouble as values; what it throws is a stack that is used up, or a defect of its own.
    throw new Refusal(0, 'the YAML parser gives up on this text, probably because it is nested too deeply')
  }
  throw new Refusal(0, 'there is no document')
}

/** Collects the tokens of the first document; returns where the next one begins. */
function readTokens(text: string, tokens: CST.Token[]): number | undefined {
  const parser = new Parser()
  let count = 0
  let hasDocument = false
  const take = (token: CST.Token): boolean => {
    if (hasDocument && (token.type === 'document' || token.type === 'directive')) return false
    hasDocument ||= token.type === 'document'
    tokens.push(token)
    return token.type !== 'error'
  }
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > maxTokens)
      throw new Refusal(offset, `there are more than ${maxTokens} YAML tokens, far more than a configuration needs`)
    refuseManyBadEscapes(lexeme, offset)
    for (const token of parser.next(lexeme)) if (!take(token)) return token.type === 'error' ? undefined : token.offset
    offset += lexeme.length
  }
  for (const token of parser.end()) if (!take(token)) return token.type === 'error' ? undefined : token.offset
  return undefined
}

/** The parser makes a long report of each of them. A few are told in their turn, with whatever else is wrong. */
function refuseManyBadEscapes(lexeme: string, offset: number): void {
  if (!lexeme.startsWith('"')) return
  let first: number | undefined
  let count = 0
  for (let at = lexeme.indexOf('\\'); at !== -1; at = lexeme.indexOf('\\', at + 2)) {
    if (goodEscapes.includes(lexeme[at + 1] ?? '')) continue
    first ??= at
    if (++count > 100) throw new Refusal(offset + first, yamlTrouble('BAD_DQ_ESCAPE'))
  }
}

/** What may follow a backslash between double quotes; after x, u and U more is needed, but that is no matter here. */
const goodEscapes = '0abefnrtvN_LP "/\\xuU\t\r\n'

/** Anchors count from where they stand, so that an alias means the last anchor of its name before it. */
function aliasTargets(root: Node | null): (node: Node | null) => Node | null {
  const anchors = new Map<string, Node>()
  const targets = new Map<Alias, Node>()
  const open: unknown[] = [root]
  while (open.length > 0) {
    const node = open.pop()
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target === undefined)
        throw new Refusal(
          node.range?.[0] ?? 0,
          'an alias (a value starting with *) has no anchor; quote the value if it is text',
        )
      targets.set(node, target)
    } else if (isPair(node)) {
      open.push(node.value, node.key)
    } else if (isScalar(node) || isCollection(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      if (isCollection(node)) for (let i = node.items.length - 1; i >= 0; i--) open.push(node.items[i])
    }
  }
  return (node) => (isAlias(node) ? (targets.get(node) ?? null) : node)
}

// The composer builds nothing but nodes and null; its types also allow for values put in by hand.
export const asNode = (value: unknown): Node | null =>
  isScalar(value) || isCollection(value) || isAlias(value) ? (value as Node) : null

/** What the parser stumbled over. */
export const yamlTrouble = (code: ErrorCode): string => syntaxTroubles[code] ?? 'this is not YAML'

/** In our own words, because the parser's messages quote the text, which may be a password. */
const syntaxTroubles: Partial<Record<ErrorCode, string>> = {
  ALIAS_PROPS: 'an alias cannot have an anchor or a tag',
  BAD_ALIAS: 'an alias needs a name; quote the value if it starts with *',
  BAD_DIRECTIVE: 'a line starting with % is not a known directive',
  BAD_DQ_ESCAPE: 'an unknown escape between double quotes; write a backslash as \\\\ or use single quotes',
  BAD_INDENT: 'the indentation does not fit the lines above',
  BAD_SCALAR_START: 'a plain value cannot start with this character; put the value in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second "key: value" on one line; put a value that contains ": " in quotes',
  BLOCK_IN_FLOW: 'an indented list or map cannot stand inside brackets or braces',
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters',
  MISSING_CHAR: 'a quote, bracket, brace, comma, colon or blank is missing here',
  MULTILINE_IMPLICIT_KEY: 'a key goes over several lines; is a colon missing?',
  TAB_AS_INDENT: 'a tab cannot indent YAML; use spaces',
  UNEXPECTED_TOKEN: 'this does not belong here; is a quote, a colon or a line break missing before it?',
}
