import type { CloudConfig, CloudConfigVCenter } from '../../cloud-config/index.ts'

/** The documented shape of `-o json`. Every field is named, so that it does not change by itself. */
export function showJson({ format, vcenters, labels, global, nodes, legacy, workspace, warnings }: CloudConfig) {
  return {
    format,
    // Defines each key, so that a vCenter named __proto__ is one like any other.
    vcenters: Object.fromEntries([...vcenters].map(([key, vcenter]) => [key, vcenterJson(vcenter)])),
    labels,
    global,
    nodes,
    legacy,
    ...(workspace === undefined ? {} : { workspace }),
    warnings,
  }
}

function vcenterJson(vcenter: CloudConfigVCenter) {
  const { server, port, insecure, user, password, secretRef } = vcenter
  const { datacenters, datacentersRaw, caFile, thumbprint, roundTripCount, ipFamily } = vcenter
  const { secretName, secretNamespace } = vcenter
  return {
    server,
    port,
    insecure,
    user,
    password,
    secretRef,
    // Only of an entry that has a secret of its own, be it half of one.
    ...(secretName === '' ? {} : { secretName }),
    ...(secretNamespace === '' ? {} : { secretNamespace }),
    datacenters,
    datacentersRaw,
    caFile,
    thumbprint,
    roundTripCount,
    ipFamily,
  }
}
