import { createDetector, loadChecks, openSource } from '../app.ts'
import { type LoadedSettings, loadSettings, type PartialSettings } from '../config/index.ts'
import type { Detector } from '../detector.ts'
import type { Check } from '../framework/check.ts'
import { createLog, type Log, Secrets } from '../logging.ts'
import { type Io, UsageError } from './io.ts'

/** Flags that every command with a detector has. */
export interface DetectorFlags {
  readonly config?: string
  readonly demo?: boolean
  readonly from?: string
  readonly logLevel?: string
  readonly logFormat?: string
  readonly plugin?: readonly string[]
}

export interface Prepared {
  readonly loaded: LoadedSettings
  readonly checks: readonly Check[]
  readonly detector: Detector
  readonly log: Log
}

/** Settings, checks, source and detector, from the command line to the first moment something could be read. */
export async function prepare(
  flags: DetectorFlags,
  io: Io,
  own: { readonly settings?: PartialSettings; readonly progress?: (text: string) => void } = {},
): Promise<Prepared> {
  const loaded = load(flags, io, own.settings)
  const { settings } = loaded
  const secrets = new Secrets()
  const log = createLog({ ...settings.log, target: io.stderr, secrets })
  const checks = await loadChecks(loaded)
  if (settings.source === undefined) {
    throw new UsageError('No cluster to look at. Give --demo, --from DIR, or "source" in the configuration file.')
  }
  const source = await openSource(settings.source)
  try {
    const { progress } = own
    const detector = await createDetector({ loaded, checks, source, log, secrets, ...(progress ? { progress } : {}) })
    return { loaded, checks, detector, log }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** The settings with the common flags over them. */
export function load(flags: DetectorFlags, io: Io, own: PartialSettings = {}): LoadedSettings {
  if (flags.demo === true && flags.from !== undefined) throw new UsageError('Give --demo or --from, not both.')
  const source = flags.demo === true ? 'demo' : flags.from === undefined ? undefined : { directory: flags.from }
  return loadSettings({
    ...(flags.config === undefined ? {} : { file: flags.config }),
    env: io.env,
    flags: {
      ...own,
      ...(source === undefined ? {} : { source }),
      ...(flags.plugin === undefined ? {} : { plugins: flags.plugin }),
      log: { ...given('level', flags.logLevel), ...given('format', flags.logFormat), ...own.log },
    } as PartialSettings, // words of flags are checked with everything else, and complained about with their name
  })
}

/** `{ name: value }`, or nothing where the flag was not given. */
export function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: V })
}
