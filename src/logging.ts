import { type DestinationStream, type Logger, pino } from 'pino'
import type { Settings } from './config/schema.ts'
import { prettyLine } from './pretty-log.ts'
import { formsOf } from './secret-forms.ts'

export type Log = Logger

export type LogLevel = Settings['log']['level']

/** Where log lines go, and whether a person is reading. */
export interface LogTarget {
  write(text: string): unknown
  readonly isTTY?: boolean
}

const mask = '[redacted]'

/** Values that must never be printed. Whoever learns a password says so here, once. */
export class Secrets {
  readonly #values = new Set<string>()
  #forms: readonly string[] = []

  add(secret: string): void {
    // A very short secret would blank out half of every line, and guards nothing.
    if (secret.length < 4) return
    this.#values.add(secret)
    this.#forms = formsOf(this.#values)
  }

  /** The text with every known secret replaced, also in the forms in which JSON, URLs and XML write it. */
  hide(text: string): string {
    return this.#forms.reduce((hidden, form) => hidden.replaceAll(form, mask), text)
  }
}

/** JSON lines with the level as a word, or lines for people where the target is a terminal. */
export function createLog(options: Settings['log'] & { readonly target: LogTarget; readonly secrets: Secrets }): Log {
  const { target, secrets } = options
  const pretty = options.format === 'pretty' || (options.format === 'auto' && target.isTTY === true)
  const stream: DestinationStream = {
    write(line) {
      // Value by value, since a secret cut out of the finished line may take a piece of the JSON with it.
      const entry = withoutSecrets(JSON.parse(line), secrets) as Record<string, unknown> // pino writes objects
      target.write(pretty ? prettyLine(entry) : `${JSON.stringify(entry)}\n`)
    },
  }
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    stream,
  )
}

/** What never belongs in a log, whoever knows its value: names of properties and headers. */
const secretNames = /^(password|token|credentials|authorization|cookie|set-cookie|vmware-api-session-id)$/i

function withoutSecrets(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.hide(value)
  if (typeof value === 'number') {
    const text = String(value)
    const hidden = secrets.hide(text)
    return hidden === text ? value : hidden
  }
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      secrets.hide(name),
      secretNames.test(name) ? mask : withoutSecrets(inner, secrets),
    ]),
  )
}
