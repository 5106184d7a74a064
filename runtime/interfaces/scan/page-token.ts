// Opaque page tokens of snapshots: the position of the last contract as URL-safe base64 text.
import { badRequest } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'

const POSITION = /^\d{1,18}$/

/** The token that continues after a position. */
export function encodePosition(position: bigint): string {
  return Buffer.from(String(position)).toString('base64url')
}

/** The position that a token holds, undefined without one; 400 where it is no token of ours. */
export function decodePosition(token: string | undefined): bigint | undefined | PlainError {
  if (token === undefined) return undefined
  const text = Buffer.from(token, 'base64url').toString('latin1')
  return POSITION.test(text) ? BigInt(text) : badRequest('after is not a next_page_token')
}
