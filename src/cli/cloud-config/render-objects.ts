import { z } from 'zod'
import { readCredentials, type SecretData } from '../../cloud-config/index.ts'
import { infrastructureOf, manifest } from '../../cluster/manifests.ts'
import type { Infrastructure } from '../../framework/kube-schema.ts'
import { UsageError } from '../io.ts'
import { fileText } from './file-text.ts'
import type { Input } from './input.ts'
import { jsOf, type ManifestObject, manifestObjects, titleOf, titlesOf } from './manifest-objects.ts'

/** An object, and how to call it in a message: `infra.yaml: Infrastructure cluster`. */
export interface Found<T> {
  readonly place: string
  readonly value: T
}

/** Infrastructure with the name that the installer gave the cluster. */
export function infrastructureIn(input: Input): Found<Infrastructure & { readonly infrastructureName: string }> {
  const { place, object } = only(input, 'Infrastructure')
  const parsed = checked(manifest, object, place)
  if (parsed.kind !== 'Infrastructure') throw new UsageError(`${place}: is no Infrastructure.`)
  const { status } = checked(installed, object, place)
  return { place, value: { ...infrastructureOf(parsed), infrastructureName: status?.infrastructureName ?? '' } }
}

const installed = z.object({ status: z.object({ infrastructureName: z.string().optional() }).nullish() })

export interface CsiDriverSettings {
  readonly topologyCategories: readonly string[]
  readonly snapshot: { readonly globalMax: number; readonly vsan: number; readonly vvol: number }
}

/** What a ClusterCSIDriver has to say about the configuration. */
export function csiDriverIn(input: Input): Found<CsiDriverSettings> {
  const { place, object } = only(input, 'ClusterCSIDriver')
  const vsphere = checked(clusterCsiDriver, object, place).spec?.driverConfig?.vSphere
  return {
    place,
    value: {
      topologyCategories: vsphere?.topologyCategories ?? [],
      snapshot: {
        globalMax: vsphere?.globalMaxSnapshotsPerBlockVolume ?? 0,
        vsan: vsphere?.granularMaxSnapshotsPerBlockVolumeInVSAN ?? 0,
        vvol: vsphere?.granularMaxSnapshotsPerBlockVolumeInVVOL ?? 0,
      },
    },
  }
}

const limit = z.number().int().nonnegative().nullish()
const vSphere = z.object({
  topologyCategories: z.array(z.string()).nullish(),
  globalMaxSnapshotsPerBlockVolume: limit,
  granularMaxSnapshotsPerBlockVolumeInVSAN: limit,
  granularMaxSnapshotsPerBlockVolumeInVVOL: limit,
})
const clusterCsiDriver = z.object({
  spec: z.object({ driverConfig: z.object({ vSphere: vSphere.nullish() }).nullish() }).nullish(),
})

/** The secrets of a file that hold credentials, by `namespace/name`. */
export function credentialSecretsIn(input: Input): ReadonlyMap<string, Found<SecretData>> {
  const secrets = objectsOf(input, 'Secret').map((object) => {
    const place = `${input.name}: ${titleOf(object)}`
    const { metadata, data, stringData } = checked(secret, jsOf(object), place)
    const decoded = Object.entries(data ?? {}).map(
      ([key, value]) => [key, asText(Buffer.from(value, 'base64'))] as const,
    )
    const value: SecretData = { ...Object.fromEntries(decoded), ...stringData }
    return [`${metadata.namespace}/${metadata.name}`, { place, value }] as const
  })
  const [first, ...others] = secrets
  if (first === undefined) throw new UsageError(`${input.name}: holds no Secret.`)
  // A single secret is the one that is meant; what it lacks is told for each vCenter.
  if (others.length === 0) return new Map([first])
  const withLogins = secrets.filter(([, { value }]) => readCredentials(value).servers.size > 0)
  if (withLogins.length === 0)
    throw new UsageError(`${input.name}: no Secret in it has keys such as <server>.username and <server>.password.`)
  return new Map(withLogins)
}

/** Every character counts in a password, a byte order mark too. Bytes that are no text stay bytes. */
function asText(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes
  }
}

const texts = z.record(z.string(), z.string()).nullish()
const secret = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().default('') }),
  data: texts,
  stringData: texts,
})

function only(input: Input, kind: string): { readonly place: string; readonly object: unknown } {
  const [object, ...others] = objectsOf(input, kind)
  if (object === undefined) throw new UsageError(`${input.name}: holds no ${kind}.`)
  if (others.length > 0)
    throw new UsageError(`${input.name}: holds several: ${titlesOf([object, ...others])}. Keep one of them.`)
  return { place: `${input.name}: ${titleOf(object)}`, object: jsOf(object) }
}

function objectsOf({ name, bytes }: Input, kind: string): readonly ManifestObject[] {
  if (bytes.length === 0) throw new UsageError(`${name}: is empty; expected a manifest of kind ${kind}.`)
  const text = fileText(bytes)
  const objects = text === undefined ? undefined : manifestObjects(text, name)
  if (objects === undefined) throw new UsageError(`${name}: is no manifest; expected one of kind ${kind}.`)
  return objects.filter((object) => object.kind === kind)
}

function checked<T>(schema: z.ZodType<T>, object: unknown, place: string): T {
  const parsed = schema.safeParse(object)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${place}: is malformed at ${issue?.path.join('.')}: ${issue?.message}.`)
}
