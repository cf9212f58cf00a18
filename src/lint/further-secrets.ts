import { credentialHygiene, readCredentials, type SecretData } from '../cloud-config/index.ts'
import { secretData } from '../cluster/manifests.ts'
import type { ClusterReading } from '../cluster/source.ts'
import { vcentersOf } from '../cluster/vcenters.ts'
import type { CredentialsSeen } from '../framework/context.ts'
import type { Gathered } from './gather.ts'

/** What is wrong with the secrets that hold logins too, beside the one that a reading trusts most. */
export function furtherSecrets(
  gathered: Gathered,
  reading: ClusterReading,
  judged: string | undefined,
): CredentialsSeen[] {
  const vcenters = vcentersOf(reading).map(({ endpoint }) => endpoint.name)
  const wanted = vcenters.filter((server) => !hasOwnLogin(server, reading))
  return [...gathered.objects.values()].flatMap(({ kind, namespace, name }) => {
    const place = `${namespace}/${name}`
    if (kind !== 'Secret' || place === judged) return []
    const data = gathered.heap.one('Secret', { namespace, name }, secretData)
    if (data.state !== 'read' || isEmptied(data.value)) return []
    const isCopy = copies.includes(place)
    const servers = [...readCredentials(data.value).servers.keys()]
    if (!isCopy && !servers.some((server) => vcenters.includes(server))) return []
    return [{ secret: place, findings: credentialHygiene(data.value, isCopy ? { servers: wanted } : {}) }]
  })
}

/** Each of them is to hold the logins of all vCenters. */
const copies = [
  'kube-system/vsphere-creds',
  'openshift-cloud-controller-manager/vsphere-cloud-credentials',
  'openshift-machine-api/vsphere-cloud-credentials',
  'openshift-cluster-storage-operator/vsphere-cloud-credentials',
  'openshift-cluster-csi-drivers/vmware-vsphere-cloud-credentials',
]

/** Whether the cloud config has a login of its own for a server, in plain text or in a secret of its own. */
function hasOwnLogin(server: string, { cloudConfig }: ClusterReading): boolean {
  if (cloudConfig.state !== 'read') return false
  const entry = [...cloudConfig.value.vcenters.values()].find((vcenter) => vcenter.server === server)
  return entry !== undefined && (entry.secretName !== '' || (entry.user !== '' && entry.password !== ''))
}

/** Collected secrets often come with their values taken out. */
function isEmptied(data: SecretData): boolean {
  return Object.values(data).every(({ length }) => length === 0)
}
