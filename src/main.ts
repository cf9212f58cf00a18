#!/usr/bin/env node
import { run } from './cli/program.ts'

const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  // Opened only by a command that reads it.
  get stdin() {
    return process.stdin
  },
  env: process.env,
  onStop(stop) {
    let asked = false
    for (const signal of stopSignals) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        stop()
      })
    }
  },
})
