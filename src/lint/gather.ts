import { isMap, isScalar } from 'yaml'
import { ObjectHeap } from '../cluster/heap.ts'
import { groupOf, manifest } from '../cluster/manifests.ts'
import { isBase64 } from '../manifest-files/base64.ts'
import { type ManifestObject, plainObjectOf, titleOf } from '../manifest-files/manifest-objects.ts'
import { pathText } from '../path-text.ts'
import { type Flaw, positionAt } from './flaw.ts'
import type { Recognised } from './recognise.ts'

/** The objects of all files together. */
export interface Gathered {
  readonly heap: ObjectHeap
  /** Those that are looked at, by `Kind/name` or `Kind/namespace/name`; of two with one name the last. */
  readonly objects: ReadonlyMap<string, ManifestObject>
  readonly flaws: readonly Flaw[]
}

export function gather(files: readonly Recognised[]): Gathered {
  const heap = new ObjectHeap('the files given')
  const objects = new Map<string, ManifestObject>()
  const flaws: Flaw[] = []
  for (const object of files.flatMap((file) => file.objects).filter(isLookedAt)) {
    if (isEncrypted(object)) continue
    const plain = inNamespace(plainObjectOf(object), object)
    const known = heap.notes.length
    heap.add({ object: plain, where: object.file.name })
    objects.set(keyOf(object), object)
    flaws.push(...malformed(object, plain), ...notBase64(object))
    for (const note of heap.notes.slice(known)) flaws.push(twice(object, note))
  }
  return { heap, objects, flaws }
}

function inNamespace(plain: object, { namespace }: ManifestObject): object {
  const metadata: unknown = Reflect.get(plain, 'metadata')
  if (namespace === '' || typeof metadata !== 'object' || metadata === null) return plain
  return { ...plain, metadata: { ...metadata, namespace } }
}

/** Whether some check may look at objects of this kind. OpenShift has kinds that share their name with others. */
export function isLookedAt({ kind, map, typed }: ManifestObject): boolean {
  const apiVersion: unknown = map.get('apiVersion') ?? typed.apiVersion
  if (!Object.hasOwn(groupOf, kind)) return false
  if (typeof apiVersion !== 'string') return true
  return (apiVersion.includes('/') ? apiVersion.split('/')[0] : '') === Reflect.get(groupOf, kind)
}

/** Whether the values are hidden by SOPS, so that only their owner can judge them. */
export function isEncrypted({ map }: Pick<ManifestObject, 'map'>): boolean {
  return map.has('sops')
}

export function keyOf({ kind, namespace, name }: ManifestObject): string {
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/')
}

function malformed(object: ManifestObject, plain: object): Flaw[] {
  const parsed = manifest.safeParse(plain)
  if (parsed.success) return []
  return parsed.error.issues.slice(0, 1).map((issue) => {
    const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)))
    return {
      reason: 'ManifestMalformed',
      severity: 'error',
      message: `${titleOf(object)} is malformed at ${pathText(path) || 'its root'}: ${issue.message}.`,
      remedy: 'Correct it; no check can see the object until then.',
      position: positionAt(object, path),
    }
  })
}

/** Plain text under `data` of a Secret: the API server refuses it, or takes something else for the value. */
function notBase64(object: ManifestObject): Flaw[] {
  const data: unknown = object.kind === 'Secret' ? object.map.get('data') : undefined
  if (!isMap(data)) return []
  return data.items.flatMap(({ key, value }) => {
    if (!isScalar(value) || typeof value.value !== 'string' || isBase64(value.value)) return []
    const name = isScalar(key) ? String(key.value) : ''
    if (!holdsOurs.test(name)) return []
    return [
      {
        reason: 'NotBase64',
        severity: 'error' as const,
        message: `${titleOf(object)}: data.${name} is not base64.`,
        remedy: 'Encode it, or put the plain text under stringData.',
        position: positionAt(object, ['data', name]),
      },
    ]
  })
}

/** Keys of logins and of configurations. What other secrets hold is none of our business. */
const holdsOurs = /\.(?:username|password|conf)$|^(?:username|password|server)_/

function twice(object: ManifestObject, note: string): Flaw {
  return {
    reason: 'ObjectTwice',
    severity: 'warning',
    message: `${note}.`,
    remedy: 'Name only the files that belong to one cluster, or remove one of the two.',
    position: positionAt(object, ['metadata', 'name']),
  }
}
