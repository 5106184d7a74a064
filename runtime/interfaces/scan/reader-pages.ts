// Pages of contracts that are not the caller's own: whoever reads on names the last one that it has
// seen.
import type { ActivePage, Contract } from '../../engine/index.ts'
import { badRequest } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'

export interface ContractPage<T> {
  readonly contracts: readonly Contract<T>[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
}

/** Contracts after the one at a position; 400 for a position that none can have. */
export async function pageAfter<T>(
  { after, limit }: { readonly after?: bigint | undefined; readonly limit: number },
  read: (page: ActivePage) => Promise<readonly Contract<T>[]>,
): Promise<ContractPage<T> | PlainError> {
  if (after !== undefined && after < 0n) return badRequest('after is not a next_page_token')
  const position = after === undefined ? {} : { after: { rank: 0n, sequence: after } }
  const found = await read({ limit: limit + 1, ...position })
  const contracts = found.slice(0, limit)
  return { contracts, next: found.length > limit ? contracts.at(-1)?.sequence : undefined }
}
