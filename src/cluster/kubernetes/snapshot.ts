import type { KubeClient } from './client.ts'
import { KubeError } from './errors.ts'
import { fingerprint, nameOf } from './fingerprint.ts'
import type { Known } from './known.ts'
import { listAll, type Selection, whatOf } from './list.ts'
import { objectPathOf } from './resources.ts'

/** Reads all that is selected; returns the version to watch from, or nothing where only the object itself may be read. */
export async function snapshot(
  client: KubeClient,
  selection: Selection,
  known: Known,
  signal: AbortSignal,
): Promise<string> {
  const { kind, place } = selection
  const objects = new Map<string, string>()
  // As a round looks: one that may be listed and not read would otherwise be news after every round.
  if (known.isBlind && place !== undefined) known.replace(await single(client, selection, signal))
  try {
    const version = await listAll(client, selection, signal, {
      start: () => objects.clear(),
      item: (object) => objects.set(nameOf(object), fingerprint(kind, object)),
    })
    known.replace(objects)
    return version
  } catch (error) {
    if (place === undefined || !(error instanceof KubeError) || error.kind !== 'forbidden') throw error
    known.replace(await single(client, selection, signal))
    return ''
  }
}

async function single(client: KubeClient, selection: Selection, signal: AbortSignal): Promise<Map<string, string>> {
  const { kind, place = { namespace: '', name: '' } } = selection
  try {
    const object = await client.json({ path: objectPathOf(kind, place), what: whatOf(selection), signal })
    return new Map(typeof object === 'object' && object !== null ? [[place.name, fingerprint(kind, object)]] : [])
  } catch (error) {
    if (error instanceof KubeError && error.kind === 'not-found') return new Map()
    throw error
  }
}
