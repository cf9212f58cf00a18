import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { cacheFolder, go } from './go-program.ts'
import { crdSchemas, kindSchemas } from './openapi.ts'

/** Folders of JSON Schemas, one per release of Kubernetes, or why there are none. */
export type KubeSchemas = { readonly folders: Readonly<Record<string, string>> } | { readonly missing: string }

/** The oldest release that the chart allows, and the newest that there was. */
const releases = ['v1.25.0', 'v1.36.3']

const prometheusOperator = 'v0.85.0'

/** What kubeconform validates against. Nobody has to be online: the sources of Kubernetes hold its OpenAPI document. */
export async function kubeSchemas(signal: AbortSignal): Promise<KubeSchemas> {
  const folders: Record<string, string> = {}
  for (const release of releases) {
    const folder = join(cacheFolder, `schemas-${release}-${prometheusOperator}`)
    if (!existsSync(folder)) {
      const written = await writeSchemas(folder, release, signal)
      if (written !== undefined) return written
    }
    folders[release] = folder
  }
  return { folders }
}

async function writeSchemas(
  folder: string,
  release: string,
  signal: AbortSignal,
): Promise<{ readonly missing: string } | undefined> {
  const kubernetes = await sources('k8s.io/kubernetes', release, signal)
  if ('missing' in kubernetes) return kubernetes
  const operator = await sources('github.com/prometheus-operator/prometheus-operator', prometheusOperator, signal)
  if ('missing' in operator) return operator

  const openapi = JSON.parse(readFileSync(join(kubernetes.folder, 'api/openapi-spec/swagger.json'), 'utf8'))
  const crds = ['servicemonitors', 'prometheusrules'].map((kind) =>
    parse(
      readFileSync(join(operator.folder, `example/prometheus-operator-crd/monitoring.coreos.com_${kind}.yaml`), 'utf8'),
    ),
  )
  mkdirSync(cacheFolder, { recursive: true })
  // Renamed when complete: a run that is interrupted leaves nothing that looks finished.
  const half = mkdtempSync(join(cacheFolder, 'schemas-'))
  for (const { file, schema } of [...kindSchemas(openapi), ...crds.flatMap(crdSchemas)]) {
    writeFileSync(join(half, file), JSON.stringify(schema))
  }
  try {
    renameSync(half, folder)
  } catch {
    rmSync(half, { recursive: true }) // another run was faster
  }
  return undefined
}

async function sources(
  module: string,
  version: string,
  signal: AbortSignal,
): Promise<{ readonly folder: string } | { readonly missing: string }> {
  const got = await go(['mod', 'download', '-json', `${module}@${version}`], signal)
  if ('missing' in got) return got
  const { Dir } = JSON.parse(got.stdout) as { Dir: string } // what `go help mod download` promises
  return { folder: Dir }
}
