/** Knows what must not appear in any message, and takes it out of what a server sent. */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** Longest first: a secret may be the beginning of another, whose rest must not stay behind. */
  #forms: readonly string[] = []

  add(...secrets: readonly string[]): void {
    for (const secret of secrets) if (secret !== '') this.#secrets.add(secret)
    this.#list()
  }

  forget(secret: string): void {
    this.#secrets.delete(secret)
    this.#list()
  }

  clean(text: string): string {
    return this.#forms.reduce((clean, form) => clean.replaceAll(form, '(hidden)'), text)
  }

  /** The beginning of an answer on one line, fit for a message. Cleaned before it is cut, so that no half is left. */
  excerpt(body: string, length = 80): string {
    const line = this.clean(body.slice(0, 64 * 1024))
      .replace(/\s+/g, ' ')
      .trim()
    if (line === '') return 'nothing'
    return line.length > length ? `"${line.slice(0, length)}…"` : `"${line}"`
  }

  #list(): void {
    this.#forms = [...new Set([...this.#secrets].flatMap(formsOf))].sort((a, b) => b.length - a.length)
  }
}

/** As it is, and as JSON, URLs and XML write it. */
function formsOf(secret: string): readonly string[] {
  const wellFormed = Buffer.from(secret).toString() // half a surrogate pair cannot be encoded
  return [secret, wellFormed, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), escaped(secret)]
}

function escaped(secret: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  }
  return secret.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
