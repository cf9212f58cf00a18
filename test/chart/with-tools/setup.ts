import type { TestProject } from 'vitest/node'
import { goProgram, type Program } from './go-program.ts'
import { type KubeSchemas, kubeSchemas } from './kube-schemas.ts'

declare module 'vitest' {
  interface ProvidedContext {
    readonly helm: Program
    readonly kubeconform: Program
    readonly kubeSchemas: KubeSchemas
  }
}

/** Sees to it that what the tests need is there, where that can be done within ten minutes. */
export default async function setup(project: TestProject): Promise<void> {
  const deadline = AbortSignal.timeout(600_000)
  const helm = await goProgram('helm', 'helm.sh/helm/v3/cmd/helm', 'v3.22.0', deadline)
  const kubeconform = await goProgram('kubeconform', 'github.com/yannh/kubeconform/cmd/kubeconform', 'v0.8.0', deadline)
  const schemas = await kubeSchemas(deadline)
  project.provide('helm', helm)
  project.provide('kubeconform', kubeconform)
  project.provide('kubeSchemas', schemas)

  const absent = Object.entries({ helm, kubeconform, 'schemas of Kubernetes': schemas }).flatMap(([what, it]) =>
    'missing' in it ? [`No ${what}: ${it.missing}`] : [],
  )
  for (const line of absent) process.stdout.write(`${line}\n`)
  // On a machine of one's own they may be missing. Where changes are proved they may not.
  if (absent.length > 0 && process.env['CI'] === 'true') throw new Error(absent.join('\n'))
}
