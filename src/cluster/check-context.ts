import { withoutCsiSecrets, withoutSecrets } from '../cloud-config/index.ts'
import type { CheckContext, Read, VCenterState } from '../framework/context.ts'
import { deepFreeze } from '../framework/freeze.ts'
import { credentialsSeen } from './credentials-seen.ts'
import type { ClusterReading } from './source.ts'

/** What checks see of a reading and of its vCenters: nothing that they could change, and no credential. */
export function contextOf(reading: ClusterReading, vcenters: readonly VCenterState[], takenAt: Date): CheckContext {
  const { kube, nodesInPart, cloudConfig, csiConfig = notLookedFor } = reading
  return deepFreeze({
    takenAt,
    kube,
    ...(nodesInPart === undefined ? {} : { nodesInPart }),
    cloudConfig: mapped(cloudConfig, withoutSecrets),
    csiConfig: mapped(csiConfig, withoutCsiSecrets),
    credentials: credentialsSeen(reading),
    vcenters,
  })
}

export const notLookedFor = { state: 'absent', why: 'This source does not look for it.' } as const

function mapped<T>(read: Read<T>, change: (value: T) => T): Read<T> {
  return read.state === 'read' ? { ...read, value: change(read.value) } : read
}
