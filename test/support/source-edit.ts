// Edits of sources for tests that run another version of the product. What is searched for must
// be there exactly once, in whatever way the lines are broken.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const ROOT = new URL('../../', import.meta.url)

export interface Edit {
  /** Path from the root of the checkout. */
  readonly file: string
  readonly search: string
  readonly replacement: string
}

/**
 * The files with their edits, as JavaScript, by address. Throws an Error that names the edit whose
 * search text is not found once.
 */
export function editedBy(edits: readonly Edit[]): ReadonlyMap<string, string> {
  const sources = new Map<string, string>()
  for (const { file, search, replacement } of edits) {
    const { href } = new URL(file, ROOT)
    const source = sources.get(href) ?? readFileSync(new URL(href), 'utf8')
    sources.set(href, editOnce(source, search, replacement))
  }
  return new Map([...sources].map(([href, source]) => [href, stripTypeScriptTypes(source)]))
}

/** The text with the one place that says `search` replaced. Throws where it is not just one. */
export function editOnce(text: string, search: string, replacement: string): string {
  const [found, ...more] = text.matchAll(anyLayout(search))
  if (found === undefined || more.length > 0) {
    const count = found === undefined ? 0 : more.length + 1
    throw new Error(`${count} times instead of once: ${search}`)
  }
  return text.slice(0, found.index) + replacement + text.slice(found.index + found[0].length)
}

/** Finds the text with other blanks and line breaks, and with the comma that ends a broken list. */
function anyLayout(search: string): RegExp {
  const tokens = search.match(/\w+|[^\w\s]/g) ?? []
  const patterns = tokens.map((token, index) => {
    const before = tokens[index - 1]
    const areWords = before !== undefined && /\w/.test(before) && /\w/.test(token)
    const gap = before === undefined ? '' : areWords ? '\\s+' : '\\s*'
    return `${gap}${/[)\]}]/.test(token) ? ',?\\s*' : ''}${RegExp.escape(token)}`
  })
  return new RegExp(patterns.join(''), 'g')
}
