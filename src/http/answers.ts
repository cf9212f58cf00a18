/** Answers that are kept for a while: each question is asked once at a time, and only so many are remembered. */
export class Answers<T> {
  readonly #kept = new Map<string, { readonly answer: Promise<T>; until: number }>()
  readonly #most: number
  readonly #clock: () => number

  constructor(most: number, clock: () => number) {
    this.#most = most
    this.#clock = clock
  }

  /** The kept answer, or a new one. An answer that did not come is not kept. */
  get(question: string, ask: () => Promise<T>, keepMs: (answer: T) => number): Promise<T> {
    const known = this.#kept.get(question)
    if (known !== undefined && known.until > this.#clock()) return known.answer
    const answer = ask()
    const entry = { answer, until: Number.POSITIVE_INFINITY }
    this.#kept.delete(question) // so that it becomes the youngest
    this.#kept.set(question, entry)
    this.#forgetOldest()
    answer.then(
      (value) => {
        entry.until = this.#clock() + keepMs(value)
      },
      () => {
        if (this.#kept.get(question) === entry) this.#kept.delete(question)
      },
    )
    return answer
  }

  get size(): number {
    return this.#kept.size
  }

  #forgetOldest(): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest)
  }
}
