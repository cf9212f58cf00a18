import type { ClusterSource } from '../cluster/source.ts'
import { type LoadedSettings, loadSettings, type PartialSettings } from '../config/index.ts'
import type { Detector } from '../detector.ts'
import type { Check } from '../framework/check.ts'
import { loadChecks, settled } from '../load-checks.ts'
import { createLog, type Log, Secrets } from '../logging.ts'
import type { RoundParts } from '../round.ts'
import { UsageError } from '../usage-error.ts'
import type { Io } from './io.ts'

/** Flags that every command with a detector has. */
export interface DetectorFlags {
  readonly config?: string
  readonly demo?: boolean
  readonly from?: string
  readonly kubeconfig?: string
  readonly context?: string
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

export interface PrepareOptions {
  /** In place of the usual ones. */
  readonly defaults?: PartialSettings
  readonly progress?: (text: string) => void
  readonly offline?: NonNullable<RoundParts['offline']>
  /** A file with a Secret whose credentials come before those of the source. */
  readonly credentials?: string
}

/** Settings, checks, source and detector, from the command line to the first moment something could be read. */
export async function prepare(flags: DetectorFlags, io: Io, own: PrepareOptions = {}): Promise<Prepared> {
  const loaded = await load(flags, io, {}, own.defaults)
  const { settings } = loaded
  const secrets = new Secrets()
  const log = createLog({ ...settings.log, target: io.stderr, secrets })
  tellUncaught(io, log)
  const checks = await loadChecks(loaded)
  if (settings.source === undefined) {
    throw new UsageError(noCluster)
  }
  const { credentials, progress, offline } = own
  const { createDetector, openSource } = await import('../app.ts') // takes long, and most commands do without
  const opened = await openSource(settings.source, io.env)
  const source = credentials === undefined ? opened : await withCredentials(opened, credentials)
  try {
    const asked = { ...given('progress', progress), ...given('offline', offline) }
    const detector = await createDetector({ loaded, checks, source, log, secrets, ...asked })
    return { loaded, checks, detector, log }
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Errors that nobody has caught are lines in the log. */
export function tellUncaught(io: Io, log: Log): void {
  io.onUncaught?.((err, check) => {
    if (check === undefined) log.error({ err }, 'Nobody has caught an error')
    else log.error({ check, err }, 'A check left an error behind that nobody has caught')
  })
}

/** The settings with the common flags over them. */
export async function load(
  flags: DetectorFlags,
  io: Io,
  own: PartialSettings = {},
  defaults: PartialSettings = {},
): Promise<LoadedSettings> {
  const source = sourceOf(flags)
  const input = {
    ...(flags.config === undefined ? {} : { file: flags.config }),
    env: io.env,
    defaults,
    flags: {
      ...own,
      ...(source === undefined ? {} : { source }),
      ...(flags.plugin === undefined ? {} : { plugins: flags.plugin }),
      log: { ...given('level', flags.logLevel), ...given('format', flags.logFormat), ...own.log },
    } as PartialSettings, // words of flags are checked with everything else, and complained about with their name
  }
  return settled(() => loadSettings(input))
}

async function withCredentials(source: ClusterSource, file: string): Promise<ClusterSource> {
  const { withCredentialsFile } = await import('../cluster/credentials-file.ts')
  return withCredentialsFile(source, file).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
}

/** That KUBECONFIG is set is no wish to log in to the vCenters of that cluster. */
export const noCluster =
  'No cluster to look at. Give --demo, --from PATH, --kubeconfig FILE, --context NAME, or "source" in the configuration ' +
  'file. VPD_SOURCE=kubernetes takes the cluster that KUBECONFIG names, or that this runs in.'

function sourceOf({ demo, from, kubeconfig, context }: DetectorFlags): PartialSettings['source'] {
  const live = kubeconfig !== undefined || context !== undefined
  const chosen = [demo === true ? '--demo' : '', from === undefined ? '' : '--from', live ? '--kubeconfig' : '']
  const [first, second] = chosen.filter((flag) => flag !== '')
  if (second !== undefined) throw new UsageError(`Give ${first} or ${second}, not both.`)
  if (demo === true) return 'demo'
  if (from !== undefined) return { directory: from }
  return live ? { kubernetes: { ...given('kubeconfig', kubeconfig), ...given('context', context) } } : undefined
}

/** `{ name: value }`, or nothing where the flag was not given. */
export function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: V })
}
