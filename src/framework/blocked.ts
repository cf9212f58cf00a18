import type { Result } from './result.ts'
import type { Judged } from './run.ts'
import { causeKeyOf, keyOf } from './subject.ts'

/** Subjects on which a check is in trouble, by key, each with the result at the root of it: its own, or another's. */
export type Causes = ReadonlyMap<string, Result>

/** What is said of a subject and, where there is trouble, its cause. */
export interface Explained {
  readonly result: Result
  readonly cause?: Result
}

/**
 * Where a check could not see, and a check it depends on already reports the trouble, that one is the news: this result
 * is skipped and says what it waits for. A result that has findings of its own keeps them, and a check that broke is
 * always news.
 */
export function explained(
  { result, subject, broken, isTrouble }: Judged,
  dependsOn: readonly string[],
  causesOf: (check: string) => Causes | undefined,
): Explained {
  if (result.outcome === 'unknown' && !broken) {
    for (const check of dependsOn) {
      for (const key of [causeKeyOf(subject), ...subject.related]) {
        const cause = causesOf(check)?.get(key)
        if (cause === undefined) continue
        return { result: { ...result, outcome: 'skip', unknowns: [], skippedBecause: waitsFor(cause) }, cause }
      }
    }
  }
  return isTrouble ? { result, cause: result } : { result }
}

function waitsFor({ check, subject, outcome }: Result): string {
  const state = outcome === 'fail' ? 'is failing' : outcome === 'unknown' ? 'is unknown' : 'has findings'
  return `Waits for ${check} on ${keyOf(subject)}, which ${state}.`
}
