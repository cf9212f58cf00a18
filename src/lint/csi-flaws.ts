import type { CsiConfig } from '../cloud-config/index.ts'
import { type Chosen, positionInConfig } from './config-place.ts'
import type { Flaw } from './flaw.ts'

/** What the configuration of the CSI driver says in vain. Of one that it refuses, the check tells. */
export function csiFlaws(csiConfig: Chosen<CsiConfig>): readonly Flaw[] {
  const { read } = csiConfig
  if (read.state !== 'read') return []
  return read.value.warnings.flatMap(({ line, column, message, on }) => {
    const position = positionInConfig(csiConfig, [line, column])
    if (position === undefined) return []
    // Which release reads it cannot be told from files.
    const severity = on === 'newer CSI drivers' ? 'info' : 'warning'
    return [{ reason: 'CsiWrittenInVain', severity, message: `The CSI driver: ${message}.`, position }]
  })
}
