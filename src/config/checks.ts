import type { Check, Options, Scope, Severity } from '../framework/check.ts'
import { matchesGlob } from '../framework/glob.ts'
import { got, looksSecret } from './issues.ts'
import type { LoadedSettings } from './load.ts'
import type { ConfigProblem, Path } from './problems.ts'
import type { Settings } from './schema.ts'
import { didYouMean } from './suggest.ts'

export interface CheckSettings {
  readonly enabled: boolean
  /** Overrides the severity of all findings. */
  readonly severity?: Severity
  /** Overrides the schedule of all checks. */
  readonly cron?: string
  /** The check's defaults, and over them what the settings give. */
  readonly options: Options
}

export function checkSettingsOf(settings: Settings, check: Check): CheckSettings {
  const own = settings.checks[check.id]
  return { enabled: true, ...own, options: { ...check.options, ...own?.options } }
}

/**
 * What can be judged only once all checks are known, those of plugins too. Of others, which a plugin was to bring and did
 * not, at most the ids are known; where they are `hidden`, any id may be one of them.
 */
export function validateChecks(
  loaded: LoadedSettings,
  checks: readonly Check[],
  others: readonly string[] | 'hidden' = [],
): ConfigProblem[] {
  const byId = new Map(checks.map((check) => [check.id, check]))
  const ids = [...byId.keys(), ...(others === 'hidden' ? [] : others)]
  const mayBeOther = (pattern: string) => others === 'hidden' || others.some((id) => matchesGlob(pattern, id))
  return [
    ...Object.entries(loaded.settings.checks).flatMap(([id, { options }]) => {
      const check = byId.get(id)
      const path = ['checks', id]
      if (check !== undefined) return optionProblems(loaded, [...path, 'options'], options, check)
      if (others === 'hidden' || others.includes(id)) return []
      return [loaded.problemAt(path, `unknown check${didYouMean(id, ids) || knownChecks}`)]
    }),
    ...loaded.settings.suppressions.flatMap(({ object }, index) => {
      if (scopes.some((scope) => mayBegin(object, `${scope}/`))) return []
      const kinds = scopes.map((scope) => `${scope}/`).join(', ')
      const message = `no object is called ${JSON.stringify(object)}; their names begin with ${kinds}: "node/worker-1"`
      return [loaded.problemAt(['suppressions', index, 'object'], message)]
    }),
    ...loaded.settings.suppressions.flatMap(({ check: pattern }, index) => {
      if (checks.some(({ id }) => matchesGlob(pattern, id)) || mayBeOther(pattern)) return []
      const message = `no check is called ${JSON.stringify(pattern)}${didYouMean(pattern, ids) || knownChecks}`
      return [loaded.problemAt(['suppressions', index, 'check'], message)]
    }),
    ...(others === 'hidden' ? [] : checks.flatMap((check) => dependencyProblems(check, ids))),
  ]
}

/** What objects are of. */
const scopes: readonly Scope[] = ['cluster', 'vcenter', 'failureDomain', 'node']

const knownChecks = '; "vpd checks list" shows them'

/** Whether a text that begins so may match the pattern. */
function mayBegin(pattern: string, prefix: string): boolean {
  const star = pattern.indexOf('*')
  const [fixed, open] = star === -1 ? [pattern, false] : [pattern.slice(0, star), true]
  if (fixed.length < prefix.length && !open) return false
  return matchesGlob(fixed.slice(0, prefix.length), prefix.slice(0, fixed.length))
}

function optionProblems(loaded: LoadedSettings, path: Path, options: Options, check: Check): ConfigProblem[] {
  const known = Object.keys(check.options)
  return Object.entries(options).flatMap(([name, value]) => {
    const at = [...path, name]
    const usual = Object.hasOwn(check.options, name) ? check.options[name] : undefined
    if (usual === undefined) {
      const hint = didYouMean(name, known) || `; known here: ${known.join(', ') || 'none, this check has no options'}`
      return [loaded.problemAt(at, `unknown option${hint}`)]
    }
    if (kindOf(value) === kindOf(usual)) return []
    const hint = looksSecret(at) ? '' : `; the default is ${JSON.stringify(usual)}`
    return [loaded.problemAt(at, `expected ${kindOf(usual)}, ${got(value, at)}${hint}`)]
  })
}

function kindOf(value: Options[string]): string {
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'number') return 'a number'
  return typeof value === 'boolean' ? 'true or false' : 'a list of texts'
}

function dependencyProblems(check: Check, ids: readonly string[]): ConfigProblem[] {
  return check.dependsOn
    .filter((id) => !ids.includes(id))
    .map((id) => ({
      origin: { kind: 'check', id: check.id },
      path: ['dependsOn'],
      message: `no check is called ${JSON.stringify(id)}${didYouMean(id, ids) || knownChecks}`,
    }))
}
