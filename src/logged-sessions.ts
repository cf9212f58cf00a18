import type { Log } from './logging.ts'
import { type Rejections, VCenterSessions, type VSphereSettings } from './vsphere/index.ts'

/** Sessions of which the log says when one cannot be given back: it stays open there, and a vCenter allows only so many. */
export function loggedSessions(settings: VSphereSettings, rejections: Rejections, log: Log): VCenterSessions {
  return new VCenterSessions(settings, rejections, (vcenter, why) =>
    log.warn(
      { vcenter, why },
      'Cannot log out of a vCenter; the session ends there when it has been idle for long enough',
    ),
  )
}
