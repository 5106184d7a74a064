// Which identifiers a printed text refers to, so that it imports those and no others. Texts,
// comments, member names and object keys come from the document and are no references.

const TOKENS =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*|\.{3}|\.?[\p{ID_Start}$_][\p{ID_Continue}$]*(?:\??:)?/gu

/**
 * The identifiers that printed TypeScript refers to. Printed code writes the colon right behind the
 * key of an object or a type, and nowhere else behind a reference.
 */
export function usedNames(code: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [token] of code.matchAll(TOKENS)) if (isReference(token)) names.add(token)
  return names
}

function isReference(token: string): boolean {
  return !/^['"/.]|:$/u.test(token)
}
