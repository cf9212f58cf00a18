import { z } from 'zod'
import { named, type Place } from '../places.ts'
import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { withRule } from './permissions.ts'

/** Bytes that outlive this process. Both throw a `KubeError` when they cannot. */
export interface KeptBytes {
  /** In a message. */
  readonly name: string
  /** Nothing where none were written. */
  read(signal: AbortSignal): Promise<Uint8Array | undefined>
  /** Writes over what was read last; what somebody else has written meanwhile is an error of the kind `conflict`. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>
}

/** Bytes in a key of a ConfigMap, which is made where there is none. */
export function keptInConfigMap(client: KubeClient, place: Place, key: string): KeptBytes {
  const path = `/api/v1/namespaces/${encodeURIComponent(place.namespace)}/configmaps`
  const own = `${path}/${encodeURIComponent(place.name)}`
  const what = `ConfigMap ${named(place)}`
  /** As it was last seen: labels, owners and keys of others stay. */
  let last: z.infer<typeof configMap> | undefined

  const understood = (answer: unknown) => {
    const { data } = configMap.safeParse(answer)
    if (data !== undefined) return data
    throw new KubeError('malformed', `${what} is none: the API server answers with something else.`)
  }
  return {
    name: what,
    async read(signal) {
      try {
        last = understood(await client.json({ path: own, what, signal }))
      } catch (error) {
        if (!(error instanceof KubeError) || error.kind !== 'not-found') throw withRule(error, 'get', configMaps, place)
        last = undefined
      }
      const text = last?.binaryData?.[key]
      return text === undefined ? undefined : Buffer.from(text, 'base64')
    },
    async write(bytes, signal) {
      const text = Buffer.from(bytes).toString('base64')
      const body = {
        ...(last ?? { metadata: { ...place } }),
        apiVersion: 'v1',
        kind: 'ConfigMap',
        binaryData: { ...last?.binaryData, [key]: text },
      }
      const [method, target, verb] =
        last === undefined ? (['POST', path, 'create'] as const) : (['PUT', own, 'update'] as const)
      try {
        last = understood(await client.json({ method, path: target, body, what, signal }))
      } catch (error) {
        throw withRule(error, verb, configMaps, place)
      }
    },
  }
}

const configMaps = { group: '', plural: 'configmaps' }

const configMap = z.looseObject({
  metadata: z.looseObject({ resourceVersion: z.string() }),
  binaryData: z.record(z.string(), z.string()).optional(),
})
