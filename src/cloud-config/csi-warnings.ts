import { csiFormerKeys, csiIni, csiOtherSections, csiSections } from './csi-schema.ts'
import { type Bound, foldName } from './gcfg-bind.ts'
import type { IniEvent, IniKey, IniScan } from './gcfg-scan.ts'
import { unknownIniKey, unknownIniSection, warnOfCuts, warnOfRepetition } from './ini-warnings.ts'
import type { Position } from './model.ts'
import type { WarningList } from './warnings.ts'

/** Says what the CSI driver passes over in its INI text. */
export function warnOfCsi(
  scan: IniScan,
  { extra }: Bound,
  at: (offset: number) => Position,
  warnings: WarningList,
): void {
  for (const event of extra) {
    const found = ignored(event)
    if (found !== undefined) warnings.add(() => at(event.offset), found.message, found.more)
  }
  warnOfRepetition(scan, at, warnings)
  warnOfCuts(scan, at, warnings)
}

/** Nothing for the sections of guest clusters, and for the keys of a section that is told of itself. */
function ignored(event: IniEvent): { message: () => string; more?: { on: 'newer CSI drivers' } } | undefined {
  const section = foldName(event.section)
  const known = csiIni.get(section)
  if (csiOtherSections.has(section)) return undefined
  if (event.kind === 'header')
    return { message: () => (known === undefined ? unknownIniSection(event.section, names) : needlessName(event)) }
  const key = foldName(event.key)
  if (csiFormerKeys.get(section)?.has(key))
    return { message: () => formerKey(event), more: { on: 'newer CSI drivers' } }
  if (known?.keys.has(key) === false) return { message: () => unknownIniKey(event, known.keys.keys()) }
  return undefined
}

const names = Object.keys(csiSections)

const needlessName = ({ section }: IniEvent): string =>
  `[${section}] takes no quoted name; with one the whole section is ignored`

function formerKey({ section, key }: IniKey): string {
  const successor = csiFormerKeys.get(foldName(section))?.get(foldName(key)) ?? ''
  return `only older releases of the driver read ${key}; ${successor === '' ? 'newer ones ignore it' : `for newer ones write ${successor}`}`
}
