export { type CsiConfig, type CsiSnapshotLimits, type CsiVCenter, withoutCsiSecrets } from './csi-model.ts'
export { isQualifiedUser, readCsiConfig } from './csi-read.ts'
export { type Attempt, CloudConfigError, type CloudConfigErrorDetails, type CloudConfigReason } from './error.ts'
export {
  type CloudConfig,
  type CloudConfigGlobal,
  type CloudConfigVCenter,
  type Origin,
  type Position,
  type PositionLookup,
  secretOf,
  type Warning,
  type Workspace,
  withoutSecrets,
} from './model.ts'
export { type ReadOptions, readCloudConfig } from './read.ts'
