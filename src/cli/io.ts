/** The process as a command sees it, so that a test can stand in for it. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Absent where there is nothing to read from. */
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Calls back on the first signal to stop, or without one where we cannot go on; a second signal ends at once. */
  onStop(stop: (signal?: StopSignal) => void): void
  /** Calls back with each error that nobody has caught, and with the check that threw it, if it was one. */
  onUncaught?(tell: (error: unknown, check: string | undefined) => void): void
  /** Calls back on SIGHUP, which otherwise stops like the others. */
  onReload?(reload: () => void): void
}

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

/** Whether what is printed may have colours: on a terminal, unless NO_COLOR asks for none. */
export function isColored({ stdout, env }: Io): boolean {
  return stdout.isTTY === true && (env['NO_COLOR'] ?? '') === ''
}

/** What `vpd check` ends with, and every command when it cannot do its work. */
export const exitCode = { ok: 0, internal: 1, usage: 2, fail: 3, attention: 4 } as const

export type StopSignal = keyof typeof signalNumbers

const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/** What a shell shows of a process that a signal has ended. */
export function exitCodeAfter(signal: StopSignal): number {
  return 128 + signalNumbers[signal]
}
