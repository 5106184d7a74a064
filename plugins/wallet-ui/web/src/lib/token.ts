// What the session's token says of itself, for the person to read; whether it is right is the
// server's affair.

/**
 * When it ends, in milliseconds since 1970; undefined for one that does not, or that is not
 * readable.
 */
export function endOf(token: string): number | undefined {
  const end = claim(token, 'exp')
  return typeof end === 'number' ? end * 1_000 : undefined
}

/** The issuer of a token; undefined if it does not say. */
export function issuerOf(token: string): string | undefined {
  const issuer = claim(token, 'iss')
  return typeof issuer === 'string' ? issuer : undefined
}

function claim(token: string, name: string): unknown {
  try {
    const part = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(part), (character) => character.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? Reflect.get(claims, name) : undefined
  } catch {
    return undefined
  }
}
