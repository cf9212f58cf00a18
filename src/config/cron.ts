import { validateDetailed } from 'node-cron'
import { quote } from './problems.ts'

/** What is wrong with a cron expression, naming the fields, or nothing. */
export function cronProblems(expression: string): string[] {
  if (expression.length > longest) return [`is longer than ${longest} characters, which no cron expression is`]
  const parts = expression.trim().split(/\s+/)
  if (parts.length === 5 || parts.length === 6) {
    const names = Object.keys(fields).slice(-parts.length)
    // node-cron writes ranges out before it looks at their bounds: 0-99999999 takes it 20 s and then throws.
    const beyond = parts.flatMap((part, index) => (/\d{3}/.test(part) ? [fieldProblem(names[index], part)] : []))
    if (beyond.length > 0) return beyond
  }
  return validateDetailed(expression).errors.map(({ field, value, message }) => {
    return Object.hasOwn(fields, field) ? fieldProblem(field, value ?? '') : `${message}; write it like ${example}`
  })
}

export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

function fieldProblem(field: string | undefined, value: string): string {
  const [name, range] = fields[field ?? ''] ?? ['field', 'there are 5, or 6 with seconds']
  return `${name} ${quote(value)} is not valid: ${range}`
}

const longest = 200

const example = '"*/15 * * * *" (minute, hour, day of month, month, day of week; seconds may come first)'

/** By node-cron's names, in the order of an expression with seconds. */
const fields: Readonly<Record<string, readonly [name: string, range: string]>> = {
  second: ['second', '0 to 59'],
  minute: ['minute', '0 to 59'],
  hour: ['hour', '0 to 23'],
  dayOfMonth: ['day of month', '1 to 31, and a day that the month has'],
  month: ['month', '1 to 12, or jan to dec'],
  dayOfWeek: ['day of week', '0 to 7, or sun to sat'],
}
