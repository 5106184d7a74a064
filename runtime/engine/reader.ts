// Typed reads of committed contracts, for services. No rule of visibility holds here: who asks on
// behalf of a party filters.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { accruedAt } from './accruals.ts'
import { createContractCache } from './contract-cache.ts'
import { encodeBlob } from './contract-id.ts'
import type {
  ActiveContract,
  ActivePosition,
  ActiveQuery,
  ContractRecord,
  ContractState,
  ContractStore,
  KeyName,
  Total,
} from '../store/store.ts'
import type { ContractCache } from './contract-cache.ts'
import type { Template } from './template.ts'

const PAGE = 1_000
const KEY_NAMES: Readonly<Record<1 | 2 | 3, KeyName>> = { 1: 'key1', 2: 'key2', 3: 'key3' }

/** An active contract, its payload decoded. */
export interface Contract<T> {
  readonly id: string
  readonly payload: T
  readonly record: ContractRecord
  /** Microseconds. */
  readonly createdAt: bigint
  /** '' while it is in flight. */
  readonly synchronizerId: string
  /** Rises with every contract created; with the rank it is the position in a list. */
  readonly sequence: bigint
}

export interface ActiveFilter {
  /** Which key of the template has which value. docs/contracts.md */
  readonly key?: readonly [1 | 2 | 3, string]
  /** Oldest first when absent. */
  readonly order?: ActiveQuery['order']
  readonly maxRank?: bigint
  readonly after?: ActivePosition
  /** 1,000 when absent. */
  readonly limit?: number
}

export interface Reader {
  active<T>(template: Template<T>, filter?: ActiveFilter): Promise<readonly Contract<T>[]>
  /** All of them, page by page; contracts created meanwhile may be among them. */
  all<T>(template: Template<T>, key?: ActiveFilter['key']): Promise<readonly Contract<T>[]>
  /**
   * Values of a key that active contracts have, each once, in the store's own order, after `after`
   * ('' is the start).
   */
  keys<T>(
    template: Template<T>,
    key: 1 | 2 | 3,
    after: string,
    limit: number,
  ): Promise<readonly string[]>
  /** Active contracts under a key, counted up to `limit`. */
  count<T>(template: Template<T>, key: readonly [1 | 2 | 3, string], limit: number): Promise<number>
  /** Undefined where it is not active or of another template. Its `sequence` is 0. */
  get<T>(template: Template<T>, contractId: string): Promise<Contract<T> | undefined>
  /** Active or not, of whatever template; undefined where it never was. */
  state(contractId: string): Promise<ContractState | undefined>
  total(name: string, account: string): Promise<Total>
  /** What amounts of active contracts have grown to at a position. */
  accrued(name: string, account: string, at: bigint): Promise<bigint>
  /** What is handed out so that others can disclose the contract. */
  blobOf(contract: ContractRecord): string
}

/** With the engine's `cache`, what was interpreted need not be decoded again. */
export function createReader(
  store: ContractStore,
  cache: ContractCache = createContractCache(),
): Reader {
  const contractOf = <T>(
    template: Template<T>,
    { contract, synchronizerId, sequence }: ActiveContract,
  ): Contract<T> => {
    const record =
      synchronizerId === '' ? (cache.get(contract.contractId) ?? contract) : cache.intern(contract)
    const { contractId: id, createdAt } = record
    return { id, payload: template.open(record), record, createdAt, synchronizerId, sequence }
  }
  const active: Reader['active'] = async (template, filter = {}) => {
    const found = await store.active(queryOf(template.type.reference, filter))
    return found.map((each) => contractOf(template, each))
  }
  return {
    active,
    keys: async ({ type }, key, after, limit) =>
      store.keys({ template: type.reference, name: KEY_NAMES[key], after, limit }),
    count: async ({ type }, [key, value], limit) =>
      store.count({ template: type.reference, key: { name: KEY_NAMES[key], value }, limit }),
    all: async (template, key) => everyPage(template, key, active),
    get: async (template, contractId) => {
      const [state] = await store.byIds([contractId])
      if (state === undefined || state.archivedOffset !== 0n || !template.isOf(state.contract))
        return undefined
      return contractOf(template, { ...state, sequence: 0n })
    },
    state: async (contractId) => (await store.byIds([contractId]))[0],
    total: async (name, account) => store.total({ name, account }),
    accrued: async (name, account, at) =>
      accruedAt(await store.accruals({ name, account, at }), at),
    blobOf: encodeBlob,
  }
}

async function everyPage<T>(
  template: Template<T>,
  key: ActiveFilter['key'],
  active: Reader['active'],
): Promise<readonly Contract<T>[]> {
  const all: Contract<T>[] = []
  for (;;) {
    const last = all.at(-1)
    const after =
      last === undefined ? {} : { after: { rank: last.record.rank, sequence: last.sequence } }
    const page = await active(template, {
      ...(key === undefined ? {} : { key }),
      ...after,
      limit: PAGE,
    })
    all.push(...page)
    if (page.length < PAGE) return all
    // A store in this process answers at once: others would wait until all is read.
    await nextTurn()
  }
}

function queryOf(
  template: string,
  { key, order = 'created', maxRank, after, limit = PAGE }: ActiveFilter,
): ActiveQuery {
  return {
    template,
    order,
    limit,
    ...(key === undefined ? {} : { key: { name: KEY_NAMES[key[0]], value: key[1] } }),
    ...(maxRank === undefined ? {} : { maxRank }),
    ...(after === undefined ? {} : { after }),
  }
}
