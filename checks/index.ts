import type { Check } from '../src/framework/check.ts'
import { cloudConfigFormat } from './cloud-config-format.ts'
import { credentials } from './credentials.ts'
import { csiConfig } from './csi-config.ts'
import { datacenterConsistency } from './datacenter-consistency.ts'
import { failureDomainVcenters } from './failure-domain-vcenters.ts'
import { infraCloudConfig } from './infra-cloud-config.ts'
import { nodeVcenterMapping } from './node-vcenter-mapping.ts'
import { vcenterConnection } from './vcenter-connection.ts'
import { vcenterCount } from './vcenter-count.ts'
import { vcenterInUse } from './vcenter-in-use.ts'
import { vmHardwareVersion } from './vm-hardware-version.ts'

/** The checks of this folder. A test finds a file that has no line here. */
export const builtinChecks: readonly Check[] = [
  cloudConfigFormat,
  credentials,
  csiConfig,
  datacenterConsistency,
  failureDomainVcenters,
  infraCloudConfig,
  nodeVcenterMapping,
  vcenterConnection,
  vcenterCount,
  vcenterInUse,
  vmHardwareVersion,
]
