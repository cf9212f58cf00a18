/** Entries of an archive, written byte by byte so that a test can write nonsense. */
export interface EntrySpec {
  readonly name: string
  readonly text?: string
  readonly type?: string
  /** What the header claims, where it lies. */
  readonly size?: number
  /** What a link points to. */
  readonly target?: string
}

export function tarOf(entries: readonly EntrySpec[], end = Buffer.alloc(1024)): Buffer {
  return Buffer.concat([...entries.map(entryOf), end])
}

/** A pax header for the entry that follows. */
export function pax(records: Readonly<Record<string, string>>): EntrySpec {
  const lines = Object.entries(records).map(([key, value]) => {
    const rest = Buffer.byteLength(` ${key}=${value}\n`)
    const digits = String(rest + String(rest).length).length
    return `${rest + digits} ${key}=${value}\n`
  })
  return { name: 'pax', type: 'x', text: lines.join('') }
}

function entryOf({ name, text = '', type = '0', size = Buffer.byteLength(text), target = '' }: EntrySpec): Buffer {
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100))
  header.write('0000644\0', 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(type, 156)
  header.write(target, 157)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(' '.repeat(8), 148)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const body = Buffer.alloc(Math.ceil(Buffer.byteLength(text) / 512) * 512)
  body.write(text)
  return Buffer.concat([header, body])
}
