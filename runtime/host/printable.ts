// Texts from outside, such as answers of servers or contents of files: they must not control the
// terminal that shows them.

/** The text with a replacement character for each control or formatting character. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}

/** The same for a text of several lines, which may be indented by tabs. */
export function printableLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{FFFD}')
}
