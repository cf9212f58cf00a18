/** A text inside a text that can be read by itself. */
export interface Part {
  readonly text: string
  /** How many lines come before it. */
  readonly linesBefore: number
}

/**
 * The documents of a YAML text. A line that begins with `---` and a blank begins a document wherever it stands, even in
 * the middle of a quoted text.
 */
export function* documentTexts(text: string): Generator<Part> {
  // A directive belongs to the document after the marker that follows it.
  if (/(?:^|\n)%/.test(text)) yield { text, linesBefore: 0 }
  else yield* cutAt(text, /\n(?=---(?:[ \t\r\n]|$))/g, 0)
}

export interface ListParts {
  /** The List without its items. */
  readonly frame: string
  readonly items: Iterable<Part>
}

/**
 * The items of a List as `kubectl get -o yaml` prints it, so that no more than one of them has to be parsed at a time.
 * Undefined where the text is of another make.
 */
export function listParts({ text, linesBefore }: Part): ListParts | undefined {
  const [key, another] = text.matchAll(/(?:^|\n)items:[ \t]*\r?\n/g)
  if (key === undefined || another !== undefined || anchor.test(text)) return undefined
  const start = key.index + key[0].length
  const indent = /^( *)- /.exec(text.slice(start, start + 100))?.[1]
  if (indent === undefined) return undefined
  const end = nextKey(text, start)
  const items = text.slice(start, end)
  return {
    frame: text.slice(0, start) + text.slice(end),
    items: withoutDash(
      cutAt(items, new RegExp(`\\n(?=${indent}- )`, 'g'), linesBefore + linesIn(text, 0, start)),
      indent.length,
    ),
  }
}

/** What has an anchor in one item may be referred to in another. */
const anchor = /(?:[:-][ \t]+|[[{,][ \t]*)&\w/

/** Where the next line begins that is neither an item nor inside of one. */
function nextKey(text: string, start: number): number {
  const key = /\n(?![ \t\r\n#]|- |$)/g
  key.lastIndex = start
  const found = key.exec(text)
  return found === null ? text.length : found.index + 1
}

function* withoutDash(parts: Iterable<Part>, indent: number): Generator<Part> {
  for (const { text, linesBefore } of parts)
    yield { text: `${text.slice(0, indent)} ${text.slice(indent + 1)}`, linesBefore }
}

function* cutAt(text: string, lineEnd: RegExp, linesBefore: number): Generator<Part> {
  let start = 0
  let lines = linesBefore
  for (const { index } of text.matchAll(lineEnd)) {
    yield { text: text.slice(start, index + 1), linesBefore: lines }
    lines += linesIn(text, start, index + 1)
    start = index + 1
  }
  yield { text: text.slice(start), linesBefore: lines }
}

function linesIn(text: string, start: number, end: number): number {
  let lines = 0
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}
