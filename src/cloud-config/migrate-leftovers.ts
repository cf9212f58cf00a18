import { bindIni, foldName } from './gcfg-bind.ts'
import type { IniEvent, IniScan } from './gcfg-scan.ts'
import { cpiIni, type IniSchema, nodesIni, otherIni } from './ini-schema.ts'
import { tagsOf } from './load-balancer-tags.ts'
import type { CloudConfig, Position } from './model.ts'
import { nearMiss } from './near-miss.ts'
import { failureDomainStanza } from './workspace.ts'

/** Something of an INI text that has no place in YAML, and what to do about it. */
export interface Leftover extends Position {
  readonly kind: 'workspace' | 'section' | 'key' | 'port' | 'comment'
  /** What it is: `[Workspace]`, `vm-uuid of [Global]`, `comment`. Never a value. */
  readonly subject: string
  readonly advice: string
  /** For the workspace: what to put under `spec.platformSpec.vsphere` of the Infrastructure object. */
  readonly stanza?: string
}

export function leftoversOf(scan: IniScan, at: (offset: number) => Position, config: CloudConfig): readonly Leftover[] {
  const found: Leftover[] = []
  const carried = new Set(scan.events)
  for (const event of notCarried(scan)) carried.delete(event)
  const reported = new Set<string>()
  // Keys of a section that is left over as a whole need no word of their own.
  let whole = false
  for (const event of scan.events) {
    if (event.kind === 'header') whole = !carried.has(event)
    if (carried.has(event) || (event.kind === 'key' && whole)) continue
    const section = foldName(event.section)
    if (section === 'workspace' && reported.has(section)) continue
    reported.add(section)
    found.push({ ...at(event.offset), ...describe(event, section, config) })
  }
  for (const { first, lines } of commentBlocks(scan, at))
    found.push({
      ...first,
      kind: 'comment',
      subject: lines === 1 ? 'comment' : `comment of ${lines} lines`,
      advice: 'comments are not carried over; copy it into the YAML if it is still true',
    })
  return found
}

const allIni: IniSchema = new Map([...cpiIni, ...nodesIni, ...otherIni])

function notCarried(scan: IniScan): readonly IniEvent[] {
  const bound = bindIni(scan, allIni)
  const refused = new Set(bound.refusals.map(({ offset }) => offset))
  return [
    ...bound.extra,
    ...scan.events.filter((event) => {
      if (event.kind !== 'key') return false
      const [section, key] = [foldName(event.section), foldName(event.key)]
      if (section === 'loadbalancerclass' && (event.name ?? '') === '') return true
      if (section === 'loadbalancer' && key === 'tags') return tagsOf(event.value ?? '') === undefined
      if (refused.has(event.offset) || refused.has(event.valueOffset)) return true
      return section === 'virtualcenter' && (key === 'tenantref' || key === 'ipfamilypriority')
    }),
  ]
}

const inTreeAdvice: Readonly<Record<string, string>> = {
  'datacenter': 'the cloud provider ignores it; add the name to datacenters if the search should be limited to it',
  'datastore': 'the cloud provider ignores it; name the datastore in the failure domain or in a storage class',
  'working-dir': 'the cloud provider ignores it; name the folder in the failure domain',
  'vm-uuid': 'the cloud provider ignores it; drop it',
  'vm-name': 'the cloud provider ignores it; drop it',
  'secret-not-managed': 'the cloud provider ignores it; drop it',
}

function describe(event: IniEvent, section: string, config: CloudConfig): Omit<Leftover, keyof Position> {
  if (section === 'workspace' && config.workspace !== undefined)
    return {
      kind: 'workspace',
      subject: '[Workspace]',
      advice:
        'YAML has no workspace; add this failure domain under spec.platformSpec.vsphere of the Infrastructure object',
      stanza: failureDomainStanza(config, config.workspace),
    }
  const header = `[${event.section.slice(0, 60)}]`
  if (event.kind === 'key') {
    const advice = section === 'global' ? inTreeAdvice[foldName(event.key)] : undefined
    // A password that was broken over two lines looks like a key without a value.
    const keys = [...(allIni.get(section)?.keys.keys() ?? []), ...Object.keys(inTreeAdvice)]
    const isKey = event.value !== undefined || nearMiss(event.key, keys) !== undefined
    const key = isKey || keys.includes(foldName(event.key)) ? event.key.slice(0, 60) : 'a word without "="'
    return {
      kind: 'key',
      subject: `${key} of ${header}`,
      advice: advice ?? 'the cloud provider ignores it; drop it, or correct the name if it is a slip',
    }
  }
  if (section === 'disk')
    return {
      kind: 'section',
      subject: header,
      advice: 'the controller type comes from the template of the machines; drop it',
    }
  if (section === 'network')
    return { kind: 'section', subject: header, advice: 'the network comes from the machines and from nodes; drop it' }
  return {
    kind: 'section',
    subject: header,
    advice: 'the cloud provider ignores the section; drop it, or correct its header',
  }
}

/** Comments on neighbouring lines are one remark. */
function commentBlocks(scan: IniScan, at: (offset: number) => Position): readonly { first: Position; lines: number }[] {
  const blocks: { first: Position; lines: number; last: number }[] = []
  for (const { offset } of scan.comments) {
    const position = at(offset)
    const block = blocks.at(-1)
    if (block !== undefined && block.last === position.line - 1 && block.first.column === position.column) {
      block.lines++
      block.last = position.line
    } else blocks.push({ first: position, lines: 1, last: position.line })
  }
  return blocks
}
