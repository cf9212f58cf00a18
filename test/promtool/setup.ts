import { spawnSync } from 'node:child_process'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Why there is no promtool here; nothing when there is one. */
    readonly noPromtool: string | undefined
  }
}

/** Sees to it that promtool is there, where that can be done: it comes with Debian's package `prometheus`. */
export default function setup(project: TestProject): void {
  const missing = has('promtool') ? undefined : installPrometheus()
  project.provide('noPromtool', missing)
  if (missing !== undefined) process.stdout.write(`No promtool: ${missing}\n`)
}

function installPrometheus(): string | undefined {
  if (!has('apt-get')) return 'it is not on the PATH, and there is no apt-get to install it with.'
  if (process.getuid?.() !== 0) return 'it is not on the PATH, and only root can install the package prometheus.'
  process.stdout.write('Installing the package prometheus, for promtool.\n')
  const aptGet = (...args: string[]) =>
    spawnSync('apt-get', ['-qq', '-y', ...args], {
      encoding: 'utf8',
      timeout: 300_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  const install = () => aptGet('install', '--no-install-recommends', 'prometheus')
  let outcome = install()
  if (outcome.status !== 0) {
    aptGet('update') // the lists of a fresh image are empty, or out of date
    outcome = install()
  }
  const why = outcome.stderr.trim().split('\n').pop()
  return has('promtool') ? undefined : `the package prometheus cannot be installed: ${why}`
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}
