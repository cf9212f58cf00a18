/** Knows what must not appear in any message, and takes it out of what a server sent. */
export class Redactor {
  readonly #secrets = new Set<string>()

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) {
      if (secret === '') continue
      this.#secrets.add(secret)
      this.#secrets.add(encodeURIComponent(secret))
      this.#secrets.add(JSON.stringify(secret).slice(1, -1))
    }
  }

  forget(secret: string): void {
    this.#secrets.delete(secret)
    this.#secrets.delete(encodeURIComponent(secret))
    this.#secrets.delete(JSON.stringify(secret).slice(1, -1))
  }

  clean(text: string): string {
    let clean = text
    for (const secret of this.#secrets) clean = clean.replaceAll(secret, '(hidden)')
    return clean
  }

  /** The beginning of an answer on one line, fit for a message. Cleaned before it is cut, so that no half is left. */
  excerpt(body: string, length = 80): string {
    const line = this.clean(body.slice(0, 64 * 1024))
      .replace(/\s+/g, ' ')
      .trim()
    if (line === '') return 'nothing'
    return line.length > length ? `"${line.slice(0, length)}…"` : `"${line}"`
  }
}
