import { stringify } from 'yaml'
import { aFolder } from '../../support/files.ts'
import { vpd } from '../../support/io.ts'
import { credentials, INFRASTRUCTURE, INI, LOGINS } from './samples.ts'

export const CLOUD = `global:
  secretName: vsphere-creds
  secretNamespace: kube-system
vcenter:
  vc2.example.com: {server: vc2.example.com, datacenters: [DC2], insecureFlag: true}
  vc1.example.com: {server: vc1.example.com, datacenters: [DC0, "DC #1"], port: 8443, thumbprint: "AA:BB"}
`

export const RENDERED = `[Global]
cluster-id = "cluster-x7k2p"

[VirtualCenter "vc1.example.com"]
insecure-flag = false
user = "CORP\\\\svc-csi"
password = "a\\"b\\\\c#d;e\`f"
port = "8443"
datacenters = "DC0,DC #1"
thumbprint = "AA:BB"

[VirtualCenter "vc2.example.com"]
insecure-flag = true
user = "svc-csi@vsphere.local"
password = "tail\\\\"
datacenters = "DC2"

[Labels]
topology-categories = "openshift-zone,openshift-region"
`

export interface Files {
  readonly cloud?: string
  readonly infra?: string
  readonly creds?: string
  readonly driver?: string
}

/** Renders from files called cloud, infra, creds and driver; messages name them without their folder. */
export async function render(files: Files, flags: readonly string[] = [], terminal = false) {
  const { cloud = CLOUD, infra = INFRASTRUCTURE, creds = credentials(LOGINS), driver } = files
  const folder = aFolder({ cloud, infra, creds, ...(driver === undefined ? {} : { driver }) })
  const inputs = ['--cloud-config', 'cloud', '--infrastructure', 'infra', '--credentials', 'creds']
  const args = [...inputs, ...(driver === undefined ? [] : ['--cluster-csi-driver', 'driver'])]
  const paths = args.map((arg) => (arg.startsWith('--') ? arg : `${folder}/${arg}`))
  const ran = await vpd(['config', 'render', 'csi', ...paths, ...flags], {}, { terminal })
  return { ...ran, stderr: ran.stderr.replaceAll(`${folder}/`, '') }
}

/** The same with one vCenter and one failure domain. */
export const oneVCenter = INFRASTRUCTURE.replace(/^.*vc2\.example\.com.*\n/gm, '')
export const ONE: Files = { cloud: INI, infra: oneVCenter }
export const aDriver = (vSphere: object) =>
  stringify({
    apiVersion: 'operator.openshift.io/v1',
    kind: 'ClusterCSIDriver',
    metadata: { name: 'csi.vsphere.vmware.com' },
    spec: { driverConfig: { driverType: 'vSphere', vSphere } },
  })
