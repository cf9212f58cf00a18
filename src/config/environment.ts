import { isSchema } from './json-schema.ts'
import type { Layer } from './layers.ts'
import type { ConfigProblem, Path } from './problems.ts'
import { type Setting, settingsReference } from './reference.ts'
import type { JsonSchema } from './schema.ts'
import { didYouMean } from './suggest.ts'
import { merge } from './values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The settings that `VPD_…` variables give. An empty variable counts as not set, as in most deployments it is meant. */
export function environmentLayer(env: Environment): Layer {
  const reference = settingsReference()
  const byVariable = new Map(reference.flatMap((setting) => (setting.variable ? [[setting.variable, setting]] : [])))
  const names = Object.keys(env).filter((name) => name.startsWith('VPD_') && !notSettings.includes(name))
  const ours = names.filter((name) => env[name] !== undefined && !isServiceLink(name, env)).sort()

  const given = ours.flatMap((variable) => {
    const setting = byVariable.get(variable)
    const text = env[variable]
    return setting?.path === undefined || !text ? [] : [{ variable, path: setting.path, setting, text }]
  })
  const problems = ours
    .filter((variable) => !byVariable.has(variable))
    .map((variable): ConfigProblem => {
      return { origin: { kind: 'environment', variable }, path: [], message: whyUnknown(variable, reference) }
    })
  const clash = given.find(({ path }) => given.some((other) => isBelow(other.path, path)))
  if (clash !== undefined) {
    const other = given.find(({ path }) => isBelow(path, clash.path))?.variable
    const message = `cannot be set together with ${other}; unset one of them`
    problems.push({ origin: { kind: 'environment', variable: clash.variable }, path: [], message })
  }
  return {
    value: given.reduce<unknown>(
      (value, { path, setting, text }) => merge(value, nested(path, converted(text, setting.schema)), undefined),
      {},
    ),
    directory: '.',
    problems,
    originOf: (path) => {
      const from = given.find((one) => isBelow(path, one.path, true)) ?? given.find((one) => isBelow(one.path, path))
      return { kind: 'environment', variable: from?.variable ?? 'VPD_*' }
    },
  }
}

/** Names the file itself, so it is no setting in it. */
export const configVariable = 'VPD_CONFIG'

/** Shows where an internal error happened. */
const debugVariable = 'VPD_DEBUG'

const notSettings = [configVariable, debugVariable]

function whyUnknown(variable: string, reference: readonly Setting[]): string {
  const fileOnly = reference.find(
    ({ path, variable: own }) => path?.length === 1 && !own && variable.startsWith(`VPD_${path[0]?.toUpperCase()}`),
  )
  if (fileOnly !== undefined) return `"${fileOnly.name}" can be set in the file only`
  const known = [...notSettings, ...reference.flatMap(({ variable: own }) => own ?? [])]
  return `unknown variable${didYouMean(variable, known) || '; unset it, or correct its name'}`
}

/** A value that does not convert stays text, and is then refused as any text would be. */
function converted(text: string, schema: JsonSchema): unknown {
  const word = text.trim()
  switch (schema.type) {
    case 'integer':
    case 'number':
      return /^[-+]?\d+(\.\d+)?$/.test(word) ? Number(word) : text
    case 'boolean':
      return word === 'true' ? true : word === 'false' ? false : text
    case 'array':
      return isSchema(schema.items) ? listOf(text) : text
    default:
      return text
  }
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

function isBelow(path: Path, ancestor: Path, orEqual = false): boolean {
  const longer = orEqual ? path.length >= ancestor.length : path.length > ancestor.length
  return longer && ancestor.every((key, index) => path[index] === key)
}

/**
 * Kubernetes describes every Service of the namespace to every pod: one called `vpd` or `vpd-http` makes variables
 * that begin as ours do, and even `VPD_HTTP_PORT=tcp://…`. They are nobody's settings.
 */
function isServiceLink(name: string, env: Environment): boolean {
  const link = /^(.+?)_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$/.exec(name)
  if (link === null || env[`${link[1]}_SERVICE_HOST`] === undefined) return false
  return link[2] !== 'PORT' || /^(tcp|udp|sctp):\/\//.test(env[name] ?? '')
}
