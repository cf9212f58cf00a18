export { addVCenter } from './add-vcenter.ts'
export { type CredentialFinding, credentialHygiene, type HygieneOptions } from './credential-hygiene.ts'
export { type Credentials, readCredentials, type SecretData, type ServerCredentials } from './credentials.ts'
export { type CsiConfig, type CsiSnapshotLimits, type CsiVCenter, withoutCsiSecrets } from './csi-model.ts'
export { readCsiConfig } from './csi-read.ts'
export { isQualifiedUser } from './csi-vcenter.ts'
export type { Environment } from './environment.ts'
export { type Attempt, CloudConfigError, type CloudConfigErrorDetails, type CloudConfigReason } from './error.ts'
export { cloudConfigJson, csiConfigJson } from './json.ts'
export { type Migration, migrateToYaml } from './migrate.ts'
export type { Leftover } from './migrate-leftovers.ts'
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
export { withoutServerLogins } from './server-logins.ts'
export { failureDomainOf, failureDomainStanza, type WorkspaceFailureDomain } from './workspace.ts'
export { writeCpiIni } from './write-cpi-ini.ts'
export { type CsiIniInput, type CsiIniVCenter, writeCsiIni } from './write-csi.ts'
export { type IniSectionText, writeIni } from './write-ini.ts'
export { type CpiYamlInput, type SettingsInput, writeCpiYaml } from './write-yaml.ts'
