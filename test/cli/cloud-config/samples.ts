/** An INI file as it was written for years, with a password of its own for one vCenter. */
export const INI = `; written by hand
[Global]
secret-name = "vsphere-creds"
secret-namespace = "kube-system"
insecure-flag = "1"

[VirtualCenter "vc1.example.com"]
datacenters = "DC0, DC1"
port = "8443"

[Workspace]
server = "vc1.example.com"
datacenter = "DC0"
default-datastore = "ds0"
folder = "/DC0/vm/cluster"
resourcepool-path = "/DC0/host/C0/Resources"

[Labels]
region = "openshift-region"
zone = "openshift-zone"
`

/** The same in YAML. */
export const MIGRATED = `global:
  insecureFlag: true
  secretName: "vsphere-creds"
  secretNamespace: "kube-system"
vcenter:
  "vc1.example.com":
    server: "vc1.example.com"
    port: 8443
    datacenters:
      - "DC0"
      - "DC1"
labels:
  zone: "openshift-zone"
  region: "openshift-region"
`

/** Two vCenters with user and password in the file, one of them inherited. */
export const YAML = `# both datacentres
global:
  user: svc@vsphere.local
  password: "pa:ss#word"
vcenter:
  vc1.example.com:
    server: vc1.example.com
    datacenters: [DC0]
  vc2.example.com:
    server: vc2.example.com
    user: CORP\\svc
    password: another-secret
    insecureFlag: yes
    ca-file: /etc/ca.pem
`

export const SECRETS = ['pa:ss#word', 'another-secret']

export const indented = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by))

/** A ConfigMap with this text in a literal block from line 10 on. */
export const configMap = (text: string): string => `# kept as it is
apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-provider-config
  namespace: openshift-config
data:
  ca-bundle.pem: "not ours" # nor this
  config: | # written by the installer
${indented(text, 4)}  # the end
  enable: 'yes'
`

export const INFRASTRUCTURE = `apiVersion: config.openshift.io/v1
kind: Infrastructure
metadata:
  name: cluster
spec:
  cloudConfig: {name: cloud-provider-config, key: config}
  platformSpec:
    type: VSphere
    vsphere:
      vcenters:
      - {server: vc1.example.com, datacenters: [DC0]}
      - {server: vc2.example.com, datacenters: [DC2]}
      failureDomains:
      - {name: east, region: east, zone: east-1a, server: vc1.example.com, topology: {datacenter: DC0}}
      - {name: west, region: west, zone: west-1a, server: vc2.example.com, topology: {datacenter: DC2}}
status:
  infrastructureName: cluster-x7k2p
`

/** Credentials for a secret, each half of a pair by its key. */
export const credentials = (data: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'vsphere-creds', namespace: 'kube-system' },
    data: Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value).toString('base64')] as const),
    ),
  })

export const LOGINS = {
  'vc1.example.com.username': 'CORP\\svc-csi',
  'vc1.example.com.password': 'a"b\\c#d;e`f',
  'vc2.example.com.username': 'svc-csi@vsphere.local',
  'vc2.example.com.password': 'tail\\',
}
