#!/usr/bin/env node
import { run } from './cli/program.ts'

let reload: (() => void) | undefined

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
    const stopOnce = () => {
      if (asked) process.exit(1)
      asked = true
      stop()
    }
    process.on('SIGINT', stopOnce)
    process.on('SIGTERM', stopOnce)
    process.on('SIGHUP', () => (reload ?? stopOnce)())
  },
  onReload(callback) {
    reload = callback
  },
})
