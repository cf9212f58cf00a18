import type { Result } from './result.ts'
import type { Judged } from './run.ts'
import { keyOf } from './subjects.ts'

/** What a check said of each subject, by the subject's key. */
export type Verdicts = ReadonlyMap<string, Result>

/**
 * Where a check could not see, and a check it depends on already reports the trouble, that one is the news: this result
 * is skipped and says what it waits for. A result that has findings of its own keeps them, and a check that broke is
 * always news.
 */
export function explainAway(
  { result, subject, broken }: Judged,
  dependsOn: readonly string[],
  verdicts: ReadonlyMap<string, Verdicts>,
): Result {
  if (result.outcome !== 'unknown' || broken) return result
  for (const check of dependsOn) {
    for (const key of [keyOf(subject), ...subject.related]) {
      const trouble = verdicts.get(check)?.get(key)
      if (trouble === undefined || !isTrouble(trouble)) continue
      return { ...result, outcome: 'skip', unknowns: [], skippedBecause: waitsFor(trouble) }
    }
  }
  return result
}

const prefix = 'Waits for '

function waitsFor(trouble: Result): string {
  // A chain of skips names the check at its root, not every link.
  if (trouble.skippedBecause?.startsWith(prefix)) return trouble.skippedBecause
  return `${prefix}${trouble.check} on ${keyOf(trouble.subject)}, which is ${trouble.outcome === 'fail' ? 'failing' : 'unknown'}.`
}

function isTrouble({ outcome, skippedBecause }: Result): boolean {
  return (
    outcome === 'fail' || outcome === 'unknown' || (outcome === 'skip' && skippedBecause?.startsWith(prefix) === true)
  )
}
