import { pause } from '../net/deadline.ts'

/** How often to look whether files have changed. */
export const defaultPollMs = 2_000

/**
 * Looks again and again whether something is still as it was last seen. What has changed is told once it stays as it is
 * for one more look: somebody may still be writing. What cannot be looked at is gone, which is a change as well.
 */
export class ChangePoll {
  readonly #look: () => Promise<string | undefined>
  #known: string | undefined
  #isKnown = false

  constructor(look: () => Promise<string | undefined>) {
    this.#look = () => look().catch(() => undefined)
  }

  /** What a reading has seen is no news. */
  saw(version: string | undefined): void {
    this.#known = version
    this.#isKnown = true
  }

  async run(onChange: () => void, everyMs: number, signal: AbortSignal): Promise<void> {
    if (!this.#isKnown) this.saw(await this.#look())
    for (let last = this.#known; !signal.aborted; ) {
      const clock = performance.now()
      const current = await this.#look()
      if (current !== this.#known && current === last) {
        this.saw(current)
        onChange()
      }
      last = current
      // A folder of many thousand files is looked at less often.
      const wait = Math.max(everyMs, (performance.now() - clock) * 20)
      await pause(wait, signal).catch(() => {})
    }
  }
}
