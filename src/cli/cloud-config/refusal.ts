import { CommanderError } from 'commander'
import { CloudConfigError, type Warning } from '../../cloud-config/index.ts'
import { UsageError } from '../../usage-error.ts'
import { exitCode, type Io } from '../io.ts'
import { type Located, placeOf } from './located.ts'

/** Runs a reader; a refusal becomes a message that begins with the place, and below it what may explain it. */
export function explained<T>(located: Located, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    // A key in the wrong spelling is often the reason why something is missing.
    const hints = (error.warnings ?? []).slice(0, hintsAtMost)
    throw new UsageError([error, ...hints].map((said) => `${placeOf(located, said)}: ${said.message}`).join('\n'))
  }
}

const hintsAtMost = 10

/** Runs a reader; a refusal is printed as JSON and ends the command. */
export function explainedAsJson<T>(located: Located, io: Io, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    const { warnings, ...refusal } = error.toJSON()
    const answer = {
      error: withFileLine(located, refusal),
      ...(warnings && { warnings: warningsJson(located, warnings) }),
    }
    io.stdout.write(`${JSON.stringify(answer, null, 2)}\n`)
    // Ends with the code for bad input; everything has been said.
    throw new CommanderError(exitCode.usage, 'vpd.refused', error.message)
  }
}

/** As documented: what else a warning carries is for checks. */
export function warningsJson(located: Located, warnings: readonly Warning[]) {
  return warnings.map(({ line, column, message }) => withFileLine(located, { line, column, message }))
}

/** Adds the line of the file to a position inside a manifest, where there is one. */
function withFileLine<T extends { readonly line?: number; readonly column?: number }>({ inFile }: Located, at: T) {
  const { line, column } = at
  if (inFile === undefined || line === undefined || column === undefined) return at
  return { ...at, fileLine: inFile({ line, column }).line }
}
