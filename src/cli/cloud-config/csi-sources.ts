import type { CloudConfig, SecretData } from '../../cloud-config/index.ts'
import type { Infrastructure } from '../../framework/kube-schema.ts'
import type { Located } from './located.ts'
import type { CsiDriverSettings, Found } from './render-objects.ts'

/** Where a person keeps what the configuration of the CSI driver is made of. */
export interface CsiSources {
  readonly located: Located
  readonly config: CloudConfig
  /** Absent on plain Kubernetes. */
  readonly infrastructure?: Found<Infrastructure & { readonly infrastructureName: string }>
  /** By `namespace/name`; none where the cloud config has the logins itself. */
  readonly secrets: ReadonlyMap<string, Found<SecretData>>
  readonly driver?: Found<CsiDriverSettings>
  readonly clusterId?: string
  readonly migrationDatastoreUrl?: string
}
