import { quoteYaml } from '../../cloud-config/write-yaml.ts'

/** A text as the value of a YAML key: a literal block where that holds it unchanged, else in double quotes. */
export function blockText(text: string, indent: number, comment = ''): string {
  if (!fitsBlock.test(text)) return `${quoteYaml(text)}${comment}\n`
  const lines = text.split('\n').map((line) => (line === '' ? '' : ' '.repeat(indent) + line))
  return `|${text.endsWith('\n') ? '' : '-'}${comment}\n${lines.join('\n')}${text.endsWith('\n') ? '' : '\n'}`
}

/** Printable everywhere, begins with text, and ends with at most one line break. */
const fitsBlock =
  /^(?![ \n])(?:[\x20-\x7e\n\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\u{10000}-\u{10ffff}])*(?<!\n)\n?$/u
