import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { createDaemon, type OpenedSource } from '../../src/app.ts'
import { directorySource } from '../../src/cluster/directory.ts'
import { loadSettings } from '../../src/config/index.ts'
import { type Daemon, type DaemonParts, startDaemon } from '../../src/daemon.ts'
import { loadAllChecks } from '../../src/load-checks.ts'
import { createLog, Secrets } from '../../src/logging.ts'
import { type Answer, type Asking, ask } from '../http/client.ts'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'

export interface Started {
  readonly daemon: Daemon
  /** The settings file. */
  readonly file: string
  write(yaml: string): void
  /** What was logged under this message, as it came. */
  logged(message: string): Record<string, unknown>[]
  get(path: string, asking?: Asking): Promise<Answer>
  /** The value of a metric by its name without prefix, with labels where it has any; nothing where it is absent. */
  metric(name: string, asking?: Asking): Promise<number | undefined>
  /** Resolves when so many rounds have ended. */
  rounds(count: number): Promise<void>
}

export interface Starting {
  /** The content of the settings file, null for none; port and source are set by flags. */
  readonly yaml?: string | null
  readonly source: OpenedSource
  readonly parts?: Partial<DaemonParts>
  /** What is said of the source in the settings. */
  readonly kind?: 'demo' | 'kubernetes'
  /** The name of the pod. */
  readonly pod?: string
}

/** A daemon in this process that looks at its files every few milliseconds; stopped when the test ends. */
export async function aDaemon({
  yaml = '{}',
  source,
  parts = {},
  kind = 'demo',
  pod = 'vpd-1',
}: Starting): Promise<Started> {
  const file = join(aFolder({ 'vpd.yaml': yaml ?? '' }), 'vpd.yaml')
  const flags = { source: kind, http: { port: 0 }, schedule: { jitterSeconds: 0 } }
  const load = () => loadSettings({ env: {}, flags, ...(yaml === null ? {} : { file }) })
  const entries: Record<string, unknown>[] = []
  const secrets = new Secrets()
  const target = { write: (line: string) => entries.push(JSON.parse(line)) }
  const loaded = load()
  const log = createLog({ ...loaded.settings.log, format: 'json', target, secrets })
  const options = { loaded, checks: await loadAllChecks(loaded), source, log, secrets, pollMs: 10, settleMs: 10 }
  const daemon =
    Object.keys(parts).length === 0
      ? await createDaemon({ ...options, env: { POD_NAME: pod, POD_NAMESPACE: 'vpd' }, load })
      : await startDaemon({ ...options, reread: async () => load(), ...parts })
  onTestFinished(() => daemon.stop())

  const logged = (message: string) => entries.filter(({ msg }) => msg === message)
  const get = (path: string, asking: Asking = {}) => ask(daemon.url + path, asking)
  return {
    daemon,
    file,
    write: (text) => writeFileSync(file, text),
    logged,
    get,
    async metric(name, asking) {
      const { body } = await get('metrics', asking)
      const line = body.split('\n').find((each) => each.startsWith(`vsphere_problem_detector_${name} `))
      return line === undefined ? undefined : Number(line.split(' ').at(-1))
    },
    rounds: (count) => vi.waitFor(() => expect(logged('Round ended').length).toBeGreaterThanOrEqual(count), patience),
  }
}

/** The source that the collected files of a folder are. */
export function collected(folder: string): Promise<OpenedSource> {
  return directorySource(folder)
}

/** A cluster that cannot be read: what is asked over HTTP is answered all the same. */
export const nowhere: OpenedSource = {
  description: 'nowhere',
  read: () => Promise.reject(new Error('There is no cluster.')),
  close: async () => {},
}
