import { createLog, type LogLevel, Secrets } from '../../src/logging.ts'

/** A log that keeps its lines, and the secrets it knows. */
export function keptLog(
  own: {
    readonly level?: LogLevel
    readonly format?: 'auto' | 'json' | 'pretty'
    readonly isTTY?: boolean
    readonly secrets?: readonly string[]
  } = {},
) {
  const { level = 'trace', format = 'json', isTTY = false, secrets: known = [] } = own
  const lines: string[] = []
  const secrets = new Secrets()
  for (const secret of known) secrets.add(secret)
  const log = createLog({ level, format, target: { isTTY, write: (line) => lines.push(line) }, secrets })
  return { log, lines, secrets }
}
