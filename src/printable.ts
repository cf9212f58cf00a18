/** Names and values come from clusters, vCenters and files: none of them gets to steer the terminal or to break a line. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}/gu, '?')
}
