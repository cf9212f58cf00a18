import type { Check } from '../src/framework/check.ts'
import { failureDomainVcenters } from './failure-domain-vcenters.ts'
import { infraCloudConfig } from './infra-cloud-config.ts'
import { nodeVcenterMapping } from './node-vcenter-mapping.ts'
import { vcenterConnection } from './vcenter-connection.ts'
import { vcenterInUse } from './vcenter-in-use.ts'
import { vmHardwareVersion } from './vm-hardware-version.ts'

/** Every built-in check, by id. A new file in this folder needs a line here; a test says so. */
export const builtinChecks: readonly Check[] = [
  failureDomainVcenters,
  infraCloudConfig,
  nodeVcenterMapping,
  vcenterConnection,
  vcenterInUse,
  vmHardwareVersion,
]
