// Featured app rights in pages: on a development network every provider makes as many of its own as
// it likes, and the list of all is for anybody. spec/scan.yaml
import type { FeaturedAppRight } from '../../../generated/contracts.gen.ts'
import { featuredAppRight } from '../../contracts/index.ts'
import type { Contract } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'
import { badRequest } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'

export interface RightsPage {
  readonly rights: readonly Contract<FeaturedAppRight>[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
}

interface PageQuery {
  readonly after?: bigint | undefined
  readonly limit: number
}

/**
 * Rights after the one at a position, of everybody or of one provider; oldest first, so that a
 * flood of new ones hides none.
 */
export async function featuredRights(
  { reader }: Pick<Economy, 'reader'>,
  { after, limit }: PageQuery,
  provider?: string,
): Promise<RightsPage | PlainError> {
  if (after !== undefined && after < 0n) return badRequest('after is not a next_page_token')
  const position = after === undefined ? {} : { after: { rank: 0n, sequence: after } }
  const found = await reader.active(featuredAppRight, provider === undefined ? {} : { provider }, {
    limit: limit + 1,
    ...position,
  })
  const rights = found.slice(0, limit)
  return { rights, next: found.length > limit ? rights.at(-1)?.sequence : undefined }
}
