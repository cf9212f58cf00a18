import { createIds, uuidOf } from './identity.ts'
import { buildInventory, type Inventory } from './inventory.ts'
import { place } from './placement.ts'
import { Sessions } from './sessions.ts'
import { danglingTags } from './tags.ts'
import { type MutableWorld, mutableCopy, type SimulatedWorld } from './world.ts'

/** One vCenter over time: its world, which may change, and its sessions. Serves nothing by itself. */
export class VCenter {
  readonly sessions: Sessions
  readonly #world: MutableWorld
  readonly #idOf = createIds()
  #inventory: Inventory

  constructor(world: SimulatedWorld, now: () => Date) {
    // A change of this vCenter is none of another that was started from the same world.
    this.#world = mutableCopy(world)
    this.#inventory = buildInventory(place(this.#world, this.#idOf))
    const complaints = danglingTags(this.#world, this.#inventory)
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
    this.sessions = new Sessions(() => ({ ...this.#world, splitSessions: this.#splitsSessions }), now)
  }

  get world(): SimulatedWorld {
    return this.#world
  }

  get inventory(): Inventory {
    return this.#inventory
  }

  /** Things edited in place keep their managed object ids; a thing that is replaced by another gets a new one. */
  update(change: (world: MutableWorld) => void): void {
    change(this.#world)
    this.#inventory = buildInventory(place(this.#world, this.#idOf))
  }

  /** The releases of VI JSON that it answers to: its own and those before, the first of which is 8.0 U1. */
  get releases(): readonly string[] {
    return ['8.0.1.0', '8.0.2.0', '8.0.3.0'].filter((release) => isAtLeast(this.about.apiVersion, release))
  }

  get about() {
    const { name, version = '8.0.3', build = '24022515' } = this.#world
    const { apiVersion = `${version}.0`, instanceUuid = uuidOf('vcenter', name) } = this.#world
    return { version, apiVersion, build, instanceUuid, fullName: `VMware vCenter Server ${version} build-${build}` }
  }

  get #splitsSessions(): boolean {
    return this.#world.splitSessions ?? !isAtLeast(this.about.apiVersion, '8.0.3.0')
  }
}

function isAtLeast(version: string, wanted: string): boolean {
  const digits = version.split('.').map(Number)
  for (const [index, want] of wanted.split('.').map(Number).entries()) {
    const have = digits[index] ?? 0
    if (have !== want) return have > want
  }
  return true
}
