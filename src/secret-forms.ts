/**
 * The texts to look for where secrets must not be seen. Longest first: a secret may be the beginning of another, whose
 * rest must not stay behind.
 */
export function formsOf(secrets: Iterable<string>): readonly string[] {
  return [...new Set([...secrets].flatMap(formsOfOne))].sort((a, b) => b.length - a.length)
}

/** As it is, and as JSON, URLs and XML write it. */
function formsOfOne(secret: string): readonly string[] {
  const wellFormed = Buffer.from(secret).toString() // half a surrogate pair cannot be encoded
  return [secret, wellFormed, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed), escaped(secret)]
}

function escaped(secret: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&apos;',
  }
  return secret.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
