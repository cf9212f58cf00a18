import type { CsiConfig } from '../cloud-config/index.ts'
import type { CheckContext } from '../framework/context.ts'
import { type Chosen, positionInConfig } from './config-place.ts'
import type { Flaw } from './flaw.ts'

/**
 * What the configuration of the CSI driver says in vain, and, where there is nothing to compare it with so that no check
 * looks at it, why the driver would refuse it.
 */
export function csiFlaws(csiConfig: Chosen<CsiConfig>, { kube, cloudConfig }: CheckContext): readonly Flaw[] {
  const { read } = csiConfig
  if (read.state === 'read')
    return read.value.warnings.flatMap(({ line, column, message }) => {
      const position = positionInConfig(csiConfig, [line, column])
      if (position === undefined) return []
      return [
        { reason: 'CsiWrittenInVain', severity: 'warning' as const, message: `The CSI driver: ${message}.`, position },
      ]
    })
  const isCompared = kube.infrastructure.state === 'read' && cloudConfig.state === 'read'
  const position = positionInConfig(csiConfig, [])
  if (read.state !== 'broken' || isCompared || position === undefined) return []
  const remedy = 'Correct it, or let "vpd config render csi" write it anew.'
  return [{ reason: 'CsiConfigBroken', severity: 'error', message: read.why, remedy, position }]
}
