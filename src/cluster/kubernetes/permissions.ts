import type { Place } from '../places.ts'
import { KubeError } from './errors.ts'

export interface Right {
  readonly group: string
  readonly plural: string
  /** The one that was refused. */
  readonly verb: string
  /** All that the rule should allow. */
  readonly verbs: readonly string[]
  /** Without one, all objects. */
  readonly place?: Partial<Place>
  /** What to do instead of adding a rule. */
  readonly instead?: string
}

/** What is missing when we may not do something, and the rule to add. */
export function notPermitted({ group, plural, verb, verbs, place = {}, instead }: Right, user: string): string {
  const { namespace = '', name } = place
  const resource = group === '' ? plural : `${plural}.${group}`
  const object = name === undefined ? '' : ` "${name}"`
  const where = namespace === '' ? '' : ` in namespace ${namespace}`
  const names = name === undefined ? '' : `, resourceNames: ["${name}"]`
  const listed = verbs.map((one) => `"${one}"`).join(', ')
  const rule = `{apiGroups: ["${group}"], resources: ["${plural}"]${names}, verbs: [${listed}]}`
  const role = namespace === '' ? 'a ClusterRole' : `a Role in ${namespace}`
  const who = user === '' ? 'the account that this runs as' : user
  const remedy = instead ?? `Add the rule ${rule} to ${role} that is bound to ${who}.`
  return `Not permitted to ${verb} ${resource}${object}${where}. ${remedy}`
}

/** The error of a call about one object of our own, with the rule to add where it was not permitted. */
export function withRule(
  error: unknown,
  verb: 'get' | 'create' | 'update',
  kind: Pick<Right, 'group' | 'plural'>,
  place: Place,
): unknown {
  if (!(error instanceof KubeError) || error.kind !== 'forbidden') return error
  // Creating cannot be allowed by name: the object that would be named is not there yet.
  const { namespace } = place
  const right =
    verb === 'create' ? { verb, verbs: ['create'], place: { namespace } } : { verb, verbs: ['get', 'update'], place }
  return new KubeError('forbidden', notPermitted({ ...kind, ...right }, error.message), error.status)
}
