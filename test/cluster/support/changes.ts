import { onTestFinished } from 'vitest'
import type { ClusterSource } from '../../../src/cluster/source.ts'

/** What a source tells while it is watched. */
export interface Changes {
  /** The next thing that it tells. */
  next(): Promise<string>
  /** What has been told and not asked for. */
  readonly untold: readonly string[]
  stop(): void
}

export function changesOf(source: ClusterSource): Changes {
  const controller = new AbortController()
  const told: string[] = []
  const waiting: ((what: string) => void)[] = []
  source.watch?.((what) => {
    const resolve = waiting.shift()
    if (resolve === undefined) told.push(what)
    else resolve(what)
  }, controller.signal)
  onTestFinished(() => controller.abort())
  return {
    next() {
      const what = told.shift()
      return what === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(what)
    },
    untold: told,
    stop: () => controller.abort(),
  }
}
