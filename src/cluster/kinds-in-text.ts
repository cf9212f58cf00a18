import { groupOf, type Manifest } from './manifests.ts'

export type Kind = Manifest['kind']

export const manifestKinds: ReadonlySet<Kind> = new Set(Object.keys(groupOf) as Kind[]) // groupOf has a key for every kind

/**
 * The kinds we look at whose objects a text can hold, by the look of it. Most files of a must-gather hold none, and
 * finding that out by parsing them takes minutes.
 */
export function kindsIn(text: string): ReadonlySet<Kind> {
  const scan = new KindScan()
  scan.add(text)
  return scan.kinds
}

/** The same for a text that comes in pieces. */
export class KindScan {
  readonly #mentioned = new Set<string>()
  readonly #own = new Set<string>()
  #tail = '\n'

  add(piece: string): void {
    const text = this.#tail + piece
    for (const [, kind = ''] of text.matchAll(mention)) this.#mentioned.add(kind)
    for (const [, kind = ''] of text.matchAll(ownKind)) this.#own.add(kind)
    this.#tail = text.slice(-longestMention)
  }

  /** An object that says what it is holds nothing else, whatever it refers to; only a List may. */
  get kinds(): ReadonlySet<Kind> {
    const isPlain = this.#own.size > 0 && !this.#own.has('List')
    const names = isPlain ? [...this.#own].map((kind) => kind.replace(/List$/, '')) : [...this.#mentioned]
    return new Set([...manifestKinds].filter((kind) => names.includes(kind)))
  }
}

const mention = new RegExp(`\\bkind["']?\\s*:\\s*["']?(${[...manifestKinds].join('|')})(?:List)?\\b`, 'g')

/** In block style, which is all that has a key at the start of a line. */
const ownKind = /\n["']?kind["']?[ \t]*:[ \t]*["']?(\w+)/g

const longestMention = 100
