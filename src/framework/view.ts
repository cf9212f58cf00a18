import { Inconclusive, isInconclusive, type Managed, type Needs, type VCenter } from './check.ts'
import type { ManagedRead, RestSession, VCenterState } from './context.ts'
import { isOptional, type Kind, kinds, type Ref } from './vsphere-schema.ts'

/** One vCenter as a check sees it: only the properties it asked for, and no I/O unless it asked for that too. */
export class InventoryView implements VCenter<Needs> {
  readonly name: string
  readonly apiVersion: string
  readonly rest: undefined
  /** Why the check did not get to see everything, one sentence each. */
  readonly blindSpots: string[] = []
  readonly #state: VCenterState
  readonly #needs: Needs

  constructor(state: VCenterState, needs: Needs, signal: AbortSignal) {
    this.name = state.name
    this.apiVersion = state.connection.about?.apiVersion ?? ''
    this.#state = state
    this.#needs = needs
    // Declared undefined for the type of checks that did not ask; a check that did has RestSession there.
    this.rest = needs.rest === true ? (restOf(state, signal) as unknown as undefined) : undefined
  }

  all<K extends Kind>(kind: K): readonly Managed<K, Needs>[] {
    const visible: Managed<K, Needs>[] = []
    for (const id of this.#objects(kind).keys()) {
      try {
        visible.push(this.get({ kind, id }))
      } catch (error) {
        if (!isInconclusive(error)) throw error
        this.blindSpots.push(error.message)
      }
    }
    return visible
  }

  get<K extends Kind>(ref: Ref<K>): Managed<K, Needs> {
    const found = this.#objects(ref.kind).get(ref.id)
    if (found === undefined) throw new Inconclusive(`Cannot see ${kinds[ref.kind]} ${ref.id} in ${this.name}.`)

    const values: Readonly<Record<string, unknown>> = found.values
    const object: Record<string, unknown> = { ref }
    for (const path of this.#needs[ref.kind] ?? []) {
      if (Object.hasOwn(values, path)) object[path] = values[path]
      else if (Object.hasOwn(found.unreadable, path) || !isOptional(ref.kind, path)) {
        const who = values['name'] === undefined ? ref.id : `${values['name']} (${ref.id})`
        const why = found.unreadable[path] ?? 'It is unset.'
        throw new Inconclusive(`Cannot read ${path} of ${kinds[ref.kind]} ${who} in ${this.name}: ${why}`)
      }
    }
    return object as Managed<K, Needs> // every path of the needs was copied, or is optional
  }

  #objects<K extends Kind>(kind: K): ReadonlyMap<string, ManagedRead<K>> {
    return this.#state.inventory?.objects[kind] ?? new Map()
  }
}

function restOf(state: VCenterState, signal: AbortSignal): RestSession | undefined {
  return state.rest?.(signal)
}

/** Whether the check looks into vCenters. One that does not runs although they are unreachable. */
export function seesVSphere(needs: Needs): boolean {
  return needs.rest === true || (Object.keys(kinds) as Kind[]).some((kind) => needs[kind] !== undefined)
}

/** Whether the check has anything to say without a vCenter: not one that is about the connection or what lies behind it. */
export function needsVCenter(needs: Needs): boolean {
  return seesVSphere(needs) || needs.connection === true || needs.placement === true
}
