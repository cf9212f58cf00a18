import { unwritable } from './write-text.ts'

export interface IniSectionText {
  readonly section: string
  /** The quoted part of the header. */
  readonly name?: string
  readonly keys: readonly (readonly [key: string, value: string | number | boolean])[]
}

/** INI text that gcfg reads back to exactly these values. Throws an `unwritable` CloudConfigError where it cannot. */
export function writeIni(sections: readonly IniSectionText[]): string {
  return sections.map(writeSection).join('\n')
}

function writeSection({ section, name, keys }: IniSectionText): string {
  const header = name === undefined ? `[${word(section)}]` : `[${word(section)} "${headerName(name)}"]`
  const lines = keys.map(([key, value]) => `${word(key)} = ${typeof value === 'string' ? quoted(value, key) : value}`)
  return `${[header, ...lines].join('\n')}\n`
}

function quoted(value: string, key: string): string {
  const bad = /[\r\0]|\p{Cs}/u.exec(value)?.[0]
  if (bad !== undefined) throw unwritable(`the value of ${key}`, bad, 'INI')
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return `"${escaped}"`
}

function headerName(name: string): string {
  const bad = /[\r\n\0]|\p{Cs}/u.exec(name)?.[0]
  if (bad !== undefined || name === '') throw unwritable('the name of a section', bad, 'INI')
  return name.replace(/[\\"]/g, '\\$&')
}

function word(text: string): string {
  if (!/^[A-Za-z][A-Za-z0-9-]*$/.test(text)) throw unwritable('a section or key', undefined, 'INI')
  return text
}
