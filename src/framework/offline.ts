import type { Check } from './check.ts'
import type { RunSettings } from './run.ts'
import { needsVCenter } from './view.ts'

/** Skips a check that needs a vCenter where none is looked at, and for what reason. */
export function unlessOnline(check: Check, why: string | undefined): Pick<RunSettings, 'skipBecause'> {
  return why === undefined || !needsVCenter(check.needs) ? {} : { skipBecause: `No vCenter was looked at: ${why}` }
}
