import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SourceError } from '../source-error.ts'
import type { Environment, KubeAccess } from './access.ts'

/** Where Kubernetes mounts the account of a pod. */
const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The access that a pod has by its service account; undefined outside of one. */
export async function inClusterAccess(
  env: Environment,
  directory = serviceAccountDirectory,
): Promise<KubeAccess | undefined> {
  const host = env['KUBERNETES_SERVICE_HOST']
  const port = env['KUBERNETES_SERVICE_PORT'] ?? '443'
  if (!host) return undefined
  const namespace = await readFile(join(directory, 'namespace'), 'utf8').catch(() => 'default')
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    description: 'the cluster that this runs in',
    advice: `Is the service account mounted at ${directory}, and may the pod reach the API server?`,
    remedies: {
      unknownAuthority: `give that authority in ${join(directory, 'ca.crt')}`,
      otherName: 'give a name that it is for as KUBERNETES_SERVICE_HOST',
    },
    // A proxy for what is outside cannot reach the address of a Service, and NO_PROXY is easily forgotten.
    proxy: 'none',
    namespace: namespace.trim(),
    async identity() {
      const [token, ca] = await Promise.all([mounted(directory, 'token'), mounted(directory, 'ca.crt')])
      return { headers: { authorization: `Bearer ${token.trim()}` }, tls: { ca, rejectUnauthorized: true } }
    },
    refused() {},
  }
}

async function mounted(directory: string, name: string): Promise<string> {
  const file = join(directory, name)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(`${file} cannot be read (${error.code}). Let the pod mount its service account's token.`)
  })
  if (text.trim() === '') throw new SourceError(`${file} is empty. Let the pod mount its service account's token.`)
  return text
}
