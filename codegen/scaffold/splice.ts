// Changes of a text as insertions and replacements at places: whatever lies between them is never written anew.

/** Replaces `length` characters (0 for an insertion) at offset `at` of the text as it was. */
export interface Splice {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** An insertion. */
export function insertion(at: number, text: string): Splice {
  return { at, length: 0, text }
}

/** The text with all splices done. Insertions at one place come in the given order. Throws when two replacements overlap. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = splices.toSorted((a, b) => a.at - b.at || a.length - b.length)
  let done = 0
  const parts: string[] = []
  for (const { at, length, text: added } of ordered) {
    if (at < done) throw new Error(`two changes of one place of a file, at ${at}`)
    parts.push(text.slice(done, at), added)
    done = at + length
  }
  return parts.join('') + text.slice(done)
}

/** Splices of which each stands once: two ways may lead to the same renaming. */
export function distinctSplices(splices: readonly Splice[]): readonly Splice[] {
  return [...new Map(splices.map((splice) => [`${splice.at} ${splice.length} ${splice.text}`, splice])).values()]
}
