import type { CloudConfig } from '../../cloud-config/index.ts'
import { UsageError } from '../io.ts'
import { type Located, placeOf } from './located.ts'

/**
 * The cloud provider merges or replaces a vCenter that is given twice without a word. What is written from such a file
 * would make that final, so a person decides first.
 */
export function refuseRepeatedVCenters({ warnings }: CloudConfig, located: Located): void {
  const twice = warnings.find(({ repeats }) => repeats === 'vcenter')
  if (twice !== undefined)
    throw new UsageError(`${placeOf(located, twice)}: ${twice.message}; keep one of them and try again.`)
}
