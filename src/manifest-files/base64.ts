/** Whether a text is base64 as the API server takes it, in one line or several. */
export function isBase64(text: string): boolean {
  const packed = text.replace(/\s/g, '')
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) && packed.length % 4 === 0
}
