import { advise } from './advice.ts'
import { effective } from './effective.ts'
import { type Environment, withEnvironment } from './environment.ts'
import { type Attempt, CloudConfigError } from './error.ts'
import { type IniScan, scanIni } from './gcfg-scan.ts'
import { iniText, readIni } from './ini-read.ts'
import { warnOfIni } from './ini-warnings.ts'
import type { CloudConfig, Workspace } from './model.ts'
import { positionsIn, Refusal } from './text.ts'
import { type WarningList, warningList } from './warnings.ts'
import { placeKey, type WrittenConfig } from './written.ts'
import { readYaml } from './yaml-read.ts'
import { yamlText } from './yaml-text.ts'

export interface ReadOptions {
  /** The environment of the reader to be imitated. Without it only the text counts. */
  readonly env?: Environment
}

/**
 * What the cloud provider takes from its configuration file: YAML if the text decodes as such, else INI. Throws a
 * CloudConfigError, and nothing else, where the cloud provider refuses the file or crashes.
 */
export function readCloudConfig(input: Uint8Array | string, options: ReadOptions = {}): CloudConfig {
  const reading = readWritten(input)
  const { written, warnings } = reading
  const config = validated(written, warnings)
  advise(written, config, warnings)
  return {
    format: written.format,
    ...withEnvironment(config, options.env ?? {}),
    legacy: reading.legacy,
    ...(reading.workspace && { workspace: reading.workspace }),
    warnings: warnings.list(),
    positionOf: (...path) => written.places.get(placeKey(path)),
  }
}

/** A key in the wrong spelling is often the reason why something is missing, so the warnings go with the error. */
function validated(written: WrittenConfig, warnings: WarningList): ReturnType<typeof effective> {
  try {
    return effective(written)
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    throw new CloudConfigError(error.reason, error.message, { ...error.toJSON(), warnings: warnings.list() })
  }
}

export interface WrittenReading {
  readonly written: WrittenConfig
  readonly warnings: WarningList
  readonly legacy: boolean
  readonly workspace?: Workspace
  /** The scanned text of an INI file. */
  readonly scan?: IniScan
}

/** What the text says in whichever of the two formats it is, before anything is inherited. */
export function readWritten(input: Uint8Array | string): WrittenReading {
  if (input.length === 0) throw new CloudConfigError('empty-input', 'the cloud configuration is empty')
  const yaml = attempt(input, yamlText, (text) => {
    const warnings = warningList()
    return { written: readYaml(text, warnings), warnings }
  })
  if (yaml.value !== undefined) return { ...yaml.value, legacy: false }
  const ini = attempt(input, iniText, (text) => {
    const warnings = warningList()
    const scan = scanIni(text)
    const at = positionsIn(text)
    const reading = readIni(scan, at)
    warnOfIni(scan, reading, at, warnings)
    return { scan, reading, warnings }
  })
  if (ini.value === undefined) throw neither(yaml.failure, ini.failure, looksLikeIni(input))
  const { scan, reading, warnings } = ini.value
  const legacy = reading.inTree.extra.length === 0 && reading.inTree.refusals.length === 0
  return {
    written: reading.written,
    warnings,
    legacy,
    scan,
    ...(reading.workspace && { workspace: reading.workspace }),
  }
}

type Result<T> = { readonly value: T; readonly failure?: never } | { readonly value?: never; readonly failure: Attempt }

function attempt<T>(
  input: Uint8Array | string,
  decode: (input: Uint8Array | string) => string,
  read: (text: string) => T,
): Result<T> {
  let text: string | undefined
  try {
    text = decode(input)
    return { value: read(text) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // Where decoding failed, the lines before the bad byte are enough to tell its place.
    const lines =
      text ?? (typeof input === 'string' ? input : new TextDecoder('utf-8', { ignoreBOM: true }).decode(input))
    return { failure: { message: error.message, ...positionsIn(lines)(error.offset) } }
  }
}

function neither(yaml: Attempt, ini: Attempt, meantIni: boolean): CloudConfigError {
  const likely = meantIni ? ini : yaml
  const said = (name: string, { line, column, message }: Attempt) =>
    `as ${name}, line ${line}, column ${column}: ${message}`
  return new CloudConfigError('not-yaml-not-ini', `neither YAML nor INI; ${said('YAML', yaml)}; ${said('INI', ini)}`, {
    ...(likely.line !== undefined && { line: likely.line }),
    ...(likely.column !== undefined && { column: likely.column }),
    yaml,
    ini,
  })
}

/** Whether a person would take the text for INI: its first line that is no comment opens a section. */
function looksLikeIni(input: Uint8Array | string): boolean {
  const text = typeof input === 'string' ? input : new TextDecoder().decode(input)
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end === -1 ? undefined : end).trimStart()
    if (line !== '' && !line.startsWith('#') && !line.startsWith(';')) return line.startsWith('[')
    if (end === -1) return false
    at = end + 1
  }
  return false
}
