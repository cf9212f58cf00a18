/** Names and values come from clusters, vCenters and files: none of them gets to steer the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Bidi_Control}/gu, '?')
}
