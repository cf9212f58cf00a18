import { readFile } from 'node:fs/promises'
import { SourceError } from '../source-error.ts'
import type { Environment, Identity, KubeAccess, TlsIdentity } from './access.ts'
import { ExecPlugin, type PluginCredentials } from './exec-plugin.ts'
import { type KubeCluster, type Kubeconfig, type KubeUser, pathIn, readKubeconfig, type Written } from './kubeconfig.ts'

export interface KubeconfigOptions {
  /** Without one KUBECONFIG counts, and after that ~/.kube/config. */
  readonly kubeconfig?: string
  /** Without one the current context of the file. */
  readonly context?: string
}

/** The access that a context of a kubeconfig gives. */
export async function kubeconfigAccess(options: KubeconfigOptions, env: Environment): Promise<KubeAccess> {
  const config = await readKubeconfig(options.kubeconfig, env)
  const { name, cluster, user, namespace } = chosen(config, options.context)
  const files = config.files.join(', ')
  const server = urlOf(cluster.value.server, `server of cluster ${cluster.name} in ${cluster.file}`)
  const proxyUrl = cluster.value['proxy-url']
  const proxy = proxyUrl ? proxyOf(proxyUrl, `proxy-url of cluster ${cluster.name} in ${cluster.file}`) : undefined
  refuseUnsupported(user)
  const { exec } = user.value
  const plugin = exec ? new ExecPlugin(exec, { cluster: cluster.value, file: user.file, env }) : undefined

  const who = user.name === '' ? ', and that the context names no user,' : ` and user ${user.name}`

  return {
    server,
    description: `context ${name} of ${files}`,
    advice: `Look at cluster ${cluster.name}${who} in ${files}; "kubectl --context ${name} get nodes" must work.`,
    namespace,
    ...(proxy === undefined ? {} : { proxy }),
    async identity(signal): Promise<Identity> {
      const own = await plugin?.credentials(signal)
      return {
        headers: { ...(await authorization(user, own)), ...impersonation(user.value) },
        tls: { ...(await serverTrust(cluster)), ...(await clientCertificate(user, own)) },
      }
    },
    refused: () => plugin?.forget(),
  }
}

type Named<T> = Written<T> & { readonly name: string }

function chosen(config: Kubeconfig, wanted: string | undefined) {
  const files = config.files.join(', ')
  const name = wanted ?? config.currentContext
  const known = [...config.contexts.keys()]
  const choice = known.length === 0 ? 'It has none.' : `There are: ${known.join(', ')}.`
  if (name === '') throw new SourceError(`${files} has no current context. Name one. ${choice}`)
  const context = config.contexts.get(name)
  if (context === undefined) throw new SourceError(`${files} has no context ${name}. ${choice}`)
  const part = <T>(what: string, entries: ReadonlyMap<string, Written<T>>, key: string): Named<T> => {
    const entry = entries.get(key)
    if (entry !== undefined) return { ...entry, name: key }
    throw new SourceError(`Context ${name} of ${files} names ${what} "${key}", which is not there. Repair the context.`)
  }
  return {
    name,
    cluster: part('cluster', config.clusters, context.value.cluster ?? ''),
    user: context.value.user ? part('user', config.users, context.value.user) : nobody(context.file),
    namespace: context.value.namespace || 'default',
  }
}

/** Who calls without a user, as kubectl takes it too: a gateway in front may know who that is. */
function nobody(file: string): Named<KubeUser> {
  return { name: '', file, value: {} }
}

function urlOf(value: string, what: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new SourceError(`The ${what} is no https:// address. Repair it.`)
}

function proxyOf(value: string, what: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url
  throw new SourceError(`The ${what} is no http:// or https:// address; other kinds of proxy are not supported.`)
}

function refuseUnsupported({ value, name, file }: Named<KubeUser>): void {
  if (value['auth-provider'] === undefined || value['auth-provider'] === null) return
  throw new SourceError(
    `User ${name} in ${file} uses auth-provider, which Kubernetes has given up. Use its exec plugin or a token.`,
  )
}

async function authorization({ value, file, name }: Named<KubeUser>, own: PluginCredentials | undefined) {
  const { token, tokenFile, username, password } = value
  if (own?.token) return { authorization: `Bearer ${own.token}` }
  if (tokenFile) return { authorization: `Bearer ${(await fileOf(file, tokenFile, `token of user ${name}`)).trim()}` }
  if (token) return { authorization: `Bearer ${token}` }
  if (!username) return {}
  return { authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` }
}

function impersonation(user: KubeUser): Identity['headers'] {
  const { as, 'as-uid': uid, 'as-groups': groups } = user
  return {
    ...(as ? { 'impersonate-user': as } : {}),
    ...(uid ? { 'impersonate-uid': uid } : {}),
    ...(groups?.length ? { 'impersonate-group': groups } : {}),
  }
}

async function serverTrust({ value, file, name }: Named<KubeCluster>): Promise<TlsIdentity> {
  const ca = await pemOf(
    file,
    value['certificate-authority-data'],
    value['certificate-authority'],
    `CA of cluster ${name}`,
  )
  const servername = value['tls-server-name']
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(servername ? { servername } : {}),
    rejectUnauthorized: value['insecure-skip-tls-verify'] !== true,
  }
}

async function clientCertificate({ value, file, name }: Named<KubeUser>, own: PluginCredentials | undefined) {
  if (own?.cert && own.key) return { cert: own.cert, key: own.key }
  const [cert, key] = await Promise.all([
    pemOf(file, value['client-certificate-data'], value['client-certificate'], `client certificate of user ${name}`),
    pemOf(file, value['client-key-data'], value['client-key'], `client key of user ${name}`),
  ])
  if ((cert === undefined) !== (key === undefined)) {
    const [has, lacks] = cert === undefined ? ['key', 'certificate'] : ['certificate', 'key']
    throw new SourceError(`User ${name} in ${file} has a client ${has} and no client ${lacks}. Add it.`)
  }
  return cert === undefined || key === undefined ? {} : { cert, key }
}

/** Data goes before a file. */
async function pemOf(
  file: string,
  data: string | null | undefined,
  path: string | null | undefined,
  what: string,
): Promise<string | undefined> {
  if (!data && !path) return undefined
  const text = data ? Buffer.from(data, 'base64').toString('utf8') : await fileOf(file, path ?? '', what)
  if (text.includes('-----BEGIN ')) return text
  const where = data ? file : pathIn(file, path ?? '')
  throw new SourceError(
    `The ${what} in ${where} is no PEM${data ? ' in base64' : ''}. Fetch it again from the cluster.`,
  )
}

async function fileOf(kubeconfig: string, path: string, what: string): Promise<string> {
  const file = pathIn(kubeconfig, path)
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SourceError(`The ${what}, ${file}, cannot be read (${error.code}). Repair ${kubeconfig}.`)
  })
}
