import type { ManagedObject } from './managed-object.ts'
import { rootFolder } from './placement.ts'
import type { Session } from './sessions.ts'
import type { VCenter } from './vcenter.ts'
import {
  type DataObject,
  data,
  dateTime,
  type Fields,
  flag,
  int,
  type Reference,
  reference,
  text,
} from './vim-value.ts'

/** The objects that are there once per vCenter, under the ids that ServiceContent tells. */
const refs = {
  sessionManager: reference('SessionManager', 'SessionManager'),
  propertyCollector: reference('PropertyCollector', 'propertyCollector'),
  viewManager: reference('ViewManager', 'ViewManager'),
  searchIndex: reference('SearchIndex', 'SearchIndex'),
}

/** What a client reads first, without a session: who this is, and where everything starts. */
export function serviceContent(vcenter: VCenter): DataObject {
  return data('ServiceContent', { ...refs, rootFolder, about: about(vcenter) })
}

/** The services as one session sees them, by id. */
export function services(session: Session): ReadonlyMap<string, ManagedObject> {
  const service = (ref: Reference, properties: Fields = {}) => [ref.id, { ref, properties: () => properties }] as const
  return new Map([
    service(refs.sessionManager, { currentSession: userSession(session) }),
    service(refs.propertyCollector),
    service(refs.viewManager),
    service(refs.searchIndex),
  ])
}

export function userSession(session: Session): DataObject {
  return data('UserSession', {
    key: text(session.key),
    userName: text(session.user),
    fullName: text(session.user),
    loginTime: dateTime(session.createdAt),
    lastActiveTime: dateTime(session.lastActiveAt),
    locale: text('en'),
    messageLocale: text('en'),
    extensionSession: flag(false),
    ipAddress: text('127.0.0.1'),
    userAgent: session.userAgent === '' ? undefined : text(session.userAgent),
    callCount: int(session.callCount),
  })
}

function about(vcenter: VCenter): DataObject {
  const { version, apiVersion, build, instanceUuid, fullName } = vcenter.about
  return data('AboutInfo', {
    name: text('VMware vCenter Server'),
    fullName: text(fullName),
    vendor: text('VMware, Inc.'),
    version: text(version),
    build: text(build),
    localeVersion: text('INTL'),
    localeBuild: text('000'),
    osType: text('linux-x64'),
    productLineId: text('vpx'),
    apiType: text('VirtualCenter'),
    apiVersion: text(apiVersion),
    instanceUuid: text(instanceUuid),
    licenseProductName: text('VMware VirtualCenter Server'),
    licenseProductVersion: text(version),
  })
}
