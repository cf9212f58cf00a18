import { isDeepStrictEqual } from 'node:util'
import { ConfigError, type LoadedSettings, problemText, type Settings } from '../config/index.ts'
import type { Check } from '../framework/check.ts'
import { messageOf } from '../framework/message-of.ts'
import type { DaemonMetrics } from '../http/daemon-metrics.ts'
import type { Log } from '../logging.ts'
import { type Generation, generationOf } from './generation.ts'
import type { Replica } from './replica.ts'

export interface ReloadParts {
  readonly loaded: LoadedSettings
  readonly checks: readonly Check[]
  readonly replica: Replica
  readonly metrics: DaemonMetrics
  readonly log: Log
  reread?(): Promise<LoadedSettings>
}

/** Takes over changed settings where they can be used, and keeps the last good ones where they cannot. */
export class Reloader {
  readonly #parts: ReloadParts
  #needRestart: readonly string[] = []
  /** What was wrong when it was last tried, if anything. */
  #problem: string | undefined

  constructor(parts: ReloadParts) {
    this.#parts = parts
    if (parts.loaded.file !== undefined) this.#succeeded(new Date())
  }

  /** What the settings are made of. */
  get files(): readonly string[] {
    const { caFile } = this.#parts.replica.generation.settings.vsphere
    return [this.#parts.loaded.file, caFile].filter((file) => file !== undefined)
  }

  /** Whether the settings could be used. Never throws. */
  async reload(): Promise<boolean> {
    const { reread, checks, replica, metrics, log } = this.#parts
    try {
      const next = await reread?.()
      if (next === undefined) return true
      const { loaded, needRestart } = adapted(next, replica.generation.settings)
      const generation = await generationOf(loaded, checks)
      metrics.set('config_last_reload_successful', true)
      this.#problem = undefined
      this.#tellRestart(needRestart)
      if (isSame(generation, replica.generation)) {
        log.debug({ file: loaded.file }, 'The settings say what they said before')
        return true
      }
      this.#succeeded(new Date())
      log.level = loaded.settings.log.level
      log.info({ file: loaded.file }, 'Settings reloaded')
      await replica.adopt(generation)
      return true
    } catch (error) {
      metrics.set('config_last_reload_successful', false)
      const problem = textOf(error)
      if (problem !== this.#problem) {
        log.error(
          { problem },
          'The changed settings cannot be used; the last good ones stay, and the file is read again when it changes',
        )
      }
      this.#problem = problem
      return false
    }
  }

  #succeeded(at: Date): void {
    this.#parts.metrics.set('config_last_reload_successful', true)
    this.#parts.metrics.set('config_last_reload_success_timestamp_seconds', at)
  }

  #tellRestart(settings: readonly string[]): void {
    const isNews = settings.length > 0 && !isDeepStrictEqual(settings, this.#needRestart)
    this.#needRestart = settings
    if (isNews) this.#parts.log.warn({ settings }, 'These settings changed and count only after a restart')
  }
}

/** What is wrong, without the advice to start again: here nothing has ended. */
function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.map(problemText).join('\n')
  return messageOf(error)
}

/** The CA is read from another file, and may be another although the settings are the same. */
function isSame(a: Generation, b: Generation): boolean {
  return isDeepStrictEqual(a.settings, b.settings) && a.rounds.ca === b.rounds.ca
}

/** What can be taken of new settings without a restart, and the names of those that cannot. */
function adapted(
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
