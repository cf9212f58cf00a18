import { readFile } from 'node:fs/promises'
import { ConfigError, checkSettingsOf, type LoadedSettings, type Settings } from '../config/index.ts'
import type { Check } from '../framework/check.ts'
import { version } from '../package-info.ts'
import type { RoundParts } from '../round.ts'
import type { Schedule } from '../scheduler/scheduler.ts'
import type { VSphereSettings } from '../vsphere/settings.ts'

/** Everything that follows from the settings and may become another while the daemon runs. */
export interface Generation {
  readonly settings: Settings
  readonly rounds: RoundSettings
  readonly schedule: Schedule
  readonly vsphere: VSphereSettings
}

/** What a round takes from the settings. */
export type RoundSettings = Pick<RoundParts, 'checks' | 'suppressions' | 'timeouts' | 'ca' | 'settingsOf'>

/** `checks` are all that there are; those that the settings switch off are left out. */
export async function generationOf(loaded: LoadedSettings, checks: readonly Check[]): Promise<Generation> {
  const { settings } = loaded
  const { timeouts, vsphere, suppressions } = settings
  const enabled = checks.filter((check) => checkSettingsOf(settings, check).enabled)
  const ca = vsphere.caFile === undefined ? undefined : await readAuthorities(vsphere.caFile, loaded)
  return {
    settings,
    rounds: {
      checks: enabled,
      suppressions,
      timeouts: { vcenterMs: timeouts.vcenterSeconds * 1000, roundMs: timeouts.roundSeconds * 1000 },
      ...(ca === undefined ? {} : { ca }),
      settingsOf: (check) => ({ ...checkSettingsOf(settings, check), timeoutMs: timeouts.checkSeconds * 1000 }),
    },
    schedule: scheduleOf(settings, enabled),
    vsphere: {
      callTimeoutMs: timeouts.callSeconds * 1000,
      maxConcurrentCalls: vsphere.maxConcurrentCalls,
      loginHoldMs: vsphere.loginHoldSeconds * 1000,
      idleLogoutMs: vsphere.idleLogoutSeconds * 1000,
      maxBodyBytes: vsphere.maxBodyMegabytes * 1024 * 1024,
      userAgent: `vsphere-problem-detector/${version}`,
    },
  }
}

function scheduleOf(settings: Settings, checks: readonly Check[]): Schedule {
  const { cron, timezone, jitterSeconds, runAtStart, retry } = settings.schedule
  const ownCron = checks.flatMap((check) => {
    const own = checkSettingsOf(settings, check).cron
    return own === undefined ? [] : [[check.id, own] as const]
  })
  return {
    cron,
    timezone,
    jitterMs: jitterSeconds * 1000,
    runAtStart,
    retry: { initialMs: retry.initialSeconds * 1000, maxMs: retry.maxSeconds * 1000 },
    ownCron: new Map(ownCron),
    checks: checks.map((check) => check.id),
  }
}

async function readAuthorities(file: string, loaded: LoadedSettings): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError([loaded.problemAt(['vsphere', 'caFile'], `cannot read ${file}: ${error.message}`)])
  })
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new ConfigError([loaded.problemAt(['vsphere', 'caFile'], `${file} holds no PEM certificate`)])
}
