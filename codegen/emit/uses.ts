// Which identifiers a printed text refers to, so that it imports those and no others. Texts,
// comments, member names and object keys come from the document and are no references.

const TOKENS =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*|\.{3}|\.?[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??:)?/gu
const DECLARING: ReadonlySet<string> = new Set(['const', 'function', 'interface', 'type'])

/**
 * The identifiers that printed TypeScript refers to and does not declare. Printed code writes the
 * colon right behind the key of an object or a type, and nowhere else behind a reference.
 */
export function freeNames(code: string): ReadonlySet<string> {
  const names = new Set<string>()
  const declared = new Set<string>()
  let before = ''
  for (const [token] of code.matchAll(TOKENS)) {
    if (DECLARING.has(before)) declared.add(token.replace(/\??:$/u, ''))
    else if (!/^['"/.]|:$/u.test(token)) names.add(token)
    before = token
  }
  return names.difference(declared)
}
