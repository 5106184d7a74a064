// Tokens of pages: where the next page begins, and a digest of the request. Tokens need no state,
// so any server can continue another's pages. The digest need not be secret: rights and range are
// checked for every page, so a token reveals nothing.
import { hash } from 'node:crypto'

/** Characters of the mark: 132 bits, so that tokens of different requests are never mixed up. */
const MARK_CHARS = 22
const TOKEN = /^(\d{1,18}(?:\.\d{1,18}){0,3}):[\w-]{22}$/

/** The token with which `request` goes on after the given offsets or places. */
export function pageToken(request: unknown, ...places: readonly bigint[]): string {
  const where = places.join('.')
  const content = JSON.stringify([where, request], sorted)
  const mark = hash('sha256', content, 'base64url').slice(0, MARK_CHARS)
  return Buffer.from(`${where}:${mark}`).toString('base64url')
}

/** The places in a token; undefined where it was not given for this request. */
export function placesIn(token: string, request: unknown): readonly bigint[] | undefined {
  const [, where] = TOKEN.exec(Buffer.from(token, 'base64url').toString('latin1')) ?? []
  const places = where?.split('.').map(BigInt)
  return places && pageToken(request, ...places) === token ? places : undefined
}

/** Clients may write the members of an object in another order the next time. */
function sorted(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
