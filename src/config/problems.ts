import type { LoadedSettings } from './load.ts'

/** Everything that is wrong with the settings, at once. The message is complete: print it, and nothing else. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly ConfigProblem[]
  /** The settings without those that are wrong, so that more can be found out about them. */
  readonly rest: LoadedSettings | undefined

  constructor(problems: readonly ConfigProblem[], rest?: LoadedSettings) {
    super([...problems.map(problemText), remedy(problems.length)].join('\n'))
    this.problems = problems
    this.rest = rest
  }
}

/** The file from top to bottom, then the rest as it was found. */
export function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const line = ({ origin }: ConfigProblem) => (origin.kind === 'file' ? (origin.line ?? 0) : Infinity)
  const column = ({ origin }: ConfigProblem) => (origin.kind === 'file' ? (origin.column ?? 0) : 0)
  return problems.toSorted((a, b) => (line(a) === line(b) ? column(a) - column(b) : line(a) < line(b) ? -1 : 1))
}

export interface ConfigProblem {
  readonly origin: Origin
  /** The setting it is about; empty where it is about a whole file or variable. */
  readonly path: Path
  readonly message: string
}

export type Path = readonly (string | number)[]

/** Who gave a value. Lines and columns count from 1. */
export type Origin =
  | ({ readonly kind: 'file'; readonly file: string } & Partial<Position>)
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag' }
  | { readonly kind: 'default' }
  | { readonly kind: 'check'; readonly id: string }

export interface Position {
  readonly line: number
  readonly column: number
}

/** One line: `config.yaml:12:5 http.port: expected a whole number from 0 to 65535, got "web"`. */
export function problemText({ origin, path, message }: ConfigProblem): string {
  return `${originText(origin, path)}: ${message}`
}

export function originText(origin: Origin, path: Path): string {
  const setting = path.length === 0 ? '' : ` ${pathText(path)}`
  switch (origin.kind) {
    case 'file':
      return `${onOneLine(origin.file)}${origin.line === undefined ? '' : `:${origin.line}:${origin.column}`}${setting}`
    case 'environment':
      return `environment ${quoteUnlessPlain(origin.variable)}`
    case 'check':
      return `check ${quoteUnlessPlain(origin.id)}${setting}`
    case 'flag':
      return `flag ${flags.find(([given]) => pathText(path).startsWith(given))?.[1] ?? pathText(path)}`
    default:
      return `${origin.kind}${setting}`
  }
}

/** The flags of the command line, by the setting that they give. */
const flags = [
  ['http.host', '--host'],
  ['http.port', '--port'],
  ['schedule.cron', '--cron'],
  ['plugins', '--plugin'],
  ['log.level', '--log-level'],
  ['log.format', '--log-format'],
  ['source.directory', '--from'],
  ['source.kubernetes.kubeconfig', '--kubeconfig'],
  ['source.kubernetes.context', '--context'],
] as const

/** `suppressions[0].reason`. A key that would be misread, or that would break the line, is quoted. */
export function pathText(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (!isPlain(key)) return `[${quote(key)}]`
      return index === 0 ? key : `.${key}`
    })
    .join('')
}

/** A value or key as it may be shown on one line of a terminal: cut, and without control characters. */
export function quote(text: string): string {
  const longest = 60
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return JSON.stringify(shown).replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '?')
}

function onOneLine(file: string): string {
  return /[^\P{C}]/u.test(file) ? quote(file) : file
}

function quoteUnlessPlain(text: string): string {
  return isPlain(text) ? text : quote(text)
}

function isPlain(key: string): boolean {
  return /^[\w-]{1,80}$/.test(key)
}

function remedy(count: number): string {
  const what = count === 1 ? 'this problem' : `these ${count} problems`
  return `Correct ${what} and start again; "vpd config schema" prints every setting with its meaning.`
}
