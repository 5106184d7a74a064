// A fault as an edit of the product's sources: what is searched for must be there exactly once, in
// whatever way the lines are broken.
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
    const [found, ...more] = source.matchAll(anyLayout(search))
    if (found === undefined || more.length > 0)
      throw new Error(
        `${file}: ${found === undefined ? 0 : more.length + 1} times instead of once: ${search}`,
      )
    const end = found.index + found[0].length
    sources.set(url, source.slice(0, found.index) + replacement + source.slice(end))
  }
  return [...sources].map(([url, source]) => ({ url, source }))
}

/** Finds the text with other blanks and line breaks, and with the comma that ends a broken list. */
function anyLayout(search: string): RegExp {
  const tokens = search.match(/\w+|[^\w\s]/g) ?? []
  const patterns = tokens.map((token, index) => {
    const before = tokens[index - 1]
    const word = before !== undefined && /\w/.test(before) && /\w/.test(token)
    const gap = before === undefined ? '' : word ? '\\s+' : '\\s*'
    return `${gap}${/[)\]}]/.test(token) ? ',?\\s*' : ''}${RegExp.escape(token)}`
  })
  return new RegExp(patterns.join(''), 'g')
}
