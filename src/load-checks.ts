import { dirname } from 'node:path'
import { builtinChecks } from '../checks/index.ts'
import {
  ConfigError,
  type ConfigProblem,
  checkSettingsOf,
  inOrder,
  type LoadedSettings,
  validateChecks,
} from './config/index.ts'
import type { Check } from './framework/check.ts'
import { admitted, type CheckFlaw, type CheckOrigin, RegistryError, registryOf } from './framework/registry.ts'
import { daemonMetricNames } from './http/daemon-metrics.ts'
import { Metrics } from './outputs/metrics.ts'
import { version } from './package-info.ts'
import { loadPlugins, type PluginOrigin } from './plugins.ts'

/** The checks that are not switched off, built in and from plugins, with the settings proved against all of them. */
export async function loadChecks(loaded: LoadedSettings): Promise<readonly Check[]> {
  const checks = await loadAllChecks(loaded)
  return checks.filter((check) => checkSettingsOf(loaded.settings, check).enabled)
}

/** The same with those that are switched off. */
export async function loadAllChecks(loaded: LoadedSettings): Promise<readonly Check[]> {
  const folder = loaded.file === undefined ? '.' : dirname(loaded.file)
  const { origins, problems } = await loadPlugins(loaded.settings.plugins, folder)
  const all: readonly Origin[] = [{ from: 'the detector', checks: builtinChecks }, ...origins]
  const { checks, flaws } = admitted(all)
  const unfit = [...flaws, ...takenMetrics(all, checks)]
  if (problems.length + unfit.length === 0) return proved(loaded, registryOf(all))
  const others = problems.length > 0 ? 'hidden' : unfit.map(({ id }) => id)
  throw new ConfigError(
    inOrder([
      ...problems.map(({ index, message }) => loaded.problemAt(['plugins', index], message)),
      ...unfit.map(({ origin: { index }, message }) => loaded.problemAt(['plugins', index ?? 0], message)),
      ...validateChecks(loaded, checks, others),
    ]),
  )
}

/** The index is that of a plugin. */
type Origin = CheckOrigin & Partial<PluginOrigin>

/** The checks, if the settings agree with them. */
export function proved(loaded: LoadedSettings, checks: readonly Check[]): readonly Check[] {
  const problems = validateChecks(loaded, checks)
  if (problems.length > 0) throw new ConfigError(problems)
  return checks
}

/** The settings; or all that is wrong with them and, as far as that can still be told, with plugins and checks. */
export async function settled(load: () => LoadedSettings): Promise<LoadedSettings> {
  try {
    return load()
  } catch (error) {
    if (!(error instanceof ConfigError) || error.rest === undefined) throw error
    throw new ConfigError(inOrder([...error.problems, ...(await furtherProblems(error.rest))]))
  }
}

async function furtherProblems(rest: LoadedSettings): Promise<readonly ConfigProblem[]> {
  try {
    await loadAllChecks(rest)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    if (error instanceof RegistryError) return [] // has no place in the settings, and is told when they are right
    throw error
  }
}

function takenMetrics(origins: readonly Origin[], checks: readonly Check[]): CheckFlaw<Origin>[] {
  const taken = new Set([...new Metrics({ version }).names(), ...daemonMetricNames])
  return checks.flatMap((check) => {
    const { id } = check
    const clash = check.metrics.find(({ metric }) => taken.has(metric))
    const origin = origins.find((each) => each.checks.includes(check))
    if (clash === undefined || origin === undefined) return []
    const message = `Check ${id} measures ${clash.metric}, which is a metric of the detector. Rename it.`
    return [{ origin, id, message }]
  })
}
