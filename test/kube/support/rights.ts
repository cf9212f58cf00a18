import { readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { call, controlPlane, type KubeObject } from './api.ts'
import { type Cluster, patience } from './cluster.ts'

/** What may be done, as a rule of a role says it. */
export interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly verbs: readonly string[]
}

/** Something that an account may do, or not. */
export interface Right {
  readonly verb: string
  readonly group?: string
  readonly resource: string
  readonly namespace?: string
  readonly name?: string
}

/** A request to the API server, as its audit log has it. */
export interface Audited {
  readonly stage: string
  readonly verb: string
  readonly requestURI: string
  readonly user: { readonly username: string; readonly extra?: Readonly<Record<string, readonly string[]>> }
  readonly responseStatus?: { readonly code: number }
  readonly objectRef?: {
    readonly apiGroup?: string
    readonly resource: string
    readonly namespace?: string
    readonly name?: string
  }
}

export function rulesOf(role: KubeObject): readonly Rule[] {
  return (role as KubeObject & { readonly rules: readonly Rule[] }).rules // the chart's tests prove its shape
}

/** Takes a resource out of every role of the chart, and waits until that counts. */
export async function revoke(cluster: Cluster, right: Right, verbs?: readonly string[]): Promise<void> {
  for (const role of cluster.roles) {
    const isMeant = (right.namespace ?? role.metadata.namespace) === role.metadata.namespace
    if (!isMeant || !rulesOf(role).some(({ resources }) => resources?.includes(right.resource))) continue
    const rules = rulesOf(role).flatMap((rule) => without(rule, right.resource, verbs))
    await cluster.put({ ...role, rules } as KubeObject) // of the same kind as before
  }
  await vi.waitFor(async () => expect(await isAllowed(cluster.account, right)).toBe(false), patience)
}

function without(rule: Rule, resource: string, verbs: readonly string[] | undefined): readonly Rule[] {
  if (!rule.resources?.includes(resource)) return [rule]
  const others = rule.resources.filter((each) => each !== resource)
  return [
    ...(others.length === 0 ? [] : [{ ...rule, resources: others }]),
    ...(verbs === undefined ? [] : [{ ...rule, resources: [resource], verbs }]),
  ]
}

export async function isAllowed(user: string, resourceAttributes: Right): Promise<boolean> {
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews'
  const asking = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview' }
  const { body } = await call('POST', path, { ...asking, spec: { user, resourceAttributes } })
  return (JSON.parse(body) as { readonly status: { readonly allowed: boolean } }).status.allowed // a review has it
}

/** Begins to listen to what an account asks for. */
export function audit(account: string): () => readonly Audited[] {
  const read = () => readFileSync(controlPlane().auditLog, 'utf8')
  const from = read().length
  return () =>
    read()
      .slice(from)
      .split('\n')
      .slice(0, -1) // the last is unfinished
      .map((line) => JSON.parse(line) as Audited) // a line of the audit log is one
      .filter(({ user }) => user.username === account)
}
