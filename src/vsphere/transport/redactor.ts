import { formsOf } from '../../secret-forms.ts'

/** Knows what must not appear in any message, and takes it out of what a server sent. */
export class Redactor {
  readonly #secrets = new Set<string>()
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
    this.#forms = formsOf(this.#secrets)
  }
}
