/** Names for a message: all of them, or of very many the first and how many there are. */
export function nameList(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length - most
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ')
}

/** Nobody reads more, and a message for each of thousands of names would repeat them all. */
const most = 20
