import { type DestinationStream, type Logger, pino } from 'pino'
import { prettyLine } from './pretty-log.ts'

export type Log = Logger

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Where log lines go, and whether a person is reading. */
export interface LogTarget {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/** Values that must never be printed. Whoever learns a password says so here, once. */
export class Secrets {
  readonly #values = new Set<string>()

  add(secret: string): void {
    // A very short secret would blank out half of every line, and guards nothing.
    if (secret.length >= 4) this.#values.add(secret)
  }

  /** The text with every known secret replaced, also in the forms in which JSON and URLs write it. */
  hide(text: string): string {
    let hidden = text
    for (const secret of this.#values) {
      const forms = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
      for (const form of forms) hidden = hidden.replaceAll(form, '[redacted]')
    }
    return hidden
  }
}

/** JSON lines with the level as a word, or lines for people where the target is a terminal. */
export function createLog(options: {
  readonly level: LogLevel
  readonly format: 'auto' | 'json' | 'pretty'
  readonly target: LogTarget
  readonly secrets: Secrets
}): Log {
  const { target, secrets } = options
  const pretty = options.format === 'pretty' || (options.format === 'auto' && target.isTTY === true)
  const stream: DestinationStream = {
    write(line) {
      const clean = secrets.hide(line)
      target.write(pretty ? prettyLine(clean) : clean)
    },
  }
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: '[redacted]' },
    },
    stream,
  )
}

const secretPaths = ['password', 'token', 'credentials', 'authorization'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
])
