import { onTestFinished } from 'vitest'
import type { ClusterSource } from '../../../src/cluster/source.ts'

/** What a source tells while it is watched. */
export interface Changes {
  /** The next thing that it tells. */
  next(): Promise<string>
  /** What has been told and not asked for. */
  readonly untold: readonly string[]
  /** Why changes may not be noticed, as it was told. */
  readonly problems: readonly string[]
  stop(): void
}

export function changesOf(source: ClusterSource): Changes {
  const controller = new AbortController()
  const told: string[] = []
  const waiting: ((what: string) => void)[] = []
  const problems: string[] = []
  const tell = (what: string) => {
    const resolve = waiting.shift()
    if (resolve === undefined) told.push(what)
    else resolve(what)
  }
  source.watch?.(tell, controller.signal, (problem) => problems.push(problem))
  onTestFinished(() => controller.abort())
  return {
    next() {
      const what = told.shift()
      return what === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(what)
    },
    untold: told,
    problems,
    stop: () => controller.abort(),
  }
}
