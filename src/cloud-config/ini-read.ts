import { type Bound, type BoundSection, bindIni, textOf } from './gcfg-bind.ts'
import type { IniScan } from './gcfg-scan.ts'
import { cpiIni, inTreeIni, nodesIni } from './ini-schema.ts'
import type { Position, Workspace } from './model.ts'
import { decodeUtf8, type Refusal } from './text.ts'
import { emptySettings, type Places, placeKey, type Settings, textSettings, type WrittenConfig } from './written.ts'

export interface IniReading {
  readonly written: WrittenConfig
  readonly bound: Bound
  /** The same events as the strict reader of old kubelets sees them. */
  readonly inTree: Bound
  /** What the cloud controller manager, and no other reader, refuses. */
  readonly nodesRefusals: readonly Refusal[]
  readonly workspace?: Workspace
}

/** Reads a scanned INI text as the cloud provider does. Throws the refusal that the reference would report. */
export function readIni(scan: IniScan, positionAt: (offset: number) => Position): IniReading {
  const bound = bindIni(scan, cpiIni)
  const [refusal] = bound.refusals
  if (refusal !== undefined) throw refusal
  const inTree = bindIni(scan, inTreeIni)
  const places: Places = new Map()
  const place = (path: readonly string[], section: BoundSection | undefined) => {
    if (section === undefined) return
    places.set(placeKey(path), positionAt(section.offset))
    for (const [field, { offset }] of section.fields) places.set(placeKey([...path, field]), positionAt(offset))
  }

  const vcenters = new Map<string, Settings>()
  for (const [name, section] of bound.sections.get('virtualcenter') ?? []) {
    vcenters.set(name, settings(section))
    place(['vcenters', name], section)
  }
  const global = bound.sections.get('global')?.get('')
  const labels = bound.sections.get('labels')?.get('')
  const boundNodes = bindIni(scan, nodesIni)
  const nodes = boundNodes.sections.get('nodes')?.get('')
  const workspace = inTree.sections.get('workspace')?.get('')
  place(['global'], global)
  place(['labels'], labels)
  place(['nodes'], nodes)
  place(['workspace'], workspace)

  const written: WrittenConfig = {
    format: 'ini',
    global: settings(global),
    vcenters,
    labels: { zone: textOf(labels, 'zone'), region: textOf(labels, 'region') },
    nodes: Object.fromEntries([...(nodes?.fields ?? [])].map(([field, { value }]) => [field, String(value)])),
    places,
  }
  return {
    written,
    bound,
    inTree,
    nodesRefusals: boundNodes.refusals,
    ...(workspace && { workspace: readWorkspace(workspace) }),
  }
}

/** INI is UTF-8; a byte order mark is kept, for the scanner to refuse. */
export const iniText = (input: Uint8Array | string): string => (typeof input === 'string' ? input : decodeUtf8(input))

function settings(section: BoundSection | undefined): Settings {
  const read = emptySettings()
  for (const name of textSettings) read[name] = textOf(section, name)
  read.port = textOf(section, 'port')
  read.insecure = section?.fields.get('insecure')?.value === true
  read.apiDisable = section?.fields.get('apiDisable')?.value === true
  read.roundTripCount = Number(section?.fields.get('roundTripCount')?.value ?? 0)
  read.datacenters = listed(textOf(section, 'datacenters'))
  read.ipFamily = listed(textOf(section, 'ipFamily'))
  return read
}

const listed = (value: string): readonly string[] => (value === '' ? [] : [value])

const readWorkspace = (section: BoundSection): Workspace => ({
  server: textOf(section, 'server'),
  datacenter: textOf(section, 'datacenter'),
  folder: textOf(section, 'folder'),
  defaultDatastore: textOf(section, 'defaultDatastore'),
  resourcePoolPath: textOf(section, 'resourcePoolPath'),
})
