import { furtherKinds } from '../further-manifests.ts'
import { readingFrom } from '../objects.ts'
import type { GivenPlaces } from '../places.ts'
import type { ClusterReading, ClusterSource } from '../source.ts'
import { SourceError } from '../source-error.ts'
import type { Environment, KubeAccess } from './access.ts'
import { KubeClient, type KubeSettings } from './client.ts'
import { KubeError } from './errors.ts'
import { gather, isWatched, type Watched } from './gather.ts'
import { inClusterAccess } from './in-cluster.ts'
import { type KubeconfigOptions, kubeconfigAccess } from './kubeconfig-access.ts'
import { Watches, type WatchSettings } from './watches.ts'

export interface KubernetesOptions extends KubeconfigOptions {
  readonly places?: GivenPlaces
  readonly settings?: Partial<KubeSettings>
  readonly env?: Environment
  readonly watch?: Partial<WatchSettings>
  /** Where the account of a pod is mounted. */
  readonly serviceAccountDirectory?: string
}

export interface KubernetesSource extends ClusterSource {
  /** For what else there is to do in the cluster: leases, Events, reviews of tokens. */
  readonly client: KubeClient
  /** The namespace that we are at home in. */
  readonly namespace: string
}

/**
 * Reads a live cluster: the one that a kubeconfig names, or the one that this runs in. A kubeconfig is tried at once, and
 * a `SourceError` tells what is wrong; in a cluster an API server that is away is waited for.
 */
export async function kubernetesSource(options: KubernetesOptions = {}): Promise<KubernetesSource> {
  const { env = process.env, places = {}, settings = {} } = options
  const inside = await insideCluster(options, env)
  const access = inside ?? (await kubeconfigAccess(options, env))
  const client = new KubeClient(access, settings, env)
  if (inside === undefined) {
    await proved(client, access).catch((error: unknown) => {
      client.close()
      throw error
    })
  }
  let watched: readonly Watched[] = []
  let watches: Watches | undefined
  return {
    description: access.description,
    client,
    namespace: access.namespace,
    async read(signal, wanted = new Set()): Promise<ClusterReading> {
      const gathered = await gather(client, { wanted, places }, signal)
      if (gathered.watched === undefined) {
        watches?.awaitAnswer()
      } else {
        const asked = new Set<string>([...wanted].map((kind) => furtherKinds[kind].kind))
        // What checks that are not due today could not see stays waited for.
        const others = watched.filter(({ kind }) => !isWatched(kind) && !asked.has(kind))
        watched = [...gathered.watched, ...others]
        watches?.reconcile(watched)
      }
      return {
        ...readingFrom(gathered.heap, { wanted, places: gathered.places }),
        endpoints: new Map(),
        mayRecover: gathered.mayRecover,
      }
    },
    watch(onChange, signal, onProblem = () => {}) {
      watches = new Watches(client, { onChange, onProblem }, signal, options.watch)
      watches.reconcile(watched)
    },
    async close() {
      watches?.stop()
      client.close()
    },
  }
}

/** As kubectl chooses: what was asked for, what KUBECONFIG names, the pod's own cluster, the file in the home folder. */
async function insideCluster(options: KubernetesOptions, env: Environment): Promise<KubeAccess | undefined> {
  const { kubeconfig, context, serviceAccountDirectory } = options
  if (kubeconfig !== undefined || context !== undefined) return undefined
  if (serviceAccountDirectory === undefined) return env['KUBECONFIG'] ? undefined : inClusterAccess(env)
  const access = await inClusterAccess(env, serviceAccountDirectory)
  if (access !== undefined) return access
  throw new SourceError(
    `Cannot use the account in ${serviceAccountDirectory}: KUBERNETES_SERVICE_HOST is not set, so this does not run in a cluster. Name a kubeconfig instead.`,
  )
}

async function proved(client: KubeClient, { description, advice }: KubeAccess): Promise<void> {
  try {
    await client.json({ path: '/version', what: 'its version', signal: new AbortController().signal })
  } catch (error) {
    if (!(error instanceof KubeError)) throw error
    // Not everybody may ask for the version; whoever is told so has reached the server and is known there.
    if (error.kind === 'forbidden' || error.kind === 'not-served') return
    throw new SourceError(`Cannot use ${description}. ${error.message} ${advice}`)
  }
}
