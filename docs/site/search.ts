// The index that the browser searches by itself: one entry for each heading of each page.
import MiniSearch from 'minisearch'
import type { Passage } from './markdown.ts'

/** Options of the index; plugins/docs/web/search.js opens it with the same. */
const OPTIONS = { fields: ['heading', 'page', 'text'], storeFields: ['heading', 'page', 'excerpt'] }
const EXCERPT_CHARACTERS = 140

/** A page with its address in the site. */
export interface Searched {
  readonly address: string
  readonly title: string
  readonly passages: readonly Passage[]
}

/** The index as JSON. A result's id is its address. */
export function searchIndex(pages: readonly Searched[]): string {
  const index = new MiniSearch(OPTIONS)
  for (const { address, title, passages } of pages) {
    index.addAll(
      passages.map(({ id, heading, text }) => ({
        id: `${address}#${id}`,
        page: title,
        heading,
        text,
        excerpt: text.slice(0, EXCERPT_CHARACTERS),
      })),
    )
  }
  return JSON.stringify(index)
}
