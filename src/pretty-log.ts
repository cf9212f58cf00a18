/** A log entry as a person wants it: time of day, level, message, then the data. */
export function prettyLine({ time, level, msg, ...data }: Readonly<Record<string, unknown>>): string {
  const clock = String(time).slice(11, 19)
  const rest = Object.entries(data).map(([key, value]) => `${key}=${show(value)}`)
  return `${[clock, String(level).toUpperCase().padEnd(5), msg, ...rest].filter((part) => part !== undefined).join(' ')}\n`
}

function show(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'message' in value) return JSON.stringify(value.message)
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value)
}
