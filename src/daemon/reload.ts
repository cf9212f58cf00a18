import { isDeepStrictEqual } from 'node:util'
import type { LoadedSettings, Settings } from '../config/index.ts'

/** What can be taken of new settings without a restart, and the names of those that cannot. */
export function adapted(
  next: LoadedSettings,
  current: Settings,
): { readonly loaded: LoadedSettings; readonly needRestart: readonly string[] } {
  const { source: _, ...rest } = next.settings
  const settings: Settings = {
    ...rest,
    ...(current.source === undefined ? {} : { source: current.source }),
    http: current.http,
    leaderElection: current.leaderElection,
    plugins: current.plugins,
    log: { ...next.settings.log, format: current.log.format },
  }
  const needRestart = [
    ...(['source', 'http', 'leaderElection', 'plugins'] as const).filter(
      (name) => !isDeepStrictEqual(next.settings[name], current[name]),
    ),
    ...(next.settings.log.format === current.log.format ? [] : ['log.format']),
  ]
  return { loaded: { ...next, settings }, needRestart }
}
