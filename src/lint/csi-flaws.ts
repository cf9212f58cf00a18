import type { CsiConfig } from '../cloud-config/index.ts'
import { type Chosen, positionInConfig } from './config-place.ts'
import type { Flaw } from './flaw.ts'

/** What the configuration of the CSI driver says in vain. Of one that it refuses, the check tells. */
export function csiFlaws(csiConfig: Chosen<CsiConfig>): readonly Flaw[] {
  const { read } = csiConfig
  if (read.state !== 'read') return []
  return read.value.warnings.flatMap(({ line, column, message }) => {
    const position = positionInConfig(csiConfig, [line, column])
    if (position === undefined) return []
    return [{ reason: 'CsiWrittenInVain', severity: 'warning', message: `The CSI driver: ${message}.`, position }]
  })
}
