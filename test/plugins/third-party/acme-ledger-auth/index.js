// Auth of another house: tokens of its one issuer, by the key set that the configuration names. The
// library verifies; what it leaves to its users is here: one spelling, no repeated names, how much
// is fetched and from where.
import { lookup } from 'node:dns/promises'
import { BlockList, isIPv4 } from 'node:net'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { definePlugin, parseJson } from 'ledgerwright'

const MAX_LENGTH = 16_384
const MIN_BITS = 2_048
const MAX_TIME = 253_402_300_799

/**
 * @typedef {{ issuer: string, jwksUrl: string, audience: string, timeoutMs: number, cooldownMs:
 *   number, maxBytes: number, loopback: boolean }} Options
 */

/** @type {Options} */
const defaults = {
  issuer: '',
  jwksUrl: '',
  audience: '',
  timeoutMs: 5_000,
  cooldownMs: 30_000,
  maxBytes: 100_000,
  loopback: false,
}

/** @type {import('ledgerwright').StandardSchemaV1<unknown, Options>} */
const options = {
  '~standard': {
    version: 1,
    vendor: 'acme',
    validate: (given) => {
      const value = { ...defaults, ...(typeof given === 'object' ? given : {}) }
      const missing = /** @type {const} */ (['issuer', 'jwksUrl', 'audience']).find(
        (name) => value[name] === '',
      )
      return missing === undefined
        ? { value }
        : { issues: [{ message: 'is missing', path: [missing] }] }
    },
  },
}

export default definePlugin({
  kind: 'auth',
  name: 'acme',
  options,
  setup: (host, settings) => {
    const { issuer, audience, timeoutMs, cooldownMs } = settings
    const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      cacheMaxAge: 600_000,
      [customFetch]: guardedFetch(settings),
    })
    const rules = {
      issuer,
      audience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub', 'iss', 'aud'],
    }
    return {
      authenticate: async (token) => {
        try {
          readable(token)
          const { payload } = await jwtVerify(token, keys, rules)
          return { kind: 'user', user: { userId: subjectOf(payload), identityProviderId: '' } }
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'no good token'
          host.log.debug({ reason }, 'token refused')
          return { kind: 'refused', reason }
        }
      },
    }
  },
})

/** @param {string} token */
function readable(token) {
  if (token.length > MAX_LENGTH) throw new Error('too long')
  const parts = token.split('.', 4)
  if (parts.length !== 3) throw new Error('not three parts')
  for (const part of parts)
    if (Buffer.from(part, 'base64url').toString('base64url') !== part)
      throw new Error('another spelling')
  const [header, claims] = parts.slice(0, 2).map((part) => objectOf(Buffer.from(part, 'base64url')))
  if (!['jwt', 'at+jwt'].includes(String(header?.['typ'] ?? 'JWT').toLowerCase()))
    throw new Error('another type')
  if (typeof header?.['kid'] !== 'string' || header['crit'] !== undefined)
    throw new Error('no name of a key, or an extension')
  for (const name of ['exp', 'nbf', 'iat'])
    if (!isTime(claims?.[name])) throw new Error(`${name} is not a time`)
  const audience = claims?.['aud']
  if (Array.isArray(audience) && !audience.every((one) => typeof one === 'string'))
    throw new Error('no audience')
}

/** @param {Uint8Array} bytes @returns {Record<string, unknown>} */
function objectOf(bytes) {
  const read = parseJson(
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    false,
  )
  if (!read.ok) throw new Error(read.message)
  return /** @type {Record<string, unknown>} */ (read.value)
}

/** @param {unknown} value */
function isTime(value) {
  return value === undefined || (typeof value === 'number' && value >= 0 && value <= MAX_TIME)
}

/** @param {import('jose').JWTPayload} payload */
function subjectOf({ sub }) {
  if (typeof sub !== 'string' || sub === '') throw new Error('no subject')
  return sub
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** @param {Options} settings @returns {import('jose').FetchImplementation} */
function guardedFetch({ loopback: allowed, maxBytes }) {
  return async (url, init) => {
    const { address } = await lookup(new URL(url).hostname)
    if (!allowed && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6'))
      throw new Error('on loopback')
    const response = await fetch(url, init)
    if (response.status !== 200 || response.body === null) return response
    /** @type {Uint8Array[]} */
    const parts = []
    let size = 0
    for await (const part of response.body) {
      size += part.length
      if (size > maxBytes) throw new Error('too much')
      parts.push(part)
    }
    return new Response(usable(Buffer.concat(parts).toString()), { status: 200 })
  }
}

/** Without keys whose name is there twice, and without weak ones. @param {string} text */
function usable(text) {
  /** @type {{ keys: { kid?: string, n?: string }[] }} */
  const { keys } = JSON.parse(text)
  const strong = keys.filter(({ n = '' }) => Buffer.from(n, 'base64url').length * 8 >= MIN_BITS)
  return JSON.stringify({
    keys: strong.filter(({ kid }) => strong.filter((other) => other.kid === kid).length === 1),
  })
}
