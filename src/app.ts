import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { builtinChecks } from '../checks/index.ts'
import { archiveSource } from './cluster/archive.ts'
import { directorySource, isManifest } from './cluster/directory.ts'
import type { Environment } from './cluster/kubernetes/access.ts'
import type { KubeClient } from './cluster/kubernetes/client.ts'
import { KubeError } from './cluster/kubernetes/errors.ts'
import { type KubernetesSource, kubernetesSource } from './cluster/kubernetes/source.ts'
import type { ClusterSource } from './cluster/source.ts'
import { ConfigError, checkSettingsOf, type LoadedSettings, type Settings, validateChecks } from './config/index.ts'
import { demoSource } from './demo/source.ts'
import { Detector } from './detector.ts'
import type { Check } from './framework/check.ts'
import { RegistryError, registryOf } from './framework/registry.ts'
import type { KubeApi } from './http/reviews.ts'
import type { Log, Secrets } from './logging.ts'
import { Metrics } from './outputs/metrics.ts'
import { version } from './package-info.ts'
import { loadPlugins, PluginError } from './plugins.ts'
import { VCenterSessions } from './vsphere/index.ts'

/** The checks that are not switched off, built in and from plugins, with the settings proved against all of them. */
export async function loadChecks(loaded: LoadedSettings): Promise<readonly Check[]> {
  const plugins = await loadPlugins(
    loaded.settings.plugins,
    loaded.file === undefined ? '.' : dirname(loaded.file),
  ).catch((error: unknown) => {
    if (!(error instanceof PluginError)) throw error
    throw new ConfigError([loaded.problemAt(['plugins', error.index], error.message)])
  })
  const checks = registryOf([{ from: 'the detector', checks: builtinChecks }, ...plugins])
  refuseTakenMetrics(checks)
  const problems = validateChecks(loaded, checks)
  if (problems.length > 0) throw new ConfigError(problems)
  return checks.filter((check) => checkSettingsOf(loaded.settings, check).enabled)
}

function refuseTakenMetrics(checks: readonly Check[]): void {
  const taken = new Metrics({ version }).names()
  for (const { id, metrics } of checks) {
    const clash = metrics.find(({ metric }) => taken.has(metric))
    if (clash === undefined) continue
    throw new RegistryError(`Check ${id} measures ${clash.metric}, which is a metric of the detector. Rename it.`)
  }
}

/** Wires a detector from its settings. The caller closes it. */
export async function createDetector(options: {
  readonly loaded: LoadedSettings
  readonly checks: readonly Check[]
  readonly source: ClusterSource
  readonly log: Log
  readonly secrets: Secrets
  readonly progress?: (text: string) => void
}): Promise<Detector> {
  const { loaded, checks, source, log, secrets, progress } = options
  const { settings } = loaded
  const { timeouts, vsphere } = settings
  const sessions = new VCenterSessions({
    callTimeoutMs: timeouts.callSeconds * 1000,
    maxConcurrentCalls: vsphere.maxConcurrentCalls,
    loginHoldMs: vsphere.loginHoldSeconds * 1000,
    idleLogoutMs: vsphere.idleLogoutSeconds * 1000,
    maxBodyBytes: vsphere.maxBodyMegabytes * 1024 * 1024,
    userAgent: `vsphere-problem-detector/${version}`,
  })
  const ca = vsphere.caFile === undefined ? undefined : await readAuthorities(vsphere.caFile, loaded)
  return new Detector(
    {
      checks,
      source,
      sessions,
      suppressions: settings.suppressions,
      timeouts: { vcenterMs: timeouts.vcenterSeconds * 1000, roundMs: timeouts.roundSeconds * 1000 },
      ...(ca === undefined ? {} : { ca }),
      log,
      secrets,
      ...(progress === undefined ? {} : { progress }),
      settingsOf: (check) => ({ ...checkSettingsOf(settings, check), timeoutMs: timeouts.checkSeconds * 1000 }),
    },
    { version },
  )
}

/** Opens the source that the settings name. */
export async function openSource(
  source: NonNullable<Settings['source']>,
  env: Environment = process.env,
): Promise<OpenedSource> {
  if (source === 'demo') return demoSource()
  if (source !== 'kubernetes' && 'directory' in source) return collected(source.directory)
  const { kubeconfig, context, ...places } = source === 'kubernetes' ? {} : source.kubernetes
  return kubernetesSource({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    places: placesOf(places),
    settings: { userAgent: `vsphere-problem-detector/${version}` },
    env,
  })
}

async function collected(path: string): Promise<ClusterSource> {
  const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
  return isFile && !isManifest(path) ? archiveSource(path) : directorySource(path)
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
    post: async (path, body, signal) => {
      const { kind: what } = body as { readonly kind: string } // every object of Kubernetes has one
      return client.json({ method: 'POST', path, body: body as object, what, signal }).catch((error: unknown) => {
        if (!(error instanceof KubeError) || error.kind !== 'forbidden') throw error
        const remedy = 'Bind the ClusterRole system:auth-delegator to the account that this runs as.'
        throw new Error(`The API server does not permit us to create a ${what}. ${remedy}`)
      })
    },
  }
}

async function readAuthorities(file: string, loaded: LoadedSettings): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new ConfigError([loaded.problemAt(['vsphere', 'caFile'], `cannot read ${file}: ${error.message}`)])
  })
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text
  throw new ConfigError([loaded.problemAt(['vsphere', 'caFile'], `${file} holds no PEM certificate`)])
}
