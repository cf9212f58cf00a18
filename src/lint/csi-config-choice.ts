import { type CsiConfig, readCsiConfig } from '../cloud-config/index.ts'
import { configIn } from '../cluster/objects.ts'
import { csiConfigPlaces, named } from '../cluster/places.ts'
import type { Read } from '../framework/context.ts'
import { type ManifestObject, titleOf } from '../manifest-files/manifest-objects.ts'
import { UsageError } from '../usage-error.ts'
import { type Chosen, chosenFile, dataOf, placeIn } from './config-place.ts'
import type { Gathered } from './gather.ts'
import { looksLikeCsiConfig, type Recognised } from './recognise.ts'

/** The configuration of the CSI driver: what the reading found in the usual places, a file, or a secret that looks like it. */
export function chooseCsiConfig(
  files: readonly Recognised[],
  gathered: Gathered,
  inUsualPlace: Read<CsiConfig>,
): Chosen<CsiConfig> {
  const bare = files.filter(({ config }) => config === 'csi').map(({ file }) => file)
  const usual = csiConfigPlaces.flatMap((place) => {
    const object = gathered.objects.get(`Secret/${named(place)}`)
    return object === undefined ? [] : [{ object, key: place.key }]
  })
  const [secret = otherSecret(gathered)] = usual
  const rivals = [
    ...bare.map(({ name }) => name),
    ...(bare.length > 0 && secret ? [`${secret.object.file.name} (${titleOf(secret.object)})`] : []),
  ]
  if (rivals.length > 1)
    throw new UsageError(`${rivals.join(' and ')} would each be the CSI driver's configuration; give one of them.`)
  const [file] = bare
  if (file !== undefined) return chosenFile(file, readCsiConfig)
  if (secret === undefined) return { read: inUsualPlace }
  const place = placeIn(secret.object, secret.key)
  if (usual.length > 0) return { read: inUsualPlace, place }
  const { namespace, name } = secret.object
  const at = { kind: 'Secret', namespace, name, key: secret.key } as const
  return { read: configIn(dataOf(secret.object, gathered.heap), at, readCsiConfig), place }
}

/** A secret under another name whose text only the CSI driver can be meant by. */
function otherSecret(gathered: Gathered): { readonly object: ManifestObject; readonly key: string } | undefined {
  for (const object of gathered.objects.values()) {
    if (object.kind !== 'Secret') continue
    for (const [key, value] of Object.entries(dataOf(object, gathered.heap)))
      if (/\.conf$/.test(key) && looksLikeCsiConfig(Buffer.from(value).toString())) return { object, key }
  }
  return undefined
}
