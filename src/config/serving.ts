import type { LoadedSettings } from './load.ts'
import type { ConfigProblem } from './problems.ts'
import type { Settings } from './schema.ts'

/** What is wrong with settings that a daemon is to run with; a command that runs once has no use for them. */
export function servingProblems(loaded: LoadedSettings): ConfigProblem[] {
  const { http, source, leaderElection, events } = loaded.settings
  const inCluster = isKubernetes(source)
  const problems: ConfigProblem[] = []
  if (http.auth === undefined && !inCluster && !isLoopback(http.host)) {
    const message = `is not set, and whoever reaches ${http.host} could read every result; set it to none if that is meant, or listen on 127.0.0.1`
    problems.push(loaded.problemAt(['http', 'auth'], message))
  }
  if (http.auth === 'kubernetes' && !inCluster) {
    problems.push(loaded.problemAt(['http', 'auth'], `kubernetes ${needsCluster}, or set it to none`))
  }
  if (leaderElection.enabled && !inCluster) {
    problems.push(loaded.problemAt(['leaderElection', 'enabled'], `true ${needsCluster}`))
  }
  if (events.enabled && !inCluster) problems.push(loaded.problemAt(['events', 'enabled'], `true ${needsCluster}`))
  return problems
}

const needsCluster = 'needs the API server of a live cluster; set source to kubernetes'

/** Whom the HTTP server answers, also where the settings leave that open. */
export function authOf({ http, source }: Settings): 'none' | 'kubernetes' {
  return http.auth ?? (isKubernetes(source) && !isLoopback(http.host) ? 'kubernetes' : 'none')
}

/** Whether a round can be started over HTTP, also where the settings leave that open. */
export function allowsCheckNow(settings: Settings): boolean {
  return settings.http.allowCheckNow ?? (isLoopback(settings.http.host) || authOf(settings) === 'kubernetes')
}

function isKubernetes(source: Settings['source']): boolean {
  return source === 'kubernetes' || (typeof source === 'object' && 'kubernetes' in source)
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
