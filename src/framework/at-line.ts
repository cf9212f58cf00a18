import type { Warning } from '../cloud-config/model.ts'

/** A warning about a configuration as a sentence that begins with its place. */
export function atLine({ line, column, message }: Pick<Warning, 'line' | 'column' | 'message'>): string {
  return `Line ${line}, column ${column}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`
}
