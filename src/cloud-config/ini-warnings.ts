import { foldName } from './gcfg-bind.ts'
import type { IniEvent, IniKey, IniScan } from './gcfg-scan.ts'
import type { IniReading } from './ini-read.ts'
import { cpiIni, inTreeIni, nodesIni, otherIni } from './ini-schema.ts'
import type { Position } from './model.ts'
import { nearMiss } from './near-miss.ts'
import { shown } from './text.ts'
import type { WarningList } from './warnings.ts'

/** Says what the cloud provider passes over in an INI text, and what keeps OpenShift from seeing it as legacy. */
export function warnOfIni(
  scan: IniScan,
  reading: IniReading,
  at: (offset: number) => Position,
  warnings: WarningList,
): void {
  const hiding = new Set(reading.workspace === undefined ? [] : reading.inTree.extra.map(({ offset }) => offset))
  for (const event of reading.bound.extra) {
    const message = ignored(event)
    if (message === undefined) continue
    warnings.add(
      () => at(event.offset),
      () => (hiding.has(event.offset) ? andHidesWorkspace(message()) : message()),
    )
  }
  warnOfRepetition(scan, at, warnings)
  warnOfCuts(scan, at, warnings)
  for (const { offset, message } of reading.nodesRefusals)
    warnings.add(at(offset), () => `the cloud controller manager refuses the file because ${message}`)
  warnOfHiddenWorkspace(reading, at, warnings)
}

const andHidesWorkspace = (message: string) =>
  `${message}${message.endsWith('?') ? ' It' : '; it'} also hides [Workspace] from OpenShift`

/** Of what is in force. What is not is written in vain, and told as that. */
function warnOfHiddenWorkspace(
  { workspace, inTree }: IniReading,
  at: (offset: number) => Position,
  warnings: WarningList,
): void {
  const unknown = inTree.extra.find(isInForce)
  const [refusal] = inTree.refusals
  const offset = unknown?.offset ?? refusal?.offset
  if (workspace === undefined || offset === undefined) return
  warnings.add(
    at(offset),
    () =>
      `because ${unknown === undefined ? refusal?.message : `of ${named(unknown)}`}, OpenShift does not treat the file as a legacy configuration and does not see its [Workspace]; declare the failure domains in the Infrastructure object`,
    { on: 'OpenShift', hides: 'workspace' },
  )
}

function isInForce(event: IniEvent): boolean {
  const section = foldName(event.section)
  if (otherIni.has(section)) return true
  const known = cpiIni.get(section) ?? nodesIni.get(section)
  if (known === undefined || (event.name !== undefined && !known.named)) return false
  return event.kind === 'header' || known.keys.has(foldName(event.key))
}

function named(event: IniEvent): string {
  const { section, name } = event
  if (event.kind === 'header')
    return `the section [${section.slice(0, 60)}${name === undefined ? '' : ` ${shown(name)}`}]`
  const isKnown = cpiIni.get(foldName(section))?.keys.has(foldName(event.key)) === true
  return event.value === undefined && !isKnown ? strayWord(section) : `${shown(event.key)} in [${section.slice(0, 60)}]`
}

/** Not shown: a password that was broken over two lines looks like this. */
const strayWord = (section: string) => `a word without "=" in [${section.slice(0, 60)}]`

/** Nothing for the sections and keys that another reader of the same file takes. */
function ignored(event: IniEvent): (() => string) | undefined {
  const section = foldName(event.section)
  if (otherIni.has(section)) return undefined
  const known = cpiIni.get(section) ?? nodesIni.get(section)
  const inTree = inTreeIni.get(section)
  const takesName = (known ?? inTree)?.named
  if (event.kind === 'header') {
    if (known === undefined && inTree === undefined) return () => unknownIniSection(event.section, sectionNames)
    if (event.name !== undefined && takesName === false)
      return () => `[${event.section}] takes no quoted name; with one the whole section is ignored`
    if (section === 'disk' || section === 'network')
      return () => `[${event.section}] is ignored; only the cloud provider built into old kubelets read it`
    return undefined
  }
  if ((known === undefined && inTree === undefined) || (event.name !== undefined && takesName === false))
    return undefined
  const key = foldName(event.key)
  if (section === 'global' && key === 'datacenter') return singularDatacenter
  if (known !== undefined && inTree?.keys.has(key) && !known.keys.has(key))
    return () => `${event.key} is ignored; only the cloud provider built into old kubelets read it`
  const keys = (known ?? inTree)?.keys
  return keys?.has(key) === false ? () => unknownIniKey(event, keys.keys()) : undefined
}

const sectionNames = ['Global', 'VirtualCenter', 'Labels', 'Nodes', 'Workspace', 'Disk', 'Network']

const singularDatacenter = () =>
  'the key "datacenter" is ignored; write datacenters, otherwise all datacenters of the vCenter count'

export function unknownIniSection(name: string, sections: readonly string[]): string {
  const meant = /^vcenters?$/i.test(name) ? 'VirtualCenter' : nearMiss(name, sections)
  const hint = meant === undefined ? '' : `; did you mean [${meant}]?`
  return `the section [${name.slice(0, 60)}] is unknown and ignored${hint}`
}

export function unknownIniKey({ key, section, value }: IniKey, known: Iterable<string>): string {
  if (foldName(key) === 'datacenter') return singularDatacenter()
  const meant = nearMiss(key, known)
  if (value === undefined && meant === undefined) return `${strayWord(section)} is ignored`
  return `the key ${shown(key)} of [${section}] is unknown and ignored${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

export function warnOfRepetition(scan: IniScan, at: (offset: number) => Position, warnings: WarningList): void {
  const keysOf = new Map<string, Set<string>>()
  let keys = new Set<string>()
  for (const event of scan.events) {
    if (event.kind === 'key') {
      const key = foldName(event.key)
      if (keys.has(key))
        warnings.add(
          () => at(event.offset),
          () => `${event.key} is given twice in this section; the later value counts`,
        )
      keys.add(key)
      continue
    }
    const { section, name } = event
    const id = JSON.stringify([foldName(section), name])
    const seen = keysOf.get(id)
    if (seen !== undefined)
      warnings.add(
        () => at(event.offset),
        () =>
          `the section [${section}${name === undefined ? '' : ` ${shown(name)}`}] is given twice; both are merged, later keys win`,
        foldName(section) === 'virtualcenter' ? { repeats: 'vcenter' } : {},
      )
    keys = seen ?? new Set()
    keysOf.set(id, keys)
  }
}

/** Says where a sign that begins a comment was probably a part of the value. */
export function warnOfCuts(scan: IniScan, at: (offset: number) => Position, warnings: WarningList): void {
  for (const event of scan.events) {
    if (event.kind !== 'key' || event.cutAt === undefined) continue
    const { key, cutAt } = event
    warnings.add(
      () => at(cutAt),
      () =>
        `the value of ${key} ends here, because # and ; begin a comment; put it in double quotes if more belongs to it`,
    )
  }
}
