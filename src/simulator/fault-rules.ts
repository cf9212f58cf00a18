/** What shall go wrong with the requests whose "METHOD /path?query" starts with `match`. */
export interface FaultRule {
  readonly match: string
  /** How often; without it, until the rules are cleared. */
  readonly times?: number
  /** Wait this long before anything else happens. Alone, it makes a slow vCenter. */
  readonly delayMs?: number
  /** Answer this instead, without doing what was asked. */
  readonly status?: number
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Close the connection without an answer. */
  readonly drop?: boolean
  /** Keep the connection open and never answer. */
  readonly hang?: boolean
  /** Start an answer and send a byte of it now and then, forever. */
  readonly trickle?: boolean
  /** Do what was asked, send the first half of the answer and close the connection. */
  readonly truncate?: boolean
}

/** The rules in force; the first that matches a request is used up once by it. */
export class FaultRules {
  #rules: { readonly rule: FaultRule; left: number }[] = []

  add(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY })
  }

  clear(): void {
    this.#rules = []
  }

  take(method: string, path: string): FaultRule | undefined {
    const hit = this.#rules.find(({ rule, left }) => left > 0 && `${method} ${path}`.startsWith(rule.match))
    if (hit) hit.left -= 1
    return hit?.rule
  }
}
