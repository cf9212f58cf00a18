import type { ClusterSource } from '../cluster/source.ts'

/**
 * Calls back with what changed in the cluster, `settleMs` after the first change: whoever changes one object often changes
 * another in the same breath. A stream of changes does not put it off.
 */
export function watchInput(
  source: ClusterSource,
  settleMs: number,
  signal: AbortSignal,
  changed: (what: readonly string[]) => void,
): void {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  source.watch?.((what) => {
    if (signal.aborted) return
    gathered.add(what)
    timer ??= setTimeout(() => {
      timer = undefined
      const all = [...gathered]
      gathered.clear()
      changed(all)
    }, settleMs)
  }, signal)
}
