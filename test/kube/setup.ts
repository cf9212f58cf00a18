import type { TestProject } from 'vitest/node'
import { goProgram } from '../chart/with-tools/go-program.ts'
import { apiServerProgram, etcdProgram } from './control-plane/programs.ts'
import { type ControlPlane, type Programs, startControlPlane } from './control-plane/start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The API server that runs, or why there is none. */
    readonly controlPlane: ControlPlane | { readonly missing: string }
    /** What it was started with; there where it runs. */
    readonly programs: Programs
  }
}

/** Sees to it that an API server runs, where what that needs is there or can be had within ten minutes. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const deadline = AbortSignal.timeout(600_000)
  const etcd = etcdProgram()
  const apiServer = await apiServerProgram(deadline)
  const helm = await goProgram('helm', 'helm.sh/helm/v3/cmd/helm', 'v3.22.0', deadline)
  project.provide('helm', helm)

  const absent = Object.entries({ etcd, 'kube-apiserver': apiServer, helm }).flatMap(([what, it]) =>
    'missing' in it ? [`No ${what}: ${it.missing}`] : [],
  )
  if (absent.length > 0) {
    const missing = absent.join('\n')
    // On a machine of one's own they may be missing. Where changes are proved they may not.
    if (process.env['CI'] === 'true') throw new Error(missing)
    process.stdout.write(`${missing}\n`)
  }
  if ('missing' in etcd || 'missing' in apiServer || 'missing' in helm) {
    project.provide('controlPlane', { missing: absent.join('\n') })
    return async () => {}
  }
  const programs = { etcd: etcd.path, apiServer: apiServer.path }
  const { controlPlane, stop } = await startControlPlane(programs)
  project.provide('controlPlane', controlPlane)
  project.provide('programs', programs)
  return stop
}
