import type { CsiConfig } from './csi-model.ts'
import type { CloudConfig } from './model.ts'

/** The configuration as JSON shows it: maps become objects, and what only code can use is left out. */
export function cloudConfigJson(config: CloudConfig) {
  const { positionOf: _1, originOf: _2, vcenters, ...rest } = config
  return { ...rest, vcenters: asObject(vcenters) }
}

export function csiConfigJson(config: CsiConfig) {
  const { positionOf: _, vcenters, ...rest } = config
  return { ...rest, vcenters: asObject(vcenters) }
}

/** Defines each key, so that a vCenter named __proto__ is one like any other. */
const asObject = <V>(map: ReadonlyMap<string, V>): Readonly<Record<string, V>> => Object.fromEntries(map)
