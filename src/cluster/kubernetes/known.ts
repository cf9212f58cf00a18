import { type Selection, whatOf } from './list.ts'

/** Names and fingerprints of objects. */
export type Seen = ReadonlyMap<string, string>

/** What is known of the selected objects, and whom to tell when it changes. */
export class Known {
  readonly #selection: Selection
  readonly #onChange: (what: string) => void
  #objects: Map<string, string> | undefined

  constructor(selection: Selection, seen: Seen | undefined, onChange: (what: string) => void) {
    this.#selection = selection
    this.#onChange = onChange
    this.#objects = seen && new Map(seen)
  }

  /** Whether nothing could be seen so far. */
  get isBlind(): boolean {
    return this.#objects === undefined
  }

  /** The whole truth. */
  replace(objects: ReadonlyMap<string, string>): void {
    const before = this.#objects
    this.#objects = new Map(objects)
    if (before === undefined) {
      this.#onChange(`the API server answers for ${whatOf(this.#selection)} now`)
      return
    }
    for (const [name, print] of objects)
      if (before.get(name) !== print) this.#tell(name, before.has(name) ? 'changed' : 'added')
    for (const name of before.keys()) if (!objects.has(name)) this.#tell(name, 'removed')
  }

  put(name: string, print: string): void {
    const before = this.#objects?.get(name)
    this.#objects?.set(name, print)
    if (before !== print) this.#tell(name, before === undefined ? 'added' : 'changed')
  }

  remove(name: string): void {
    if (this.#objects?.delete(name)) this.#tell(name, 'removed')
  }

  #tell(name: string, how: string): void {
    const { kind, place } = this.#selection
    this.#onChange(`${kind.toLowerCase()} ${place?.namespace ? `${place.namespace}/` : ''}${name} ${how}`)
  }
}
