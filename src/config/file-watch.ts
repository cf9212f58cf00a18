import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'

/**
 * Looks at files again and again, and calls back when what they hold has become another. By content: Kubernetes replaces
 * mounted files by swapping a symbolic link, which no watch of the file itself shows.
 */
export class FileWatch {
  readonly #files: () => readonly string[]
  readonly #changed: () => Promise<boolean>
  readonly #everyMs: number
  #last: string | undefined
  #stopped = false
  #wake = () => {}
  #loop: Promise<void> | undefined
  #isPoked = false
  /** How often what could not be used was seen unchanged since. */
  #uselessLooks: number | undefined

  /**
   * `changed` tells whether it could use what it read; where not, it is called again after a while, since it may have read
   * something in between, or have missed another file. It must not throw. It is also called after the first look: what was
   * read before may have changed since.
   */
  constructor(files: () => readonly string[], everyMs: number, changed: () => Promise<boolean>) {
    this.#files = files
    this.#everyMs = everyMs
    this.#changed = changed
  }

  start(): void {
    this.#loop ??= this.#run()
  }

  /** Looks at once, and calls back whatever it sees. */
  poke(): void {
    this.#isPoked = true
    this.#wake()
  }

  /** Resolves when nobody is called back any more. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    await this.#loop
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      if (!this.#isPoked) await this.#pause(this.#everyMs)
      if (this.#stopped) return
      const now = await contentOf(this.#files())
      const settled = now === this.#last ? now : await this.#settled(now)
      if (this.#stopped || !this.#isDue(settled)) continue
      this.#isPoked = false
      this.#last = settled
      this.#uselessLooks = (await this.#changed()) ? undefined : 0
    }
  }

  #isDue(content: string): boolean {
    if (this.#uselessLooks !== undefined) this.#uselessLooks += 1
    return content !== this.#last || this.#isPoked || (this.#uselessLooks ?? 0) >= looksBeforeRetry
  }

  /** Who overwrites a file empties it first; so what is seen counts when it is seen twice. */
  async #settled(seen: string): Promise<string> {
    let [before, now] = ['', seen]
    for (let looks = 1; before !== now && looks < mostLooks && !this.#stopped; looks++) {
      before = now
      await this.#pause(Math.min(this.#everyMs, settleMs))
      now = await contentOf(this.#files())
    }
    return now
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

const settleMs = 200

const looksBeforeRetry = 12

/** A file that never comes to rest is looked at all the same. */
const mostLooks = 20

async function contentOf(files: readonly string[]): Promise<string> {
  const each = await Promise.all(files.map(fingerprint))
  return each.join('\n')
}

/** A pipe or a device may never end, and no file that is watched is large. */
const largestBytes = 4 * 1024 * 1024

async function fingerprint(file: string): Promise<string> {
  try {
    const info = await stat(file)
    if (!info.isFile() || info.size > largestBytes) return `${info.size} ${info.mtimeMs}`
    return createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
  }
}
