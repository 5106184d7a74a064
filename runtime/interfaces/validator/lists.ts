// Lists of contracts that have pages where they are asked for, and else are answered whole as long
// as they are not too large for one answer. docs/differences.md
import type { Contract, Reader, TemplateKey } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import { Stretches } from '../../loop/stretches.ts'
import { badRequest } from '../../economy/errors.ts'
import type { PlainError } from '../../economy/errors.ts'
import { inSlices, Page } from '../pages.ts'

/** What is listed, in order of its sequence. */
export interface Listed {
  readonly sequence: bigint
  readonly record: Pick<ContractRecord, 'payload'>
}

export interface ListQuery {
  /** The sequence of the last one seen; absent is the start. */
  readonly after?: bigint | undefined
  /** Absent: all, if they are not too large. */
  readonly limit?: number | undefined
  /** Once it aborts, nobody waits for the list, and it ends where it is. */
  readonly signal: AbortSignal
}

export interface WireList<W> {
  readonly contracts: W[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
}

/** Reads at most `limit`, those after a sequence, in order. */
export type ReadListed<T> = (after: bigint | undefined, limit: number) => Promise<readonly T[]>

/**
 * The list as `show` writes each, or leaves it out by undefined; 400 where pages have to be asked
 * for.
 */
export async function listed<T extends Listed, W>(
  { settings: { validator } }: Pick<Economy, 'settings'>,
  read: ReadListed<T>,
  show: (contract: T) => W | undefined,
  { after, limit, signal }: ListQuery,
): Promise<WireList<W> | PlainError> {
  const { maxListBytes } = validator
  const page = limit === undefined ? new Page<W>(Infinity, maxListBytes) : new Page<W>(limit)
  let next: bigint | undefined
  const stretches = new Stretches()
  const slices = inSlices<T>(
    (last, size) => read(last?.sequence ?? after, size),
    ({ record }) => record.payload.length,
    signal,
  )
  for await (const contract of slices) {
    const shown = show(contract)
    if (shown !== undefined && !page.add(shown))
      return limit === undefined ? tooLarge(maxListBytes) : { contracts: page.items, next }
    next = contract.sequence
    await stretches.pause()
  }
  return { contracts: page.items, next: undefined }
}

/** Contracts under a key of their template, oldest first. */
export function underKey<T>(
  reader: Reader,
  key: TemplateKey<T>,
  value: string,
): ReadListed<Contract<T>> {
  return (after, limit) => reader.under(key, value, { limit, ...afterSequence(after) })
}

/** Where a page of contracts in the order of their creation begins. */
export function afterSequence(sequence: bigint | undefined) {
  return sequence === undefined ? {} : { after: { rank: 0n, sequence } }
}

/** The member that names the next page. */
export function nextPage(next: bigint | undefined): { readonly next_page_token?: bigint } {
  return next === undefined ? {} : { next_page_token: next }
}

function tooLarge(maxBytes: number): PlainError {
  return badRequest(
    `The list has more than ${maxBytes} bytes: ask for pages of it with limit and after`,
  )
}
