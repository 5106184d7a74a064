// Changes of a text as insertions and replacements at places: whatever lies between them is never written anew.

/** Replaces `length` characters (0 for an insertion) at offset `at` of the text as it was. */
export interface Patch {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** An insertion. */
export function insertion(at: number, text: string): Patch {
  return { at, length: 0, text }
}

/** The text with all patches done. Insertions at one place come in the given order. Throws when two replacements overlap. */
export function applyPatches(text: string, patches: readonly Patch[]): string {
  const ordered = patches.toSorted((a, b) => a.at - b.at || a.length - b.length)
  let done = 0
  const parts: string[] = []
  for (const { at, length, text: added } of ordered) {
    if (at < done) throw new Error(`two changes of one place of a file, at ${at}`)
    parts.push(text.slice(done, at), added)
    done = at + length
  }
  return parts.join('') + text.slice(done)
}

/** Patches of which each stands once: two ways may lead to the same renaming. */
export function distinctPatches(patches: readonly Patch[]): readonly Patch[] {
  return [...new Map(patches.map((patch) => [`${patch.at} ${patch.length} ${patch.text}`, patch])).values()]
}
