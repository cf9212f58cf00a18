import { outcomeOf } from '../framework/result.ts'
import type { CheckRun } from '../framework/run-all.ts'
import { titlesOf } from '../manifest-files/manifest-objects.ts'
import { type Flaw, positionIn } from './flaw.ts'
import type { Recognised } from './recognise.ts'
import { isUsed } from './used.ts'
import type { LintWorld } from './world.ts'

/** The reason for a file that is in order and none of our business. */
export const notLookedAt = 'NotLookedAt'

/** What is wrong with the files themselves, in the form of a check, so that it is reported like everything else. */
export function inputRun(files: readonly Recognised[], world: LintWorld): CheckRun {
  const findings = [...files.flatMap((file) => notRecognised(file, world)), ...world.flaws]
  const { takenAt } = world.context
  return {
    check: 'lint-input',
    results: [
      {
        check: 'lint-input',
        title: 'Files hold what they are taken for',
        scope: 'cluster',
        subject: { kind: 'cluster', name: 'cluster' },
        outcome: outcomeOf(findings, []),
        severity: 'error',
        findings,
        unknowns: [],
        checkedAt: takenAt.toISOString(),
      },
    ],
    samples: [],
    ranAt: takenAt,
    durationSeconds: 0,
    complete: true,
  }
}

/** Manifests of other kinds belong in a folder of manifests; anything else was probably named by mistake. */
function notRecognised(recognised: Recognised, world: LintWorld): Flaw[] {
  const { file, objects } = recognised
  if (isUsed(recognised, world) || world.flaws.some(({ position }) => position.file === file.name)) return []
  const position = positionIn(file, 0)
  if (objects.length > 0)
    return [{ reason: notLookedAt, severity: 'info', message: `No check looks at ${titlesOf(objects, 3)}.`, position }]
  return [
    {
      reason: 'NotRecognised',
      severity: 'warning',
      message:
        'Neither a cloud config nor a Kubernetes manifest nor an install-config, so nothing in it was looked at.',
      remedy: 'Leave the file out, or correct what keeps it from being recognised.',
      position,
    },
  ]
}
