import type { Issue } from './issues.ts'
import { schemaAt } from './json-schema.ts'
import { type Path, pathText } from './problems.ts'
import { jsonSchema } from './schema.ts'
import { valueAt } from './values.ts'

interface Pair {
  readonly smaller: Path
  readonly larger: Path
  readonly why: string
  /** They may not be equal either. */
  readonly apart?: true
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
    apart: true,
  },
  {
    smaller: ['leaderElection', 'retrySeconds'],
    larger: ['leaderElection', 'renewSeconds'],
    why: 'a leader has to try again before it gives up',
    apart: true,
  },
]

/** Looks at all layers together, and at defaults: which of them gave the two values does not matter. */
export function orderingIssues(merged: unknown, giverOf: (path: Path) => string): Issue[] {
  const effective = (path: Path) => valueAt(merged, path) ?? schemaAt(jsonSchema, path)?.default
  return ordered.flatMap(({ smaller, larger, why, apart = false }) => {
    const [low, high] = [effective(smaller), effective(larger)]
    if (typeof low !== 'number' || typeof high !== 'number' || low < high || (low === high && !apart)) return []
    const other = (path: Path) => `${pathText(path)}, which is ${effective(path)} (${giverOf(path)})`
    const [less, more] = apart ? ['not more than', 'not less than'] : ['less than', 'more than']
    return valueAt(merged, smaller) === undefined
      ? [{ path: larger, message: `${high} is ${less} ${other(smaller)}, but ${why}; change one of the two` }]
      : [{ path: smaller, message: `${low} is ${more} ${other(larger)}, but ${why}; change one of the two` }]
  })
}
