import type { Result } from '../framework/result.ts'

/** Results of one check that say the same, of different objects. */
export type Alike = readonly [Result, ...Result[]]

/** What a result says in words. */
export type Said = Pick<Result, 'findings' | 'unknowns' | 'skippedBecause'>

/**
 * Puts together what says the same but for the name of its object, where the first of it stood: a vCenter that cannot be
 * read is one thing to read about a thousand nodes.
 */
export function alike(results: readonly Result[]): readonly Alike[] {
  const groups = new Map<string, [Result, ...Result[]]>()
  for (const result of results) {
    const { check, outcome, suppressed, vcenter, failureDomain } = result
    const { findings, unknowns, skippedBecause } = nameless(result)
    const said = findings.map(({ reason, severity, message, remedy }) => [reason, severity, message, remedy])
    const where = [vcenter, failureDomain]
    const key = JSON.stringify([check, outcome, said, unknowns, skippedBecause, suppressed, where])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [result])
    else group.push(result)
  }
  return [...groups.values()]
}

/** What all of them say: where their names differ, `<name>` stands for the name of each. */
export function saidBy([first, ...more]: Alike): Said {
  return more.some(({ subject }) => subject.name !== first.subject.name) ? nameless(first) : first
}

function nameless({ subject, findings, unknowns, skippedBecause }: Result): Said {
  // Part of a longer name, it is another's.
  const name = new RegExp(`(?<![\\w.-])${subject.name.replace(/[^\w]/g, '\\$&')}(?![\\w-]|\\.\\w)`, 'g')
  const without = (text: string) => text.replace(name, '<name>')
  return {
    findings: findings.map(({ remedy, ...finding }) => ({
      ...finding,
      message: without(finding.message),
      ...(remedy === undefined ? {} : { remedy: without(remedy) }),
    })),
    unknowns: unknowns.map(without),
    ...(skippedBecause === undefined ? {} : { skippedBecause: without(skippedBecause) }),
  }
}
