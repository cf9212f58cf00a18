import { credentialsSeen } from '../../../src/cluster/credentials-seen.ts'
import type { ClusterReading } from '../../../src/cluster/source.ts'

/** What a reading says of its secrets, a line each: `kube-system/vsphere-creds line-break vc-1.password`. */
export function secretsTold(reading: Omit<ClusterReading, 'endpoints'>): readonly string[] {
  const seen = credentialsSeen({ ...reading, endpoints: new Map() })
  if (seen.state !== 'read') return [`${seen.state}: ${seen.why}`]
  return seen.value.secrets.flatMap(({ secret, servers, findings }) => {
    if (findings.state !== 'read') return [`${secret} ${findings.state}, for ${servers.join(' ')}`]
    const lines = findings.value.map(
      ({ kind, key, copies = [] }) => `${secret} ${[kind, key, ...copies.map((copy) => `also ${copy}`)].join(' ')}`,
    )
    return lines.length === 0 ? [`${secret} clean`] : lines
  })
}
