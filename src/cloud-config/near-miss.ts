/** The known name that was probably meant by an unknown one: other case or hyphens, or a slip of one or two letters. */
export function nearMiss(unknown: string, known: Iterable<string>): string | undefined {
  if (unknown.length > 50) return undefined
  const bare = bareName(unknown)
  let best: string | undefined
  let bestDistance = bare.length > 5 ? 3 : 2
  for (const name of known) {
    if (bareName(name) === bare) return name
    const distance = editDistance(bare, bareName(name), bestDistance)
    if (distance < bestDistance) {
      best = name
      bestDistance = distance
    }
  }
  return best
}

const bareName = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '')

/** Letters to insert, drop or change to get from one word to the other; `limit` where that takes at least so many. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    previous = row
  }
  return Math.min(previous[b.length] ?? limit, limit)
}
