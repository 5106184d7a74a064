// The contracts of two parties as each of them asks for them: found under either key, told apart by
// whose side the caller is on.
import type { Contract as WireContract } from '../../../../generated/validator/types.gen.ts'
import type { Contract, Reader, Template, TemplateKey } from '../../../engine/index.ts'
import { contractToWire } from '../../contract-wire.ts'
import type { Economy } from '../../../economy/economy.ts'
import { jsonBytes, Page } from '../../pages.ts'
import { afterSequence, inOrder, listed } from '../lists.ts'
import type { ListQuery, Slice, WireList } from '../lists.ts'
import { badRequest, notFound } from '../../../economy/errors.ts'
import type { PlainError } from '../../../economy/errors.ts'

/** Ids, names and times, roughly. */
const HEAD_BYTES = 1_500

interface ContractPage<T> {
  readonly contracts: readonly Contract<T>[]
  /** `after` of the next page; absent on the last one. */
  readonly next: bigint | undefined
}

/** Contracts of a party under one of the keys as they are shown, oldest first, each once. */
export function listOf<T>(
  economy: Pick<Economy, 'reader' | 'settings'>,
  keys: readonly TemplateKey<T>[],
  party: string,
  query: ListQuery,
): Promise<WireList<WireContract>> {
  return listed(
    economy,
    async (slice) => (await pageOf(economy.reader, keys, party, slice)).contracts,
    (contract) => contractToWire(contract),
    query,
  )
}

export interface PageQuery {
  readonly after?: bigint | undefined
  readonly limit: number
}

/** A page of the same; `after` is the sequence of the last contract seen. */
async function pageOf<T>(
  reader: Reader,
  keys: readonly TemplateKey<T>[],
  party: string,
  { after, limit, order = 'created' }: PageQuery & Partial<Pick<Slice, 'order'>>,
): Promise<ContractPage<T>> {
  const page = { limit: limit + 1, order, ...afterSequence(after) }
  const pages = await Promise.all(keys.map((key) => reader.under(key, party, page)))
  const found = inOrder(pages.flat(), order)
  const contracts = found.slice(0, limit)
  return { contracts, next: found.length > limit ? contracts.at(-1)?.sequence : undefined }
}

/** A page that also ends where it would be large as it is shown. */
export async function lightPageOf<T>(
  reader: Reader,
  keys: readonly TemplateKey<T>[],
  party: string,
  query: PageQuery,
): Promise<ContractPage<T>> {
  const { contracts, next } = await pageOf(reader, keys, party, query)
  const page = new Page<Contract<T>>(query.limit)
  const isWhole = contracts.every((contract) => page.add(contract, shownBytes(contract)))
  return isWhole
    ? { contracts, next }
    : { contracts: page.items, next: page.items.at(-1)?.sequence }
}

/** Once as payload, and with all that is known of it as base64. */
function shownBytes({ record }: Contract<unknown>): number {
  return (
    2 * jsonBytes(record.payload) +
    2 * jsonBytes([...record.signatories, ...record.observers]) +
    HEAD_BYTES
  )
}

interface Actor<T> {
  /** For people: `transfer`. */
  readonly what: string
  readonly party: string
  /** Who may do it, in words and as a party. */
  readonly role: string
  readonly roleOf: (payload: T) => string
  /** Who may know of it; nobody else is told more than that there is no such contract. */
  readonly stakeholders: (payload: T) => readonly string[]
}

/**
 * The active contract on which the actor may act; 404 for strangers, 400 for who is on the other
 * side.
 */
export async function actedOn<T>(
  { reader }: Pick<Economy, 'reader'>,
  template: Template<T>,
  contractId: string,
  { what, party, role, roleOf, stakeholders }: Actor<T>,
): Promise<Contract<T> | PlainError> {
  const contract = await reader.get(template, contractId)
  const isKnown = contract !== undefined && stakeholders(contract.payload).includes(party)
  if (!isKnown) return notFound(`No ${what} with contract id ${contractId}`)
  return roleOf(contract.payload) === party
    ? contract
    : badRequest(`Only the ${role} of the ${what} may do this`)
}
