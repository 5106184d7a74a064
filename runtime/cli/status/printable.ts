// What a server answers may be anybody's: nothing of it may steer the terminal that shows it.

/** The text with a replacement character for each control or formatting character. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}
