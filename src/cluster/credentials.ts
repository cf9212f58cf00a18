import type { Credentials } from '../vsphere/client.ts'
import { type ManifestOf, secretData } from './manifests.ts'

/** The pairs `<server>.username` and `<server>.password` of a secret, by server. Half a pair is none. */
export function credentialsIn(secret: ManifestOf<'Secret'>): ReadonlyMap<string, Credentials> {
  const data = secretData(secret)
  const pairs = new Map<string, Credentials>()
  for (const [key, user] of Object.entries(data)) {
    if (!key.endsWith('.username')) continue
    const server = key.slice(0, -'.username'.length)
    const password = data[`${server}.password`]
    if (password !== undefined) pairs.set(server, { user, password })
  }
  return pairs
}
