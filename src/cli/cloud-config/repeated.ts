import type { CloudConfig } from '../../cloud-config/index.ts'
import { UsageError } from '../../usage-error.ts'
import { type Located, placeOf } from './located.ts'

/**
 * The cloud provider merges or replaces an entry that is given twice without a word. What is written from such a file would
 * make that final, so a person decides first.
 */
export function refuseRepeatedVCenters({ warnings }: CloudConfig, located: Located): void {
  const twice = warnings.find(({ repeats }) => repeats === 'vcenter')
  if (twice !== undefined)
    throw new UsageError(`${placeOf(located, twice)}: ${twice.message}; keep one of them and try again.`)
}

/** Two entries for one server are two for the cloud provider as well, and nothing of them is lost: it is only worth a word. */
export function toldOfRepeatedServers({ warnings }: CloudConfig, located: Located): readonly string[] {
  return warnings
    .filter(({ repeats }) => repeats === 'server')
    .map((twice) => `${placeOf(located, twice)}: ${twice.message}; keep one of them, unless two are meant.`)
}
