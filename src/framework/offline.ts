import { type Check, defineCheck, NotApplicable } from './check.ts'
import { needsVCenter } from './view.ts'

/** The check as it stands where no vCenter is looked at: itself if it needs none, else one skip that says why. */
export function withoutVCenter(check: Check, why: string): Check {
  if (!needsVCenter(check.needs)) return check
  const { id, title, help, severity, options } = check
  return defineCheck({
    id,
    title,
    help,
    severity,
    options,
    scope: 'cluster',
    needs: {},
    run() {
      throw new NotApplicable(`No vCenter was looked at: ${why}`)
    },
  })
}
