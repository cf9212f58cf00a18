import { randomBytes } from 'node:crypto'
import type { KubeClient } from '../cluster/kubernetes/client.ts'
import { LeaderElection } from '../cluster/kubernetes/lease.ts'
import { leaseStore } from '../cluster/kubernetes/lease-store.ts'
import type { Settings } from '../config/index.ts'
import type { Log } from '../logging.ts'

/** Which of several replicas works. */
export interface Leadership {
  readonly isLeader: boolean
  /** Who leads, as far as is known; empty if nobody does. */
  readonly holder: string
  /**
   * `onLoss` is called while there is still time to stop; another replica begins only after that. `onWait` is called each
   * time that another is seen to lead.
   */
  start(onGain: () => void, onLoss: (why: string) => void, onWait: () => void): void
  /** Lets another replica lead. To be called when the work has ended. */
  stop(): Promise<void>
}

/** Leadership by a Lease of Kubernetes. */
export function leaseLeadership(options: {
  readonly client: KubeClient
  readonly namespace: string
  readonly settings: Settings['leaderElection']
  /** The name of the pod. */
  readonly replica: string
  readonly log: Log
}): Leadership {
  const { client, namespace, settings, replica, log } = options
  let onGain = () => {}
  let onLoss = (_why: string) => {}
  let onWait = () => {}
  const election = new LeaderElection(
    leaseStore(client, { namespace: settings.namespace ?? namespace, name: settings.name }),
    {
      // A restarted pod is another candidate: what its predecessor began may still be under way.
      identity: `${replica}_${randomBytes(4).toString('hex')}`,
      onGain: () => onGain(),
      onLoss: (why) => onLoss(why),
      onWait: () => onWait(),
      onProblem: (problem) => log.warn({ problem }, 'Cannot take part in the election of a leader'),
    },
    {
      leaseMs: settings.leaseSeconds * 1000,
      renewDeadlineMs: settings.renewSeconds * 1000,
      retryMs: settings.retrySeconds * 1000,
    },
  )
  return {
    get isLeader() {
      return election.isLeader
    },
    get holder() {
      return election.holder
    },
    start(gained, lost, waits) {
      onGain = gained
      onLoss = lost
      onWait = waits
      election.start()
    },
    stop: () => election.stop(),
  }
}
