import { hostname } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { collectedSource } from './cluster/collected.ts'
import type { Environment } from './cluster/kubernetes/access.ts'
import type { KubeClient } from './cluster/kubernetes/client.ts'
import { KubeError } from './cluster/kubernetes/errors.ts'
import { keptInConfigMap } from './cluster/kubernetes/kept-bytes.ts'
import { type KubernetesSource, kubernetesSource } from './cluster/kubernetes/source.ts'
import type { ClusterSource } from './cluster/source.ts'
import { ConfigError, type LoadedSettings, type Settings, servingProblems } from './config/index.ts'
import { kubernetesEvents } from './daemon/events.ts'
import { generationOf } from './daemon/generation.ts'
import { leaseLeadership } from './daemon/leadership.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { demoSource } from './demo/source.ts'
import { Detector } from './detector.ts'
import type { Check } from './framework/check.ts'
import type { KubeApi } from './http/reviews.ts'
import { loadAllChecks, proved } from './load-checks.ts'
import { loggedSessions } from './logged-sessions.ts'
import type { Log, Secrets } from './logging.ts'
import { version } from './package-info.ts'
import type { RoundParts } from './round.ts'
import { Rejections } from './vsphere/index.ts'

/** Wires a detector for one round from its settings. The caller closes it. */
export async function createDetector(options: {
  readonly loaded: LoadedSettings
  readonly checks: readonly Check[]
  readonly source: ClusterSource
  readonly log: Log
  readonly secrets: Secrets
  readonly progress?: (text: string) => void
  readonly offline?: NonNullable<RoundParts['offline']>
}): Promise<Detector> {
  const { loaded, checks, source, log, secrets, progress, offline } = options
  const { rounds, vsphere } = await generationOf(loaded, checks)
  const sessions = loggedSessions(vsphere, new Rejections('one-round'), log)
  const asked = { ...(progress === undefined ? {} : { progress }), ...(offline === undefined ? {} : { offline }) }
  return new Detector({ ...rounds, source, sessions, log, secrets, ...asked }, { version })
}

/** Wires the daemon. It closes the source when it stops, and not where it does not start. */
export function createDaemon(options: {
  readonly loaded: LoadedSettings
  /** Also those that are switched off. */
  readonly checks: readonly Check[]
  readonly source: OpenedSource
  readonly log: Log
  readonly secrets: Secrets
  readonly env: Environment
  readonly pollMs?: number
  readonly settleMs?: number
  /** Reads the settings anew, as they were read at the start. */
  load(): LoadedSettings | Promise<LoadedSettings>
}): Promise<Daemon> {
  const { loaded, checks, source, log, env, load } = options
  const { settings } = loaded
  const { client } = source
  const namespace = env['POD_NAMESPACE'] ?? source.namespace ?? 'default'
  const replica = env['POD_NAME'] ?? hostname()
  return startDaemon({
    ...options,
    async reread() {
      const next = await load()
      // A plugin stays what it was when it was first loaded; those that are new are tried.
      if (isDeepStrictEqual(next.settings.plugins, settings.plugins)) proved(next, checks)
      else await loadAllChecks(next)
      const problems = servingProblems(next)
      if (problems.length > 0) throw new ConfigError(problems)
      return next
    },
    ...(client === undefined
      ? {}
      : {
          api: kubeApiOf(client),
          events: ({ enabled, namespace: own = namespace, memory: name }) => {
            if (!enabled) return undefined
            const uid = env['POD_UID']
            const self = { apiVersion: 'v1', kind: 'Pod', name: replica, namespace: own, ...(uid ? { uid } : {}) }
            return kubernetesEvents({
              client,
              self,
              memory: keptInConfigMap(client, { namespace: own, name }, 'told'),
              log,
            })
          },
          ...(settings.leaderElection.enabled
            ? { leadership: leaseLeadership({ client, namespace, settings: settings.leaderElection, replica, log }) }
            : {}),
        }),
  })
}

/** Opens the source that the settings name. */
export async function openSource(
  source: NonNullable<Settings['source']>,
  env: Environment = process.env,
): Promise<OpenedSource> {
  if (source === 'demo') return demoSource()
  if (source !== 'kubernetes' && 'directory' in source) return collectedSource(source.directory)
  const { kubeconfig, context, serviceAccountDirectory, ...places } = source === 'kubernetes' ? {} : source.kubernetes
  return kubernetesSource({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    ...(serviceAccountDirectory === undefined ? {} : { serviceAccountDirectory }),
    places: placesOf(places),
    settings: { userAgent: `vsphere-problem-detector/${version}` },
    env,
  })
}

/** A source, and what else can be done in the cluster where it is a live one. */
export type OpenedSource = ClusterSource & Partial<Pick<KubernetesSource, 'client' | 'namespace'>>

function placesOf({ credentials, cloudConfig }: { readonly credentials?: string; readonly cloudConfig?: string }) {
  const parts = (place: string) => place.split('/') as [string, string, string] // as many as the schema demands
  const place = ([namespace, name]: readonly [string, string, string]) => ({ namespace, name })
  const config = cloudConfig === undefined ? undefined : parts(cloudConfig)
  return {
    ...(credentials === undefined ? {} : { secrets: [place(parts(credentials))] }),
    ...(config === undefined ? {} : { cloudConfig: { ...place(config), key: config[2] } }),
  }
}

/** The API server as the HTTP server sees it. */
export function kubeApiOf(client: KubeClient): KubeApi {
  return {
    post: (path, body, signal) => {
      const { kind: what } = body
      return client.json({ method: 'POST', path, body, what, signal }).catch((cause: unknown) => {
        if (!(cause instanceof KubeError) || cause.kind !== 'forbidden') throw cause
        const remedy = 'Bind the ClusterRole system:auth-delegator to the account that this runs as.'
        throw new Error(`The API server does not permit us to create a ${what}. ${remedy}`, { cause })
      })
    },
  }
}
