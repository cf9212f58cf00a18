import { Inconclusive, isInconclusive, type Managed, type Needs } from './check.ts'
import type { Inventory, ManagedRead, Read, RestSession, VCenterState } from './context.ts'
import { unawaited } from './promises.ts'
import { allKinds, isOptional, type Kind, kinds, type Ref } from './vsphere-schema.ts'
import type { Account, Located, RecentTask, StoragePolicy } from './vsphere-sources.ts'

/**
 * A check's own window on a vCenter: what its `needs` name can be seen, the rest cannot. It is the `VCenter<N>` of a check,
 * whose needs are known only when it runs.
 */
export class InventoryView {
  readonly name: string
  readonly apiVersion: string
  readonly rest: RestSession | undefined
  readonly find: ((path: string) => Located | undefined) | undefined
  /** Objects and properties that were looked for in vain, a sentence for each. */
  readonly blindSpots: string[] = []
  readonly #state: VCenterState
  readonly #needs: Needs

  constructor(state: VCenterState, needs: Needs, signal: AbortSignal) {
    this.name = state.name
    this.apiVersion = state.connection.about?.apiVersion ?? ''
    this.#state = state
    this.#needs = needs
    this.rest = needs.rest && restOf(state, signal)
    this.find = needs.paths && ((path) => this.#find(path))
  }

  get account(): Account {
    return this.#source('account', 'who is logged in to it')
  }

  get policies(): readonly StoragePolicy[] | undefined {
    return this.#needs.policies && this.#source('policies', 'its storage policies')
  }

  get tasks(): readonly RecentTask[] | undefined {
    return this.#needs.tasks && this.#source('tasks', 'its recent tasks')
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

  /** `whose` goes into what is said where it cannot be seen: ` of node worker-1`. */
  get<K extends Kind>(ref: Ref<K>, whose = ''): Managed<K, Needs> {
    const found = this.#objects(ref.kind).get(ref.id)
    if (found === undefined) throw new Inconclusive(`Cannot see ${kinds[ref.kind]} ${ref.id}${whose} in ${this.name}.`)

    const values: Readonly<Record<string, unknown>> = found.values
    const object: Record<string, unknown> = { ref }
    for (const path of this.#needs[ref.kind] ?? []) {
      if (Object.hasOwn(values, path)) object[path] = values[path]
      else if (Object.hasOwn(found.unreadable, path) || !isOptional(ref.kind, path)) {
        const who = values['name'] === undefined ? ref.id : `${values['name']} (${ref.id})`
        const why = found.unreadable[path] ?? 'It is unset.'
        throw new Inconclusive(`Cannot read ${path} of ${kinds[ref.kind]} ${who}${whose} in ${this.name}: ${why}`)
      }
    }
    return object as Managed<K, Needs> // every path of the needs was copied, or is optional
  }

  #find(path: string): Located | undefined {
    const paths = this.#source('paths', 'what stands at inventory paths')
    if (!paths.has(path))
      throw new Inconclusive(
        `${path} was not looked up in ${this.name}: needs.paths did not name it for a failure domain there.`,
      )
    return paths.get(path)
  }

  #source<S extends Source>(source: S, what: string): Sources[S] {
    // A mapped type does not tell the compiler that the value of this key is a `Read` of its own content.
    const read = this.#state.inventory?.[source] as Read<Sources[S]> | undefined
    if (read?.state === 'read') return read.value
    throw new Inconclusive(`Cannot see ${what} in ${this.name}: ${read?.why ?? 'It was not read.'}`)
  }

  #objects<K extends Kind>(kind: K): ReadonlyMap<string, ManagedRead<K>> {
    return this.#state.inventory?.objects[kind] ?? new Map()
  }
}

type Source = 'account' | 'policies' | 'tasks' | 'paths'

type Sources = { [S in Source]: NonNullable<Inventory[S]> extends Read<infer T> ? T : never }

function restOf(state: VCenterState, signal: AbortSignal): RestSession | undefined {
  const rest = state.rest?.(signal)
  return rest && { get: (...call) => unawaited(rest.get(...call)), query: (...call) => unawaited(rest.query(...call)) }
}

/** The view of a vCenter for a check that looks into one, and none for another. */
export function viewsOf(state: VCenterState, needs: Needs, signal: AbortSignal): InventoryView[] {
  if (!seesVSphere(needs)) return []
  if (state.inventory === undefined) throw new Inconclusive(whyNotRead(state))
  return [new InventoryView(state, needs, signal)]
}

export function whyNotRead({ name, connection }: VCenterState): string {
  return `${name} could not be read: ${connection.problem?.message ?? 'no reason was given.'}`
}

/** Whether the check looks into vCenters. One that does not runs although they are unreachable. */
export function seesVSphere(needs: Needs): boolean {
  const places = [...allKinds, 'policies', 'tasks', 'paths', 'rest'] as const
  return places.some((place) => needs[place] !== undefined)
}

/** Whether the check has anything to say without a vCenter: not one that is about the connection or what lies behind it. */
export function needsVCenter(needs: Needs): boolean {
  return seesVSphere(needs) || needs.connection === true || needs.placement === true
}
