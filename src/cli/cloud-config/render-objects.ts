import { z } from 'zod'
import { readCredentials, type SecretData } from '../../cloud-config/index.ts'
import { infrastructureOf, type Manifest, type ManifestOf, manifest, secretData } from '../../cluster/manifests.ts'
import type { Infrastructure } from '../../framework/kube-schema.ts'
import { fileText } from '../../manifest-files/file-text.ts'
import type { Input } from '../../manifest-files/input.ts'
import { type ManifestObject, plainObjectOf, titleOf, titlesOf } from '../../manifest-files/manifest-objects.ts'
import { textFile } from '../../manifest-files/text-file.ts'
import { pathText } from '../../path-text.ts'
import { UsageError } from '../../usage-error.ts'
import { objectsIn } from './objects-in.ts'

/** An object, and how to call it in a message: `infra.yaml: Infrastructure cluster`. */
export interface Found<T> {
  readonly place: string
  readonly value: T
}

/** Infrastructure with the name that the installer gave the cluster. */
export function infrastructureIn(input: Input): Found<Infrastructure & { readonly infrastructureName: string }> {
  const object = only(input, 'Infrastructure')
  const { place, value } = understood(object, 'Infrastructure')
  const { status } = checked(installed, object)
  return { place, value: { ...infrastructureOf(value), infrastructureName: status?.infrastructureName ?? '' } }
}

const installed = z.object({ status: z.object({ infrastructureName: z.string().optional() }).nullish() })

export interface CsiDriverSettings {
  readonly topologyCategories: readonly string[]
  readonly snapshot: { readonly globalMax: number; readonly vsan: number; readonly vvol: number }
}

/** What a ClusterCSIDriver has to say about the configuration. */
export function csiDriverIn(input: Input): Found<CsiDriverSettings> {
  const { place, value } = understood(only(input, 'ClusterCSIDriver'), 'ClusterCSIDriver')
  const vsphere = value.spec.driverConfig?.vSphere
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

/** The secrets of a file that hold credentials, by `namespace/name`. */
export function credentialSecretsIn(input: Input): ReadonlyMap<string, Found<SecretData>> {
  const secrets = objectsOf(input, 'Secret').map((object) => {
    const { place, value: secret } = understood(object, 'Secret')
    const { namespace, name } = secret.metadata
    return [`${namespace}/${name}`, { place, value: secretData(secret) }] as const
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

function only(input: Input, kind: Manifest['kind']): ManifestObject {
  const [object, ...others] = objectsOf(input, kind)
  if (object === undefined) throw new UsageError(`${input.name}: holds no ${kind}.`)
  if (others.length > 0)
    throw new UsageError(`${input.name}: holds several: ${titlesOf([object, ...others])}. Keep one of them.`)
  return object
}

function objectsOf({ name, bytes }: Input, kind: Manifest['kind']): readonly ManifestObject[] {
  if (bytes.length === 0) throw new UsageError(`${name}: is empty; expected a manifest of kind ${kind}.`)
  const text = fileText(bytes)
  const objects = text === undefined ? undefined : objectsIn(textFile(name, text))
  if (objects === undefined) throw new UsageError(`${name}: is no manifest; expected one of kind ${kind}.`)
  return objects.filter((object) => object.kind === kind)
}

function understood<K extends Manifest['kind']>(object: ManifestObject, kind: K): Found<ManifestOf<K>> {
  const place = placeOf(object)
  const value = checked(manifest, object)
  if (!isOf(value, kind)) throw new UsageError(`${place}: is no ${kind}.`)
  return { place, value }
}

function isOf<K extends Manifest['kind']>(value: Manifest, kind: K): value is ManifestOf<K> {
  return value.kind === kind
}

function checked<T>(schema: z.ZodType<T>, object: ManifestObject): T {
  const parsed = schema.safeParse(plainObjectOf(object))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UsageError(`${placeOf(object)}: is malformed at ${pathText(issue?.path ?? [])}: ${issue?.message}.`)
}

function placeOf(object: ManifestObject): string {
  return `${object.file.name}: ${titleOf(object)}`
}
