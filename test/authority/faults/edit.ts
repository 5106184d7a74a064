// A fault as an edit of the product's sources.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { editOnce } from '../../support/source-edit.ts'

export interface Edit {
  /** Path from the root of the checkout. */
  readonly file: string
  readonly search: string
  readonly replacement: string
}

/** A file with its fault in it, as PLANT (plant.ts) takes it. */
export interface Planted {
  readonly url: string
  readonly source: string
}

/**
 * The files with their edits, as JavaScript: what takes types away costs each process that loads it
 * a third of a second. Throws an Error that names the edit whose search text is not found once.
 */
export function planted(edits: readonly Edit[]): readonly Planted[] {
  const sources = new Map<string, string>()
  for (const { file, search, replacement } of edits) {
    const url = new URL(`../../../${file}`, import.meta.url).href
    const source = sources.get(url) ?? readFileSync(new URL(url), 'utf8')
    sources.set(url, editOnce(source, search, replacement))
  }
  return [...sources].map(([url, source]) => ({ url, source: stripTypeScriptTypes(source) }))
}
