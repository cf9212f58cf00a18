/** Waiting times that double from `initialMs` to `maxMs`, each stretched by up to a tenth so that replicas drift apart. */
export class BackOff {
  readonly #initialMs: number
  readonly #maxMs: number
  readonly #random: () => number
  #attempts = 0

  constructor(limits: { readonly initialMs: number; readonly maxMs: number }, random: () => number) {
    this.#initialMs = limits.initialMs
    this.#maxMs = limits.maxMs
    this.#random = random
  }

  next(): number {
    const plain = Math.min(this.#initialMs * 2 ** this.#attempts, this.#maxMs)
    this.#attempts += 1
    return Math.round(plain * (1 + this.#random() / 10))
  }

  reset(): void {
    this.#attempts = 0
  }
}
