import { latencyCounter } from './entity-methods.ts'
import type { ManagedObject } from './managed-object.ts'
import { rootFolder } from './placement.ts'
import type { Session } from './sessions.ts'
import type { VCenter } from './vcenter.ts'
import {
  choice,
  type DataObject,
  data,
  dataObjects,
  dateTime,
  type Fields,
  flag,
  int,
  type Reference,
  reference,
  references,
  text,
} from './vim-value.ts'
import { privilegesOf, type SimulatedTask, type SimulatedWorld } from './world.ts'

/** The objects that are there once per vCenter, under the ids that ServiceContent tells. */
const refs = {
  sessionManager: reference('SessionManager', 'SessionManager'),
  propertyCollector: reference('PropertyCollector', 'propertyCollector'),
  viewManager: reference('ViewManager', 'ViewManager'),
  searchIndex: reference('SearchIndex', 'SearchIndex'),
  authorizationManager: reference('AuthorizationManager', 'AuthorizationManager'),
  perfManager: reference('PerformanceManager', 'PerfMgr'),
  taskManager: reference('TaskManager', 'TaskManager'),
}

/** What a client reads first, without a session: who this is, and where everything starts. */
export function serviceContent(vcenter: VCenter): DataObject {
  return data('ServiceContent', { ...refs, rootFolder, about: about(vcenter) })
}

/** The services as one session sees them, by id. */
export function services(session: Session, { world }: VCenter): ReadonlyMap<string, ManagedObject> {
  const service = (ref: Reference, properties: Fields = {}) => [ref.id, { ref, properties: () => properties }] as const
  const tasks = (world.tasks ?? []).map((task, n) => ({ task, ref: reference('Task', `task-${n + 1}`) }))
  return new Map([
    service(refs.sessionManager, { currentSession: userSession(session) }),
    service(refs.propertyCollector),
    service(refs.viewManager),
    service(refs.searchIndex),
    service(refs.authorizationManager, { privilegeList: dataObjects('AuthorizationPrivilege', privilegeList(world)) }),
    service(refs.perfManager, { perfCounter: dataObjects('PerfCounterInfo', [latencyCounter]) }),
    service(refs.taskManager, { recentTask: references(tasks.map((each) => each.ref)) }),
    ...tasks.map(({ ref, task }) => service(ref, { info: taskInfo(ref, task) })),
  ])
}

function privilegeList(world: SimulatedWorld): readonly DataObject[] {
  return privilegesOf(world).map((id) =>
    data('AuthorizationPrivilege', {
      privId: text(id),
      onParent: flag(false),
      name: text(id.split('.').at(-1) ?? id),
      privGroupName: text(id.split('.').slice(0, -1).join('.')),
    }),
  )
}

function taskInfo(ref: Reference, { description, state, entityName }: SimulatedTask): DataObject {
  return data('TaskInfo', {
    key: text(ref.id),
    task: ref,
    descriptionId: text(description),
    entityName: entityName === undefined ? undefined : text(entityName),
    state: choice('TaskInfoState', state),
    cancelled: flag(false),
    cancelable: flag(false),
  })
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
