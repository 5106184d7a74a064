// Text is a sequence of code points; JavaScript's strings are sequences of UTF-16 units.

/** Negative, zero or positive as `a` comes before, with or after `b`, by code points. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const x = a.charCodeAt(at)
    const y = b.charCodeAt(at)
    if (x !== y) return rankOf(x) - rankOf(y)
  }
  return a.length - b.length
}

/** Surrogates, which stand for the code points beyond U+FFFF, come after all other units. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

/** Whether a number is a code point of text. */
export function isCodePoint(value: bigint): boolean {
  return (value >= 0n && value < 0xd800n) || (value > 0xdfffn && value <= 0x10ffffn)
}
