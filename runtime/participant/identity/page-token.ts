// The page token of the user list: URL-safe base64 of a one-field protobuf message that holds the
// last id of the page before. domain/ledger.md §2.4

const FIELD_1_TEXT = 0x0a

/** The token that continues after `lastId`. */
export function encodePageToken(lastId: string): string {
  const id = Buffer.from(lastId, 'utf8')
  const bytes = Buffer.concat([Buffer.from([FIELD_1_TEXT, ...varint(id.length)]), id])
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The id that a token holds; '' starts from the beginning, undefined is not a token of ours. */
export function decodePageToken(token: string): string | undefined {
  if (token === '') return ''
  if (!/^[A-Za-z0-9_-]+={0,2}$/.test(token) || token.length % 4 !== 0) return undefined
  const bytes = Buffer.from(token, 'base64url')
  const [length, size] = readVarint(bytes.subarray(1))
  const id = bytes.subarray(1 + size).toString('utf8')
  const whole = bytes[0] === FIELD_1_TEXT && size > 0 && bytes.length === 1 + size + length
  return whole && id !== '' && encodePageToken(id) === token ? id : undefined
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)]
}

function readVarint(bytes: Uint8Array): readonly [value: number, size: number] {
  const size = bytes.findIndex((byte) => byte < 0x80) + 1
  const value = bytes
    .subarray(0, size)
    .reduce((sum, byte, index) => sum + ((byte & 0x7f) << (7 * index)), 0)
  return [value, size]
}
