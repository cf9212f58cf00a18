import type { Position, Warning } from './model.ts'

/** Gathers warnings, and stops keeping them long before a text of nothing but mistakes becomes a report of its size. */
export interface WarningList {
  add(
    position: Position | undefined | (() => Position),
    message: () => string,
    more?: Omit<Warning, keyof Position | 'message'>,
  ): void
  /** In the order of the text. */
  list(): readonly Warning[]
}

const maxWarnings = 200

export function warningList(): WarningList {
  const kept: Warning[] = []
  let left = 0
  let firstLeft: Position = { line: 1, column: 1 }
  return {
    add(place, message, more = {}) {
      // Some refuse such a text, so that it must not go unsaid.
      const isFirstRepetition = more.repeats !== undefined && !kept.some(({ repeats }) => repeats === more.repeats)
      if (kept.length >= maxWarnings && !isFirstRepetition && ++left > 1) return
      const { line, column } = (typeof place === 'function' ? place() : place) ?? { line: 1, column: 1 }
      if (left === 0 || isFirstRepetition) kept.push({ line, column, message: message(), ...more })
      else firstLeft = { line, column }
    },
    list() {
      const sorted = kept.toSorted((a, b) => a.line - b.line || a.column - b.column)
      if (left > 0) sorted.push({ ...firstLeft, message: `${left} more warnings are left out` })
      return sorted
    },
  }
}
