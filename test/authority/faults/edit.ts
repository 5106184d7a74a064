// A fault as a textual edit of the product's sources: what is searched for must be there exactly
// once.
import { readFileSync } from 'node:fs'

export interface Edit {
  /** From the root of the checkout. */
  readonly file: string
  readonly search: string
  readonly replacement: string
}

/** A file with its fault in it. */
interface Planted {
  readonly url: string
  readonly source: string
}

/**
 * The edits that the text names, done; undefined where there is none. Throws where a file is not as
 * an edit expects it.
 */
export function readPlant(
  text: string | undefined,
): { readonly edits: readonly Planted[] } | undefined {
  if (text === undefined || text === '') return undefined
  const edits: readonly Edit[] = JSON.parse(text)
  return { edits: planted(edits) }
}

/** Throws an Error that names the edit whose search text is not found exactly once. */
export function planted(edits: readonly Edit[]): readonly Planted[] {
  const sources = new Map<string, string>()
  for (const { file, search, replacement } of edits) {
    const url = new URL(`../../../${file}`, import.meta.url).href
    const source = sources.get(url) ?? readFileSync(new URL(url), 'utf8')
    const count = source.split(search).length - 1
    if (count !== 1) throw new Error(`${file}: ${count} times instead of once: ${search}`)
    sources.set(
      url,
      source.replace(search, () => replacement),
    )
  }
  return [...sources].map(([url, source]) => ({ url, source }))
}
