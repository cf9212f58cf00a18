import { inject } from 'vitest'
import { type Answer, ask } from '../../http/client.ts'
import { type ControlPlane, type Person, type Started, startControlPlane } from '../control-plane/start.ts'

/** An object of Kubernetes. Other fields are what the kind says. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
}

/** Where the set-up could not start an API server, it has said why, and has failed where changes are proved. */
export const hasControlPlane = !('missing' in inject('controlPlane'))

export function controlPlane(): ControlPlane {
  const plane = own ?? inject('controlPlane')
  if ('missing' in plane) throw new Error(plane.missing)
  return plane
}

let own: ControlPlane | undefined

/** Starts a control plane that the tests of one file have for themselves; from then on they speak to that. */
export async function ownControlPlane(...more: readonly string[]): Promise<Started> {
  const started = await startControlPlane(inject('programs'), more)
  own = started.controlPlane
  return started
}

export function tokenOf(person: Person): string {
  return controlPlane().tokens[person]
}

/** Asks the API server, as the one who may do everything unless another token is given. */
export function call(method: string, path: string, body?: object, token = tokenOf('admin')): Promise<Answer> {
  const { url, ca } = controlPlane()
  const type = method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json'
  return ask(url + path, {
    ca,
    token,
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) }),
  })
}

/** Creates an object, or makes it what is given. */
export async function apply(object: KubeObject): Promise<void> {
  const { status, body } = await call('PATCH', `${pathOf(object)}?fieldManager=test&force=true`, object)
  if (status >= 300) throw new Error(`Cannot apply ${object.kind} ${object.metadata.name}: ${status} ${body}`)
}

export async function remove(object: KubeObject): Promise<void> {
  const { status, body } = await call('DELETE', pathOf(object))
  if (status >= 300 && status !== 404) throw new Error(`Cannot remove ${object.kind}: ${status} ${body}`)
}

/** All objects of a kind, by the path of their list. */
export async function list<T = KubeObject>(path: string): Promise<readonly T[]> {
  const { items } = JSON.parse((await call('GET', path)).body) as { readonly items: readonly T[] } // a list has them
  return items
}

export function pathOf(object: KubeObject): string {
  return `${listPathOf(object)}/${encodeURIComponent(object.metadata.name)}`
}

function listPathOf({ apiVersion, kind, metadata: { namespace } }: KubeObject): string {
  const root = apiVersion.includes('/') ? '/apis' : '/api'
  const within = namespace === undefined ? '' : `/namespaces/${namespace}`
  return `${root}/${apiVersion}${within}/${kind.toLowerCase().replace(/s$/, 'se')}s`
}
