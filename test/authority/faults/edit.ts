// A fault as an edit of the product's sources.
import { readFileSync } from 'node:fs'
import { editOnce } from '../../support/source-edit.ts'

export interface Edit {
  /** Path from the root of the checkout. */
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
    sources.set(url, editOnce(source, search, replacement))
  }
  return [...sources].map(([url, source]) => ({ url, source }))
}
