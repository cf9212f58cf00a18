/** The candidate that was probably meant, or nothing when none is near. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(word)
  // Comparing takes time that grows with the length, and a word this long is no slip of the finger.
  if (wanted.length > 100) return undefined
  let best: { readonly candidate: string; readonly distance: number } | undefined
  for (const candidate of candidates) {
    const distance = editDistance(wanted, plain(candidate))
    if (distance <= Math.max(1, Math.floor(wanted.length / 3)) && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance }
    }
  }
  return best?.candidate ?? abbreviated(wanted, candidates)
}

/** `dir` for `directory`. */
function abbreviated(wanted: string, candidates: readonly string[]): string | undefined {
  return wanted.length < 3 ? undefined : candidates.find((candidate) => plain(candidate).startsWith(wanted))
}

export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = closest(word, candidates)
  return found === undefined ? '' : `, did you mean "${found}"?`
}

/** `call_seconds`, `call-seconds` and `CallSeconds` are the same word to whoever typed it. */
export function plain(word: string): string {
  return word.toLowerCase().replace(/[-_]/g, '')
}

/** Insertions, deletions, substitutions and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity
}
