export type { Credentials, Endpoint, Reading, ReadRequest, VCenterClient } from './client.ts'
export { problemOf, VSphereError } from './errors.ts'
export { Rejections } from './rejections.ts'
export { type VCenterAccess, VCenterSessions } from './sessions.ts'
export { defaultVSphereSettings, type VSphereSettings } from './settings.ts'
export type {
  Latency,
  ObjectId,
  PolicyName,
  Privileges,
  RecentTask,
  Tag,
  TagCategory,
  Tags,
  VCenterSources,
} from './sources/model.ts'
export { createVCenterClient } from './vcenter.ts'
