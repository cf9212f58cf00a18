/** What was wrong, in words: anything can be thrown. */
export function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
}
