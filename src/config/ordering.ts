import type { Issue } from './issues.ts'
import { schemaAt } from './json-schema.ts'
import { type Path, pathText } from './problems.ts'
import { jsonSchema } from './schema.ts'
import { valueAt } from './values.ts'

interface Pair {
  readonly smaller: Path
  readonly larger: Path
  readonly why: string
  readonly relation?: keyof typeof relations
}

/** The pairs of settings of which the first may not exceed the second, and why. */
const ordered: readonly Pair[] = [
  {
    smaller: ['timeouts', 'callSeconds'],
    larger: ['timeouts', 'vcenterSeconds'],
    why: 'a call is part of reading a vCenter',
  },
  {
    smaller: ['timeouts', 'vcenterSeconds'],
    larger: ['timeouts', 'roundSeconds'],
    why: 'reading a vCenter is part of a round',
  },
  { smaller: ['timeouts', 'checkSeconds'], larger: ['timeouts', 'roundSeconds'], why: 'a check is part of a round' },
  {
    smaller: ['schedule', 'retry', 'initialSeconds'],
    larger: ['schedule', 'retry', 'maxSeconds'],
    why: 'the first wait cannot be longer than the longest',
  },
  {
    smaller: ['leaderElection', 'renewSeconds'],
    larger: ['leaderElection', 'leaseSeconds'],
    why: 'a leader has to stop before another may begin',
    relation: 'below',
  },
  {
    smaller: ['leaderElection', 'retrySeconds'],
    larger: ['leaderElection', 'renewSeconds'],
    why: 'a leader has to try twice before it gives up',
    relation: 'atMostHalf',
  },
]

/** How the smaller relates to the larger, and what is said where it does not. */
const relations = {
  atMost: { holds: (low: number, high: number) => low <= high, less: 'less than', more: 'more than' },
  below: { holds: (low: number, high: number) => low < high, less: 'not more than', more: 'not less than' },
  atMostHalf: {
    holds: (low: number, high: number) => 2 * low <= high,
    less: 'less than twice',
    more: 'more than half of',
  },
}

/** Looks at all layers together, and at defaults: which of them gave the two values does not matter. */
export function orderingIssues(merged: unknown, giverOf: (path: Path) => string): Issue[] {
  const effective = (path: Path) => valueAt(merged, path) ?? schemaAt(jsonSchema, path)?.default
  return ordered.flatMap(({ smaller, larger, why, relation = 'atMost' }) => {
    const [low, high] = [effective(smaller), effective(larger)]
    const { holds, less, more } = relations[relation]
    if (typeof low !== 'number' || typeof high !== 'number' || holds(low, high)) return []
    const other = (path: Path) => `${pathText(path)}, which is ${effective(path)} (${giverOf(path)})`
    return valueAt(merged, smaller) === undefined
      ? [{ path: larger, message: `${high} is ${less} ${other(smaller)}, but ${why}; change one of the two` }]
      : [{ path: smaller, message: `${low} is ${more} ${other(larger)}, but ${why}; change one of the two` }]
  })
}
