import { csiConfigOf } from './csi-build.ts'
import type { CsiConfig } from './csi-model.ts'
import { csiIni } from './csi-schema.ts'
import { warnOfCsi } from './csi-warnings.ts'
import { CloudConfigError } from './error.ts'
import { type Bound, bindIni } from './gcfg-bind.ts'
import { scanIni } from './gcfg-scan.ts'
import { iniText } from './ini-read.ts'
import type { Position } from './model.ts'
import { positionsIn, Refusal } from './text.ts'
import { type WarningList, warningList } from './warnings.ts'
import { type Places, placeKey } from './written.ts'

/** What the CSI driver takes from its INI file. Throws a CloudConfigError, and nothing else, where the driver refuses it. */
export function readCsiConfig(input: Uint8Array | string): CsiConfig {
  const { bound, at, warnings } = bindCsi(input)
  const places = placesOf(bound, at)
  const positionOf = (...path: readonly string[]) => places.get(placeKey(path))
  try {
    return { ...csiConfigOf(bound, positionOf), warnings: warnings.list(), positionOf }
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    // A section in the wrong spelling is often the reason why something is missing.
    throw new CloudConfigError(error.reason, error.message, { ...error.toJSON(), warnings: warnings.list() })
  }
}

interface Binding {
  readonly bound: Bound
  readonly at: (offset: number) => Position
  readonly warnings: WarningList
}

function bindCsi(input: Uint8Array | string): Binding {
  let text = ''
  try {
    text = iniText(input)
    const scan = scanIni(text)
    const bound = bindIni(scan, csiIni)
    const [refusal] = bound.refusals
    if (refusal !== undefined) throw refusal
    const at = positionsIn(text)
    const warnings = warningList()
    warnOfCsi(scan, bound, at, warnings)
    return { bound, at, warnings }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const lines = text === '' && typeof input !== 'string' ? new TextDecoder().decode(input) : text
    throw new CloudConfigError('syntax', error.message, positionsIn(lines)(error.offset))
  }
}

function placesOf({ sections }: Bound, at: (offset: number) => Position): Places {
  const places: Places = new Map()
  for (const [section, byName] of sections)
    for (const [name, { offset, fields }] of byName) {
      const path = section === 'virtualcenter' ? ['vcenters', name] : name === '' ? [section] : [section, name]
      places.set(placeKey(path), at(offset))
      for (const [field, value] of fields) places.set(placeKey([...path, field]), at(value.offset))
    }
  return places
}
