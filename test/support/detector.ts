import { onTestFinished } from 'vitest'
import { createDetector } from '../../src/app.ts'
import type { ClusterSource } from '../../src/cluster/source.ts'
import { loadSettings, type PartialSettings } from '../../src/config/index.ts'
import type { Detector } from '../../src/detector.ts'
import type { Check } from '../../src/framework/check.ts'
import { createLog, Secrets } from '../../src/logging.ts'

/** A detector as the program makes it, but silent; closed when the test ends. */
export async function aDetector(
  source: ClusterSource,
  checks: readonly Check[],
  flags: PartialSettings = {},
): Promise<Detector> {
  const secrets = new Secrets()
  const log = createLog({ level: 'silent', format: 'json', target: { write() {} }, secrets })
  const detector = await createDetector({ loaded: loadSettings({ env: {}, flags }), checks, source, log, secrets })
  onTestFinished(() => detector.close())
  return detector
}
