import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, type LoadedSettings, loadSettings, type SettingsInput } from '../../src/config/index.ts'

export interface Given {
  /** The content of config.yaml; without it there is no file. */
  readonly yaml?: string | Uint8Array
  readonly env?: SettingsInput['env']
  readonly flags?: SettingsInput['flags']
}

export function load({ yaml, env = {}, flags = {} }: Given): LoadedSettings {
  if (yaml === undefined) return loadSettings({ env, flags })
  return withDirectory((directory) => {
    const file = join(directory, 'config.yaml')
    writeFileSync(file, yaml)
    return loadSettings({ file, env, flags })
  })
}

/** The lines of the message, without the closing remedy and without the directory that the test made. */
export function problemsOf(given: Given): string[] {
  return messageOf(() => load(given))
    .replaceAll(/[^\s(]+\/config\.yaml/g, 'config.yaml')
    .split('\n')
    .slice(0, -1)
}

/** The message with which loading fails. Whatever else is thrown goes through, and fails the test. */
export function messageOf(loading: () => unknown): string {
  try {
    loading()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return '(no problem)\n'
}

export function withDirectory<T>(use: (directory: string) => T): T {
  const directory = mkdtempSync(join(tmpdir(), 'vpd-config-'))
  try {
    return use(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
