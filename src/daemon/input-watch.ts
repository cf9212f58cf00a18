import type { ClusterSource } from '../cluster/source.ts'

/**
 * Calls back with what changed in the cluster, `settleMs` after the first change: whoever changes one object often changes
 * another in the same breath. A stream of changes does not put it off. Tells why changes may not be noticed.
 */
export function watchInput(
  source: ClusterSource,
  settleMs: number,
  signal: AbortSignal,
  changed: (what: readonly string[]) => void,
  onProblem: (problem: string) => void,
): void {
  const gathered = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  const gather = (what: string) => {
    if (signal.aborted) return
    gathered.add(what)
    timer ??= setTimeout(() => {
      timer = undefined
      const all = [...gathered]
      gathered.clear()
      changed(all)
    }, settleMs)
  }
  source.watch?.(gather, signal, onProblem)
}
