import { z } from 'zod'
import { named, type Place } from '../places.ts'
import type { KubeCall, KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { withRule } from './permissions.ts'

/** Who holds a lease, as everybody can read it. */
export interface LeaseRecord {
  /** Empty when it was given back. */
  readonly holder: string
  readonly durationSeconds: number
  readonly acquiredAt: string
  readonly renewedAt: string
  /** How often the holder has changed. */
  readonly transitions: number
}

/** A lease as it was read; the version is what makes a write of somebody else show. */
export interface StoredLease {
  readonly record: LeaseRecord
  readonly version: string
}

export interface LeaseStore {
  readonly name: string
  read(signal: AbortSignal): Promise<StoredLease | undefined>
  /** Writes over what was read; throws a `KubeError` of the kind `conflict` when somebody else was faster. */
  write(record: LeaseRecord, over: StoredLease | undefined, signal: AbortSignal): Promise<StoredLease>
}

/** A Lease of Kubernetes. */
export function leaseStore(client: KubeClient, place: Place): LeaseStore {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${encodeURIComponent(place.namespace)}/leases`
  const own = `${path}/${encodeURIComponent(place.name)}`
  const what = `Lease ${named(place)}`
  /** Labels and owners that others have set on it stay. */
  let metadata: object = {}
  const understood = (answer: unknown): StoredLease => {
    const lease = leaseIn(answer, what)
    metadata = lease.metadata
    return { version: lease.metadata.resourceVersion, record: recordOf(lease) }
  }

  return {
    name: named(place),
    async read(signal) {
      try {
        return understood(await client.json({ path: own, what, signal }))
      } catch (error) {
        if (error instanceof KubeError && error.kind === 'not-found') return undefined
        throw withRule(error, 'get', leases, place)
      }
    },
    async write(record, over, signal) {
      const call: Pick<KubeCall, 'method' | 'path' | 'body'> =
        over === undefined
          ? { method: 'POST', path, body: leaseOf(record, place) }
          : {
              method: 'PUT',
              path: own,
              body: leaseOf(record, { ...metadata, ...place, resourceVersion: over.version }),
            }
      try {
        return understood(await client.json({ ...call, what, signal }))
      } catch (error) {
        throw withRule(error, over === undefined ? 'create' : 'update', leases, place)
      }
    },
  }
}

/** A time as Leases and Events have it, with microseconds. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}

const leases = { group: 'coordination.k8s.io', plural: 'leases' }

const leaseSchema = z.object({
  metadata: z.looseObject({ resourceVersion: z.string() }),
  spec: z
    .object({
      holderIdentity: z.string().nullish(),
      leaseDurationSeconds: z.number().nullish(),
      acquireTime: z.string().nullish(),
      renewTime: z.string().nullish(),
      leaseTransitions: z.number().nullish(),
    })
    .prefault({}),
})

type Lease = z.infer<typeof leaseSchema>

function leaseIn(answer: unknown, what: string): Lease {
  const { data } = leaseSchema.safeParse(answer)
  if (data === undefined)
    throw new KubeError('malformed', `${what} is none: the API server answers with something else.`)
  return data
}

const recordOf = ({ spec }: Lease): LeaseRecord => ({
  holder: spec.holderIdentity ?? '',
  durationSeconds: spec.leaseDurationSeconds ?? 0,
  acquiredAt: spec.acquireTime ?? '',
  renewedAt: spec.renewTime ?? '',
  transitions: spec.leaseTransitions ?? 0,
})

const leaseOf = (record: LeaseRecord, metadata: object) => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata,
  spec: {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.durationSeconds,
    acquireTime: record.acquiredAt,
    renewTime: record.renewedAt,
    leaseTransitions: record.transitions,
  },
})
