// Pages of users and parties. Their token is URL-safe base64 of a one-field protobuf message that
// holds the last id of the page before.
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument } from '../../errors/errors.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { alone, decoded, encoded, implicit, text } from '../protobuf/kinds.ts'

const lastSeen = alone(1, implicit(text))

/** The token that continues after `lastId`. */
function encodePageToken(lastId: string): string {
  const bytes = Buffer.from(encoded(lastSeen, lastId))
  return bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** The id that a token holds; '' starts from the beginning, undefined is not a token of ours. */
function decodePageToken(token: string): string | undefined {
  if (token === '') return ''
  try {
    const id = decoded(lastSeen, Buffer.from(token, 'base64url'))
    return id !== '' && encodePageToken(id) === token ? id : undefined
  } catch {
    return undefined
  }
}

/** A page that is asked for; a size of 0 is the largest. */
export interface PageRequest {
  readonly pageSize: number
  readonly pageToken: string
}

export interface Listing<T> {
  readonly items: readonly T[]
  /** '' when there are no more. */
  readonly nextPageToken: string
}

/** A list that is read by pages. */
interface Listed<T> {
  /** Larger pages are clipped. */
  readonly maxPageSize: number
  readonly idProblem: (id: string) => string | undefined
  readonly idOf: (item: T) => string
  read(page: { readonly after: string; readonly limit: number }): Promise<readonly T[]>
}

/** A page of a list. INVALID_ARGUMENT for a token that is not ours. */
export async function pageOf<T>(
  { pageSize, pageToken }: PageRequest,
  { maxPageSize, idProblem, idOf, read }: Listed<T>,
): Promise<Listing<T> | LedgerError> {
  const after = decodePageToken(pageToken)
  if (after === undefined || (after !== '' && idProblem(after) !== undefined))
    return invalidArgument(reasonText('invalidPageToken'))
  const limit = pageSize === 0 ? maxPageSize : Math.min(pageSize, maxPageSize)
  const items = await read({ after, limit })
  const last = items.at(-1)
  return {
    items,
    nextPageToken: last && items.length === limit ? encodePageToken(idOf(last)) : '',
  }
}
