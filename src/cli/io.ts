/** The process as a command sees it, so that a test can stand in for it. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Absent where there is nothing to read from. */
  readonly stdin?: AsyncIterable<Uint8Array>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Calls back on the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  onStop(stop: () => void): void
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

/** What `vpd check` ends with, and every command when it cannot do its work. */
export const exitCode = { ok: 0, internal: 1, usage: 2, fail: 3, attention: 4 } as const

/** Bad usage that only shows after the flags were parsed: one message, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
