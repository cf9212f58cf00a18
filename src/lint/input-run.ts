import { titleOf } from '../cli/cloud-config/manifest-objects.ts'
import { outcomeOf } from '../framework/result.ts'
import type { CheckRun } from '../framework/run-all.ts'
import { type Flaw, positionIn } from './flaw.ts'
import { isLookedAt } from './gather.ts'
import type { Recognised } from './recognise.ts'

/** What is wrong with the files themselves, in the form of a check, so that it is reported like everything else. */
export function inputRun(files: readonly Recognised[], flaws: readonly Flaw[], takenAt: Date): CheckRun {
  const findings = [...files.flatMap(notRecognised), ...flaws]
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

/** What each file was taken for, in words. */
export function takenFor({ objects, installConfigs, config }: Recognised): string {
  const parts = [
    ...(config === undefined ? [] : [config === 'csi' ? "the CSI driver's configuration" : 'the cloud config']),
    ...installConfigs.map(() => 'an install-config'),
    ...objects.map((object) => `${titleOf(object)}${isLookedAt(object) ? '' : ' (not looked at)'}`),
  ]
  return parts.join(', ') || 'nothing that is known here'
}

/** Manifests of other kinds belong in a folder of manifests; anything else was probably named by mistake. */
function notRecognised({ file, objects, installConfigs, config }: Recognised): Flaw[] {
  if (config !== undefined || installConfigs.length > 0 || objects.some(isLookedAt)) return []
  const position = positionIn(file, 0)
  if (objects.length > 0) {
    const titles = objects.map(titleOf)
    const message = `No check looks at ${titles.slice(0, 3).join(', ')}${titles.length > 3 ? ` and ${titles.length - 3} more` : ''}.`
    return [{ reason: 'NotLookedAt', severity: 'info', message, position }]
  }
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
