// Edits of sources for tests that run another version of the product. What is searched for must
// be there exactly once, in whatever way the lines are broken.

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
