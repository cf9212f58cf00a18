/** The few ASN.1 types that an X.509 certificate is made of, in DER. */

export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts))

export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts))

export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0x00]))

/** An unsigned big-endian number: leading zeros go, and one comes back where the first bit would read as a sign. */
export function integer(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first === -1 ? Buffer.from([0]) : bytes.subarray(first)
  return tagged(0x02, (digits[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits)
}

export const bitString = (bytes: Buffer, unusedBits = 0): Buffer =>
  tagged(0x03, Buffer.concat([Buffer.from([unusedBits]), bytes]))

export const octetString = (bytes: Buffer): Buffer => tagged(0x04, bytes)

export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text, 'utf8'))

/** `oid('1.2.840.10045.4.3.2')`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tagged(0x06, Buffer.from([40 * first + second, ...rest.flatMap(base128)]))
}

/** RFC 5280: two-digit years through 2049, four digits from then on. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/\.\d+|[-:T]/g, '')
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), 'ascii'))
    : tagged(0x18, Buffer.from(digits, 'ascii'))
}

/** A context-specific tag, `[n]`. */
export const context = (n: number, content: Buffer, constructed: boolean): Buffer =>
  tagged((constructed ? 0xa0 : 0x80) | n, content)

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...length(content.length)]), content])
}

function length(n: number): readonly number[] {
  if (n < 0x80) return [n]
  const digits: number[] = []
  for (let rest = n; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256)
  return [0x80 | digits.length, ...digits]
}

function base128(n: number): readonly number[] {
  const digits = [n % 128]
  for (let rest = Math.floor(n / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest % 128) | 0x80)
  return digits
}
