#!/usr/bin/env node
import { exitCode, exitCodeAfter, type StopSignal } from './cli/io.ts'
import { run } from './cli/program.ts'
import { checkAtFault } from './framework/at-fault.ts'

let stop: (() => void) | undefined
let reload: (() => void) | undefined
let tell: ((error: unknown, check: string | undefined) => void) | undefined
let hasFailed = false

/** Giving sessions back takes less, if it still can be done. */
const patienceMs = 40_000

/** Comes for rejections, too. A check's stray error is its own; after another exception we cannot go on. */
process.on('uncaughtException', (error, origin) => {
  const culprit = checkAtFault()
  if (tell === undefined) process.stderr.write(`Internal error: ${error?.stack ?? String(error)}\n`)
  else tell(error, culprit?.check)
  const isException = origin === 'uncaughtException'
  if (isException) culprit?.fail(error)
  if (tell !== undefined && (culprit !== undefined || !isException)) return
  if (stop === undefined || hasFailed) process.exit(exitCode.internal)
  hasFailed = true
  setTimeout(() => process.exit(exitCode.internal), patienceMs).unref()
  stop()
})

/** Whoever reads may have seen enough, as `head` has. What was found out does not change by that. */
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
}

const code = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened only by a command that reads it.
  get stdin() {
    return process.stdin
  },
  env: process.env,
  onStop(callback) {
    let asked = false
    const stopOnce = (signal?: StopSignal) => {
      if (!asked) callback(signal)
      asked = true
    }
    const stopOrExit = (signal: StopSignal) => (asked ? process.exit(exitCodeAfter(signal)) : stopOnce(signal))
    stop = stopOnce
    process.on('SIGINT', () => stopOrExit('SIGINT'))
    process.on('SIGTERM', () => stopOrExit('SIGTERM'))
    process.on('SIGHUP', () => (reload === undefined ? stopOrExit('SIGHUP') : reload()))
  },
  onReload(callback) {
    reload = callback
  },
  onUncaught(callback) {
    tell = callback
  },
})
process.exitCode = hasFailed ? exitCode.internal : code
