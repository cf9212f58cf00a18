import { createDetector } from '../../src/app.ts'
import type { ClusterReading } from '../../src/cluster/source.ts'
import { loadSettings, type PartialSettings } from '../../src/config/index.ts'
import { demoSource } from '../../src/demo/source.ts'
import type { Detector } from '../../src/detector.ts'
import { loadChecks } from '../../src/load-checks.ts'
import { createLog, Secrets } from '../../src/logging.ts'

/**
 * A detector over the demo's simulated vCenters, wired as the program wires it. The caller closes it. `look` may change
 * what is read of the cluster.
 */
export async function demoDetector(
  settings: PartialSettings = {},
  look: (reading: ClusterReading) => ClusterReading = (reading) => reading,
): Promise<Detector> {
  const loaded = loadSettings({ env: {}, flags: { source: 'demo', ...settings } })
  const secrets = new Secrets()
  const log = createLog({ level: 'silent', format: 'json', target: { write() {} }, secrets })
  const checks = await loadChecks(loaded)
  const demo = await demoSource()
  const source = { ...demo, read: async (signal: AbortSignal) => look(await demo.read(signal)) }
  return createDetector({ loaded, checks, source, log, secrets })
}

/** The ids of all checks of a detector: what a round by the common time-table runs. */
export function everything(detector: Detector): ReadonlySet<string> {
  return new Set(detector.checks.map((check) => check.id))
}
