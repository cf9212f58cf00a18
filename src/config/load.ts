import { configVariable, type Environment, environmentLayer } from './environment.ts'
import { settingsIssues } from './issues.ts'
import { fileLayer, flagLayer, type Layer, laidOver } from './layers.ts'
import { orderingIssues } from './ordering.ts'
import {
  ConfigError,
  type ConfigProblem,
  inOrder,
  type Origin,
  originText,
  type Path,
  type Position,
} from './problems.ts'
import { type PartialSettings, type Settings, settingsSchema } from './schema.ts'
import { isMapping, type Mapping, valueAt } from './values.ts'

/**
 * Reads the settings: the file, over it the environment, over that the flags. Each is validated by itself, so that a
 * mistake does not hide behind what overrides it. Throws {@link ConfigError} with every problem found.
 */
export function loadSettings(input: SettingsInput): LoadedSettings {
  const file = input.file ?? (input.env[configVariable] || undefined)
  const layers: Layer[] = [
    { value: input.defaults ?? {}, directory: '.', problems: [], originOf: () => ({ kind: 'default' }) },
    ...(file === undefined ? [] : [fileLayer(file)]),
    environmentLayer(input.env),
    flagLayer(input.flags ?? {}),
  ]
  const merged = layers.reduce<unknown>(laidOver, {})
  const originOf = (path: Path): Origin => originIn(layers, path)
  const problemAt = (path: Path, message: string): ConfigProblem => ({ origin: originOf(path), path, message })

  const problems = [
    ...layers.flatMap((layer) => [
      ...layer.problems,
      ...settingsIssues(layer.value).map((issue) => ({ ...issue, origin: layer.originOf(issue.path) })),
    ]),
    ...orderingIssues(merged, (path) => originText(originOf(path), [])).map((issue) =>
      problemAt(issue.path, issue.message),
    ),
  ]
  const later = {
    ...(file === undefined ? {} : { file }),
    problemAt,
    positionOf: (path: Path) => positionOf(originOf(path)),
  }
  if (problems.length === 0) return { settings: settingsSchema.parse(merged), ...later }
  const rest = settingsSchema.safeParse(withoutTrouble(merged, problems))
  throw new ConfigError(inOrder(problems), rest.success ? { settings: rest.data, ...later } : undefined)
}

/** What can still be judged by itself: whole parts, and single checks. */
function withoutTrouble(merged: unknown, problems: readonly ConfigProblem[]): Mapping {
  const rest: Record<string, unknown> = isMapping(merged) ? { ...merged } : {}
  for (const { path } of problems) {
    const [part = '', id] = path.map(String)
    const { checks } = rest
    if (part === 'checks' && id !== undefined && isMapping(checks)) {
      const { [id]: _, ...others } = checks
      rest['checks'] = others
    } else delete rest[part]
    // Without its plugins nobody knows which checks there are.
    if (part === 'plugins') delete rest['checks']
  }
  return rest
}

export interface SettingsInput {
  /** Path of the YAML file; without it the one that `VPD_CONFIG` names, and without that none is read. */
  readonly file?: string | undefined
  readonly env: Environment
  /** In place of the usual ones, for a command that wants others. */
  readonly defaults?: PartialSettings
  readonly flags?: PartialSettings
}

export interface LoadedSettings {
  /** Paths inside are absolute. */
  readonly settings: Settings
  readonly file?: string
  /** Where the file gives a setting, for later errors; nothing where it comes from elsewhere. */
  positionOf(path: Path): Position | undefined
  /** A problem that shows only later (a port in use, a plugin that does not load), with who gave the setting. */
  problemAt(path: Path, message: string): ConfigProblem
}

/** The topmost layer that gives the setting. */
function originIn(layers: readonly Layer[], path: Path): Origin {
  const giver = layers.findLast((layer) => valueAt(layer.value, path) !== undefined)
  return giver?.originOf(path) ?? { kind: 'default' }
}

function positionOf(origin: Origin): Position | undefined {
  if (origin.kind !== 'file' || origin.line === undefined || origin.column === undefined) return undefined
  return { line: origin.line, column: origin.column }
}
