// What a client shows of itself: the first alternative of an operation's security that it has all
// credentials for.
import { ownMember } from './own-member.ts'
import type { BasicCredential } from './security.ts'

/** A credential, or what yields one for each request. */
export type Shown<Credential> =
  Credential | (() => Credential | undefined | Promise<Credential | undefined>)

/** The place of a scheme's credential in a request. */
export type ClientScheme =
  | { readonly kind: 'basic' | 'bearer' }
  | { readonly kind: 'key'; readonly in: string; readonly name: string }
  | { readonly kind: 'other'; readonly scheme: string }

export type ClientSchemes = Readonly<Record<string, ClientScheme>>

/** Options of a secured client besides its usual ones. */
export interface ClientSecurity {
  readonly schemes: ClientSchemes
  readonly credentials?: object | undefined
}

/** Credentials that are added to a request. */
export interface ShownCredentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: readonly string[]
  readonly cookies: readonly string[]
}

/**
 * What to add for the first alternative that can be shown in full; undefined where none can. To
 * show nothing is no alternative here: who has a credential shows it.
 */
export async function shownCredentials(
  { schemes, credentials = {} }: ClientSecurity,
  alternatives: readonly (readonly string[])[],
  token: string | undefined,
): Promise<ShownCredentials | undefined> {
  for (const names of alternatives) {
    const values = await Promise.all(
      names.map(async (name) => {
        const value = await credentialOf(credentials, name)
        return value ?? (schemes[name]?.kind === 'bearer' ? token : undefined)
      }),
    )
    if (names.length === 0 || values.some((value) => value === undefined)) continue
    const parts = names.map((name, index) => shownPart(schemes[name], values[index]))
    return {
      headers: parts.flatMap(({ header }) => header ?? []),
      query: parts.flatMap(({ query }) => query ?? []),
      cookies: parts.flatMap(({ cookie }) => cookie ?? []),
    }
  }
  return undefined
}

async function credentialOf(credentials: object, name: string): Promise<unknown> {
  const given = ownMember(credentials, name)
  return typeof given === 'function' ? given() : given
}

interface Part {
  readonly header?: readonly (readonly [string, string])[]
  readonly query?: string
  readonly cookie?: string
}

function shownPart(scheme: ClientScheme | undefined, value: unknown): Part {
  const text = String(value)
  const authorization = (name: string, shown: string): Part => ({
    header: [['authorization', `${name} ${shown}`]],
  })
  switch (scheme?.kind) {
    case 'basic':
      return isBasic(value) ? authorization('Basic', basicText(value)) : {}
    case 'bearer':
      return authorization('Bearer', text)
    case 'other':
      return authorization(scheme.scheme, text)
    case 'key': {
      const pair = `${encodeURIComponent(scheme.name)}=${encodeURIComponent(text)}`
      if (scheme.in === 'query') return { query: pair }
      return scheme.in === 'cookie' ? { cookie: pair } : { header: [[scheme.name, text]] }
    }
    default:
      return {}
  }
}

function isBasic(value: unknown): value is BasicCredential {
  return typeof value === 'object' && value !== null && 'user' in value && 'password' in value
}

/** RFC 7617: in UTF-8. */
function basicText({ user, password }: BasicCredential): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
