// Finds the word that a misspelt one was probably meant to be, for messages about unknown keys and
// names.

/**
 * The candidate within a third of the word's length (at least 2 edits), or undefined. Case and `-_`
 * do not count.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined
  for (const name of candidates) {
    const distance = editDistance(plain(word), plain(name))
    if (best === undefined || distance < best.distance) best = { name, distance }
  }
  return best !== undefined && best.distance <= Math.max(2, Math.floor(word.length / 3))
    ? best.name
    : undefined
}

/**
 * A name without its case and its `-` and `_`: how names are compared that people write in several
 * ways.
 */
export function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}

/** Levenshtein distance in UTF-16 units, one row at a time. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 0; i < left.length; i += 1) {
    const next = [i + 1]
    for (let j = 0; j < right.length; j += 1) {
      const replaced = (row[j] ?? 0) + (left[i] === right[j] ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
