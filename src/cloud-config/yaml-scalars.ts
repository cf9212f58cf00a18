import type { Scalar } from 'yaml'
import { Refusal, shown } from './text.ts'

/** Whether YAML 1.1 takes a scalar for nothing. */
export const isNullScalar = (node: Scalar): boolean => resolvesByContent(node) && nullWords.has(sourceOf(node))

export const scalarText = (node: Scalar, what: string): string =>
  node.tag === `${coreTag}binary` ? fromBase64(node, what) : sourceOf(node)

/** The offset is where the value is used, which is elsewhere than the scalar when that is an alias. */
export function scalarBool(node: Scalar, offset: number, what: string): boolean {
  const value = resolvesByContent(node) ? booleanWords.get(sourceOf(node)) : undefined
  if (value === undefined) throw new Refusal(offset, `${what} must be true or false, without quotes`)
  return value
}

export function scalarUint(node: Scalar, offset: number, what: string): number {
  const value = resolvesByContent(node) ? parseUint(sourceOf(node)) : undefined
  if (value === undefined) throw new Refusal(offset, `${what} must be a whole number without quotes, such as 443`)
  return value
}

const coreTag = 'tag:yaml.org,2002:'
const resolvedTags = new Set([`${coreTag}int`, `${coreTag}float`, `${coreTag}bool`, `${coreTag}null`])
const nullWords = new Set(['', '~', 'null', 'Null', 'NULL'])
const booleanWords = new Map([
  ...['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'].map((word) => [word, true] as const),
  ...['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'].map((word) => [word, false] as const),
])

/** Quotes and foreign tags make a scalar text, whatever it looks like. */
const resolvesByContent = (node: Scalar): boolean =>
  node.tag === undefined ? node.type === 'PLAIN' : resolvedTags.has(node.tag)

const sourceOf = (node: Scalar): string => node.source ?? ''

function fromBase64(node: Scalar, what: string): string {
  const encoded = sourceOf(node).replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0)
    throw new Refusal(node.range?.[0] ?? 0, `${shown(what)} is tagged !!binary but is not base64`)
  return new TextDecoder().decode(Buffer.from(encoded, 'base64'))
}

const maxUint = 2n ** 64n - 1n

function parseUint(source: string): number | undefined {
  const plain = source.replaceAll('_', '').replace(/^\+/, '')
  if (plain.length > 100 || !/^[0-9.]/.test(plain)) return undefined
  const octal = /^0o?([0-7]+)$/.exec(plain)?.[1]
  if (octal !== undefined) return bounded(BigInt(`0o${octal}`))
  if (/^(0|[1-9][0-9]*|0[xX][0-9a-fA-F]+|0[bB][01]+|0O[0-7]+)$/.test(plain)) return bounded(BigInt(plain))
  if (!/^(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return undefined
  const float = Math.trunc(Number(plain))
  return float <= Number(maxUint) ? float : undefined
}

const bounded = (value: bigint): number | undefined => (value > maxUint ? undefined : Number(value))
