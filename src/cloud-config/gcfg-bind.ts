import type { IniEvent, IniKey, IniScan } from './gcfg-scan.ts'
import type { IniSchema, IniSection, IniType } from './ini-schema.ts'
import { Refusal, shown } from './text.ts'

export interface BoundValue {
  readonly value: string | boolean | number
  readonly offset: number
}

export interface BoundSection {
  readonly offset: number
  readonly fields: Map<string, BoundValue>
}

export interface Bound {
  /** By section in lower case, then by quoted name; a section without one is under the empty name. */
  readonly sections: ReadonlyMap<string, ReadonlyMap<string, BoundSection>>
  /** What the schema does not know. The loaders pass over it, the strict reader does not. */
  readonly extra: readonly IniEvent[]
  /** In the order in which the reference meets them: unnamed sections before named ones. */
  readonly refusals: readonly Refusal[]
}

/** Gives the events of a text the meaning that a schema has for them. */
export function bindIni(scan: IniScan, schema: IniSchema): Bound {
  const sections = new Map<string, Map<string, BoundSection>>()
  const extra: IniEvent[] = []
  const unnamed: Refusal[] = []
  const named: Refusal[] = []
  // A key belongs to the header before it.
  let known: IniSection | undefined
  let bound: BoundSection | undefined
  for (const event of scan.events) {
    if (event.kind === 'header') {
      const section = foldName(event.section)
      known = schema.get(section)
      if (event.name !== undefined && known?.named === false) known = undefined
      if (known === undefined) {
        extra.push(event)
        continue
      }
      const byName = sections.get(section) ?? new Map<string, BoundSection>()
      sections.set(section, byName)
      bound = byName.get(event.name ?? '') ?? { offset: event.offset, fields: new Map<string, BoundValue>() }
      byName.set(event.name ?? '', bound)
      continue
    }
    const field = known?.keys.get(foldName(event.key))
    if (field === undefined || bound === undefined) {
      extra.push(event)
      continue
    }
    const value = convert(event, field.type)
    if (value instanceof Refusal) (event.name === undefined ? unnamed : named).push(value)
    else bound.fields.set(field.field, { value, offset: event.value === undefined ? event.offset : event.valueOffset })
  }
  const syntax = scan.refusal === undefined ? [] : [scan.refusal]
  return { sections, extra, refusals: [...unnamed, ...syntax, ...named] }
}

/** What a field holds as text, empty where it is not given. */
export const textOf = (section: BoundSection | undefined, field: string): string =>
  String(section?.fields.get(field)?.value ?? '')

/** Names match without regard to case; U+017F is the one letter that folds to ASCII and is no capital. */
export const foldName = (name: string): string => name.toLowerCase().replaceAll('\u017f', 's')

const maxUint = 2n ** 64n - 1n
const maxInt = 2n ** 63n - 1n
// The digits are bounded so that nobody has to multiply a megabyte of them.
const wholeNumber = /^[ \t]*([-+]?)(0x[0-9a-fA-F]{1,50}|[0-9]{1,50})[ \t\n]*$/
const yesWords = new Set(['true', 'yes', 'on', '1'])
const noWords = new Set(['false', 'no', 'off', '0'])

function convert(event: IniKey, type: IniType): string | boolean | number | Refusal {
  const { key, value } = event
  if (value === undefined) {
    if (type === 'bool') return true
    if (type === 'list') return ''
    return new Refusal(event.offset, `the key ${shown(key)} needs "=" and a value`)
  }
  const wanted = (what: string) => new Refusal(event.valueOffset, `the value of ${shown(key)} is not ${what}`)
  if (type === 'bool') {
    const word = foldName(value)
    if (yesWords.has(word)) return true
    return noWords.has(word) ? false : wanted('one of true, yes, on, 1, false, no, off, 0')
  }
  if (type === 'uint' || type === 'int') {
    const [, sign = '', digits = ''] = wholeNumber.exec(value) ?? []
    if (digits === '' || (type === 'uint' && sign !== '')) return wanted('a whole number such as 3')
    const number = BigInt(digits)
    if (number > (type === 'uint' ? maxUint : maxInt)) return wanted('a number of at most 64 bits')
    return Number(number) * (sign === '-' ? -1 : 1)
  }
  return value
}
