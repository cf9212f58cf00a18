import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { tooDeepAt } from '../../yaml-nesting.ts'
import { SourceError } from '../source-error.ts'
import type { Environment } from './access.ts'

const text = z.string().nullish()

const cluster = z.object({
  'server': z.string(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': z.boolean().nullish(),
  'tls-server-name': text,
  'proxy-url': text,
  'extensions': z.array(z.object({ name: z.string(), extension: z.unknown() })).nullish(),
})

const exec = z.object({
  apiVersion: z.string(),
  command: z.string(),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  installHint: text,
  interactiveMode: text,
  provideClusterInfo: z.boolean().nullish(),
})

const user = z.object({
  'token': text,
  'tokenFile': text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  'username': text,
  'password': text,
  'as': text,
  'as-uid': text,
  'as-groups': z.array(z.string()).nullish(),
  'exec': exec.nullish(),
  'auth-provider': z.unknown().optional(),
})

const context = z.object({ cluster: text, user: text, namespace: text })

const kubeconfig = z.object({
  'current-context': text,
  'clusters': z.array(z.object({ name: z.string(), cluster })).nullish(),
  'users': z.array(z.object({ name: z.string(), user: user.nullish() })).nullish(),
  'contexts': z.array(z.object({ name: z.string(), context })).nullish(),
})

export type KubeCluster = z.infer<typeof cluster>
export type KubeUser = z.infer<typeof user>
export type KubeContext = z.infer<typeof context>
export type ExecConfig = z.infer<typeof exec>

/** An entry, and the file it stands in: paths in it are relative to that. */
export interface Written<T> {
  readonly value: T
  readonly file: string
}

export interface Kubeconfig {
  readonly files: readonly string[]
  readonly currentContext: string
  readonly clusters: ReadonlyMap<string, Written<KubeCluster>>
  readonly users: ReadonlyMap<string, Written<KubeUser>>
  readonly contexts: ReadonlyMap<string, Written<KubeContext>>
}

/** Reads one file, or those of KUBECONFIG laid over each other as kubectl does: what comes first counts. */
export async function readKubeconfig(path: string | undefined, env: Environment): Promise<Kubeconfig> {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  const files = path !== undefined ? [path] : listed.length > 0 ? listed : [join(env['HOME'] ?? '', '.kube', 'config')]
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await readIfThere(file) })))
  const there = texts.flatMap(({ file, text }) => (text === undefined ? [] : [{ file, ...parsed(file, text) }]))
  if (there.length === 0) {
    const how = 'Name a kubeconfig, or set KUBECONFIG; "kubectl config view" shows what kubectl uses.'
    throw new SourceError(`${files.join(' and ')} ${files.length > 1 ? 'do' : 'does'} not exist. ${how}`)
  }
  const first = <T>(entries: readonly (readonly [string, Written<T>])[]) => {
    const counting = new Map(entries.toReversed())
    // In the order of the files, as they are listed to people.
    return new Map(entries.map(([name, entry]) => [name, counting.get(name) ?? entry]))
  }
  return {
    files: there.map(({ file }) => file),
    currentContext: there.map((one) => one['current-context'] ?? '').find((name) => name !== '') ?? '',
    clusters: first(
      there.flatMap(({ file, clusters }) => (clusters ?? []).map((c) => [c.name, { value: c.cluster, file }] as const)),
    ),
    users: first(
      there.flatMap(({ file, users }) => (users ?? []).map((u) => [u.name, { value: u.user ?? {}, file }] as const)),
    ),
    contexts: first(
      there.flatMap(({ file, contexts }) => (contexts ?? []).map((c) => [c.name, { value: c.context, file }] as const)),
    ),
  }
}

/** A path of a kubeconfig, as seen from the file it stands in. */
export function pathIn(file: string, path: string): string {
  return path.startsWith('/') ? path : join(dirname(file), path)
}

async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new SourceError(`${file} cannot be read (${error.code}). Name a kubeconfig that this user may read.`)
  })
}

/** No message quotes the file: it holds tokens. */
function parsed(file: string, text: string): z.infer<typeof kubeconfig> {
  const repair = 'Repair it, or fetch it again from the cluster.'
  if (tooDeepAt(text, 200) !== undefined) throw new SourceError(`${file} is nested too deeply. ${repair}`)
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) {
    throw new SourceError(`${file}:${error.linePos?.[0].line ?? 1}: is no YAML (${error.code}). ${repair}`)
  }
  const value: unknown = aliasesResolved(document, file)
  const { data, error: flaws } = kubeconfig.safeParse(value ?? {})
  if (data !== undefined) return data
  const [flaw] = flaws.issues
  throw new SourceError(`${file} is no kubeconfig: ${flaw?.path.join('.') || 'it'}: ${flaw?.message}. ${repair}`)
}

function aliasesResolved(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch {
    throw new SourceError(`${file} has an alias without anchor, or too many of them. Write its values out.`)
  }
}
