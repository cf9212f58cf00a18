import { KubeError } from '../../../src/cluster/kubernetes/errors.ts'
import { LeaderElection, type LeaseSettings } from '../../../src/cluster/kubernetes/lease.ts'
import type { LeaseStore, StoredLease } from '../../../src/cluster/kubernetes/lease-store.ts'

/** A lease in memory that behaves as one in a cluster: whoever writes over an old version is refused. */
export class SharedLease {
  stored: StoredLease | undefined
  #version = 0

  /** What one replica sees of it. A replica can be cut off: `refuse` fails, `hang` never answers. */
  storeFor(link: { mode: 'works' | 'refuse' | 'hang' }): LeaseStore {
    const reach = async () => {
      if (link.mode === 'hang') await new Promise(() => {})
      if (link.mode === 'refuse') throw new KubeError('unreachable', 'The API server cannot be reached.')
    }
    return {
      name: 'vpd/leader',
      read: async () => {
        await reach()
        return this.stored
      },
      write: async (record, over) => {
        await reach()
        if (over?.version !== this.stored?.version) throw new KubeError('conflict', 'Somebody else was faster.')
        this.stored = { record, version: String(++this.#version) }
        return this.stored
      },
    }
  }
}

export const settings: LeaseSettings = { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 }

export interface Replica {
  readonly name: string
  readonly election: LeaderElection
  readonly link: { mode: 'works' | 'refuse' | 'hang' }
}

/** A replica that writes into the log what happens to it: `a+` when it leads, `a-` when no longer. */
export function replica(name: string, lease: SharedLease, log: string[], clock?: () => number): Replica {
  const link: Replica['link'] = { mode: 'works' }
  const candidate = {
    identity: name,
    onGain: () => void log.push(`${name}+`),
    onLoss: () => void log.push(`${name}-`),
  }
  return { name, link, election: new LeaderElection(lease.storeFor(link), candidate, settings, clock) }
}
