import type { Place } from '../places.ts'
import { type Kind, resourceOf } from './resources.ts'

/** What is missing when we may not read a kind or an object of it, and the rule to add. */
export function notPermitted(kind: Kind, verb: string, place: Place | undefined, user: string): string {
  const { group, plural } = resourceOf(kind)
  const resource = group === '' ? plural : `${plural}.${group}`
  const object = place === undefined ? '' : ` "${place.name}"`
  const namespace = place === undefined || place.namespace === '' ? undefined : place.namespace
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`
  const names = place === undefined ? '' : `, resourceNames: ["${place.name}"]`
  const rule = `{apiGroups: ["${group}"], resources: ["${plural}"]${names}, verbs: ["get", "list", "watch"]}`
  const role = namespace === undefined ? 'a ClusterRole' : `a Role in ${namespace}`
  const who = user === '' ? 'the account that this runs as' : user
  return `Not permitted to ${verb} ${resource}${object}${where}. Add the rule ${rule} to ${role} that is bound to ${who}.`
}
