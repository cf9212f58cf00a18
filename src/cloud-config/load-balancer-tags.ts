/** Tags are a JSON object inside a text in INI. */
export function tagsOf(json: string): ReadonlyMap<string, string> | undefined {
  try {
    const tags: unknown = JSON.parse(json)
    if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return undefined
    const entries = Object.entries(tags)
    return entries.every(([, value]) => typeof value === 'string') ? new Map(entries) : undefined
  } catch {
    return undefined
  }
}
