/** Bad usage that only shows after the flags were parsed: one message, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
