// FOR DEVELOPMENT ONLY: who shows the one token below may do everything. In production nobody is
// let in, until you have written here who calls (`authenticate`) and what they may do
// (`authorize`).
import type { AccessGuard, Credentials } from 'ledgerwright/http'
import document from '../generated/__interface__/openapi.json' with { type: 'json' }
import type { Caller } from './context.ts'

/** A security scheme of the document. */
interface Scheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

/**
 * As a bearer token, as the user's name of HTTP basic, or as an API key, wherever the document
 * wants it.
 */
const token =
  process.env['NODE_ENV'] === 'production'
    ? undefined
    : process.env['DEV_TOKEN'] || 'development-token'
const schemes = new Map<string, Scheme>(Object.entries(document.components.securitySchemes))

export const guard: AccessGuard<Caller> = {
  authenticate: (credentials, { security }) => {
    const isProven = security.some(
      (needed) => isSome(needed) && Object.keys(needed).every((name) => shows(credentials, name)),
    )
    return isProven
      ? { kind: 'principal', principal: { name: 'developer' } }
      : {
          kind: 'anonymous',
          reason:
            token === undefined
              ? 'the guard of development is off'
              : 'the token of development was not shown',
        }
  },
  authorize: () => ({ allowed: true }),
  needsPrincipal: ({ security }) => security.length > 0 && security.every(isSome),
}

/** False for `{}`, with which a document lets everybody in. */
function isSome(needed: object): boolean {
  return Object.keys(needed).length > 0
}

function shows(credentials: Credentials, name: string): boolean {
  const scheme = schemes.get(name)
  return token !== undefined && scheme !== undefined && credentialOf(credentials, scheme) === token
}

function credentialOf(
  { authorization = '', headers = {}, url = '' }: Credentials,
  scheme: Scheme,
): string | undefined {
  const [, kind = '', text = ''] = /^(\S+) +(.+)$/.exec(authorization) ?? []
  if (scheme.type !== 'apiKey') {
    const isBasic = scheme.scheme?.toLowerCase() === 'basic'
    if (kind.toLowerCase() !== (isBasic ? 'basic' : 'bearer')) return undefined
    return isBasic ? Buffer.from(text, 'base64').toString().split(':')[0] : text
  }
  const key = scheme.name ?? ''
  if (scheme.in === 'header') return headers[key.toLowerCase()]?.toString()
  if (scheme.in === 'query') return new URLSearchParams(url.split('?')[1]).get(key) ?? undefined
  return (headers.cookie ?? '')
    .split('; ')
    .find((pair) => pair.startsWith(`${key}=`))
    ?.slice(key.length + 1)
}
