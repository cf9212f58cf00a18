import type { CsiConfig, CsiVCenter } from './csi-model.ts'
import { CSI_FORMER_KEYS, CSI_INI, CSI_OTHER_SECTIONS } from './csi-schema.ts'
import { splitNames } from './effective.ts'
import { CloudConfigError, type CloudConfigReason } from './error.ts'
import { type Bound, type BoundSection, bindIni, foldName } from './gcfg-bind.ts'
import { type IniKey, scanIni } from './gcfg-scan.ts'
import { iniText } from './ini-read.ts'
import { unknownIniKey, unknownIniSection, warnOfCuts, warnOfRepetition } from './ini-warnings.ts'
import type { Position } from './model.ts'
import { positionsIn, Refusal } from './text.ts'
import { type WarningList, warningList } from './warnings.ts'
import { type Places, placeKey } from './written.ts'

/** What the CSI driver takes from its INI file. Throws a CloudConfigError, and nothing else, where the driver refuses it. */
export function readCsiConfig(input: Uint8Array | string): CsiConfig {
  const { bound, at, warnings } = bindCsi(input)
  const places: Places = new Map()
  for (const [section, byName] of bound.sections)
    for (const [name, { offset, fields }] of byName) {
      const path = section === 'virtualcenter' ? ['vcenters', name] : name === '' ? [section] : [section, name]
      places.set(placeKey(path), at(offset))
      for (const [field, value] of fields) places.set(placeKey([...path, field]), at(value.offset))
    }
  const positionOf = (...path: readonly string[]) => places.get(placeKey(path))
  try {
    return { ...build(bound, positionOf), warnings: warnings.list(), positionOf }
  } catch (error) {
    if (!(error instanceof CloudConfigError)) throw error
    // A section in the wrong spelling is often the reason why something is missing.
    throw new CloudConfigError(error.reason, error.message, { ...error.toJSON(), warnings: warnings.list() })
  }
}

function bindCsi(input: Uint8Array | string): {
  bound: Bound
  at: (offset: number) => Position
  warnings: WarningList
} {
  let text = ''
  try {
    text = iniText(input)
    const scan = scanIni(text)
    const bound = bindIni(scan, CSI_INI)
    const [refusal] = bound.refusals
    if (refusal !== undefined) throw refusal
    const at = positionsIn(text)
    const warnings = warningList()
    for (const event of bound.extra) {
      const section = foldName(event.section)
      const known = CSI_INI.get(section)
      if (CSI_OTHER_SECTIONS.has(section)) continue
      if (event.kind === 'header')
        warnings.add(
          () => at(event.offset),
          () =>
            known === undefined
              ? unknownIniSection(event.section, [
                  'Global',
                  'VirtualCenter',
                  'Labels',
                  'Snapshot',
                  'NetPermissions',
                  'TopologyCategory',
                ])
              : `[${event.section}] takes no quoted name; with one the whole section is ignored`,
        )
      else if (CSI_FORMER_KEYS.get(section)?.has(foldName(event.key)))
        warnings.add(
          () => at(event.offset),
          () => formerKey(event),
          { on: 'newer CSI drivers' },
        )
      else if (known?.keys.has(foldName(event.key)) === false)
        warnings.add(
          () => at(event.offset),
          () => unknownIniKey(event, known.keys.keys()),
        )
    }
    warnOfRepetition(scan, at, warnings)
    warnOfCuts(scan, at, warnings)
    return { bound, at, warnings }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const lines = text === '' && typeof input !== 'string' ? new TextDecoder().decode(input) : text
    throw new CloudConfigError('syntax', error.message, positionsIn(lines)(error.offset))
  }
}

function formerKey({ section, key }: IniKey): string {
  const successor = CSI_FORMER_KEYS.get(foldName(section))?.get(foldName(key)) ?? ''
  return `only older releases of the driver read ${key}; ${successor === '' ? 'newer ones ignore it' : `for newer ones write ${successor}`}`
}

const MAX_VCENTERS = 5
const MAX_CATEGORIES = 5
const MAX_ID_LENGTH = 64

function build(bound: Bound, at: (...path: string[]) => Position | undefined): Omit<CsiConfig, 'warnings'> {
  const only = (section: string): BoundSection | undefined => bound.sections.get(section)?.get('')
  const [global, labels, snapshot] = [only('global'), only('labels'), only('snapshot')]
  const sections = bound.sections.get('virtualcenter') ?? new Map<string, BoundSection>()
  const topologyCategories = text(labels, 'topologyCategories')
  const refuse = (reason: CloudConfigReason, message: string, ...path: string[]): CloudConfigError =>
    new CloudConfigError(reason, message, at(...path))

  if (sections.size === 0)
    throw refuse('no-vcenters', 'no vCenter is defined; add a [VirtualCenter "vc.example.com"] section')
  for (const id of ['clusterId', 'supervisorId'])
    if (text(global, id).length > MAX_ID_LENGTH)
      throw refuse(
        'cluster-id-too-long',
        `${id === 'clusterId' ? 'cluster-id' : 'supervisor-id'} has more than ${MAX_ID_LENGTH} characters`,
        'global',
        id,
      )
  if (sections.size > MAX_VCENTERS)
    throw refuse(
      'too-many-vcenters',
      `there are ${sections.size} vCenters; the CSI driver takes at most ${MAX_VCENTERS}`,
    )
  if (sections.size > 1 && topologyCategories === '')
    throw refuse('topology-required', 'several vCenters need topology-categories in [Labels]', 'labels')

  const vcenters = new Map<string, CsiVCenter>()
  for (const [name, section] of sections) {
    if (name === '')
      throw refuse(
        'vcenter-address-missing',
        'a [VirtualCenter] section has no name; write the address as [VirtualCenter "vc.example.com"]',
        'vcenters',
        name,
      )
    vcenters.set(name, vcenter(name, section, global, refuse))
  }
  const categories = splitNames(topologyCategories)
  if (topologyCategories !== '' && (text(labels, 'zone') !== '' || text(labels, 'region') !== ''))
    throw refuse(
      'topology-conflict',
      'zone and region cannot be set beside topology-categories; remove them',
      'labels',
      'topologyCategories',
    )
  if (categories.length > MAX_CATEGORIES)
    throw refuse(
      'too-many-topology-categories',
      `topology-categories holds ${categories.length} names; at most ${MAX_CATEGORIES} are allowed`,
      'labels',
      'topologyCategories',
    )
  return {
    format: 'ini',
    clusterId: text(global, 'clusterId'),
    supervisorId: text(global, 'supervisorId'),
    clusterDistribution: text(global, 'clusterDistribution'),
    vcenters,
    topologyCategories,
    labels: { topologyCategories: categories, zone: text(labels, 'zone'), region: text(labels, 'region') },
    snapshot: {
      globalMax: number(snapshot, 'globalMax') || 3,
      vsan: number(snapshot, 'vsan'),
      vvol: number(snapshot, 'vvol'),
    },
  }
}

/** From the global part come user, password, port, datacenters and the insecure flag, but no certificate. */
function vcenter(
  server: string,
  own: BoundSection,
  global: BoundSection | undefined,
  refuse: (reason: CloudConfigReason, message: string, ...path: string[]) => CloudConfigError,
): CsiVCenter {
  const inherited = (field: string): string => text(own, field) || text(global, field)
  const user = inherited('user')
  const password = inherited('password')
  const named = `of vCenter ${JSON.stringify(server)}`
  if (user === '')
    throw refuse('username-missing', `the user ${named} is missing; set it there or in [Global]`, 'vcenters', server)
  if (!isQualifiedUser(user))
    throw refuse(
      'username-invalid',
      `the user ${named} must be name@domain or DOMAIN\\name, the name of letters, digits, ".", "_" and "-" only`,
      'vcenters',
      server,
      'user',
    )
  if (password === '')
    throw refuse(
      'password-missing',
      `the password ${named} is missing; set it there or in [Global]`,
      'vcenters',
      server,
    )
  return {
    server,
    port: inherited('port') || '443',
    insecure: own.fields.get('insecure')?.value === true || global?.fields.get('insecure')?.value === true,
    user,
    password,
    datacenters: splitNames(inherited('datacenters')),
    datacentersRaw: inherited('datacenters'),
    caFile: text(own, 'caFile'),
    thumbprint: text(own, 'thumbprint'),
    migrationDatastoreUrl: text(own, 'migrationDatastoreUrl'),
    fileShareClusters: text(own, 'fileShareClusters'),
  }
}

/** The form of user name that the CSI driver insists on. */
export const isQualifiedUser = (user: string): boolean =>
  /^[a-zA-Z0-9._-]+@[a-zA-Z0-9._-]+$/.test(user) || /^[a-zA-Z0-9._-]+\\[a-zA-Z0-9._-]+$/.test(user)

const text = (section: BoundSection | undefined, field: string): string =>
  String(section?.fields.get(field)?.value ?? '')
const number = (section: BoundSection | undefined, field: string): number =>
  Number(section?.fields.get(field)?.value ?? 0)
