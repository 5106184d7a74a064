// The page token of the user list: URL-safe base64 of a one-field protobuf message that holds the
// last id of the page before.
import { alone, decoded, encoded, implicit, text } from '../protobuf/kinds.ts'

const lastSeen = alone(1, implicit(text))

/** The token that continues after `lastId`. */
export function encodePageToken(lastId: string): string {
  const bytes = Buffer.from(encoded(lastSeen, lastId))
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The id that a token holds; '' starts from the beginning, undefined is not a token of ours. */
export function decodePageToken(token: string): string | undefined {
  if (token === '') return ''
  try {
    const id = decoded(lastSeen, Buffer.from(token, 'base64url'))
    return id !== '' && encodePageToken(id) === token ? id : undefined
  } catch {
    return undefined
  }
}
