const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The UUID in a provider ID (`vsphere://4230…`) or in plain text, lower case; undefined where there is none. */
export function uuidOf(text: string | undefined): string | undefined {
  const candidate = text
    ?.trim()
    .replace(/^vsphere:\/\//i, '')
    .toLowerCase()
  return candidate !== undefined && pattern.test(candidate) ? candidate : undefined
}

/**
 * The same UUID as firmware of the other byte order shows it: the first three groups reversed by bytes. A guest may report
 * its BIOS UUID this way, depending on the SMBIOS and hardware version. Its own inverse.
 */
export function swapUuid(uuid: string): string {
  const [a = '', b = '', c = '', ...rest] = uuid.split('-')
  return [...[a, b, c].map(reverseBytes), ...rest].join('-')
}

function reverseBytes(hex: string): string {
  return (hex.match(/../g) ?? []).reverse().join('')
}
