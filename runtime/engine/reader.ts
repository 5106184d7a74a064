// Typed reads of committed contracts, for services. Visibility is not checked here: a service that
// reads for a party filters.
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
  Total,
} from '../store/store.ts'
import type { ContractCache } from './contract-cache.ts'
import { storedKey } from './template-keys.ts'
import type { KeyFilter } from './template-keys.ts'
import type { Template, TemplateKey } from './template.ts'

const PAGE = 1_000

/** An active contract, its payload decoded. */
export interface Contract<T> {
  readonly id: string
  readonly payload: T
  readonly record: ContractRecord
  /** Microseconds. */
  readonly createdAt: bigint
  /** The ledger's own; '' while the contract is in flight. */
  readonly synchronizerId: string
  /** Rises with every contract created; with the rank it is the position in a list. */
  readonly sequence: bigint
}

export interface ActivePage {
  /** Oldest first when absent. */
  readonly order?: ActiveQuery['order']
  readonly maxRank?: bigint
  readonly after?: ActivePosition
  /** 1,000 when absent. */
  readonly limit?: number
}

export interface Reader {
  /** Active contracts under a key of the template, `{ owner }`; all of them without one. */
  active<T, D>(
    template: Template<T, D>,
    key?: KeyFilter<NoInfer<D>>,
    page?: ActivePage,
  ): Promise<readonly Contract<T>[]>
  /** All of them, page by page; contracts created meanwhile may be among them. */
  all<T, D>(template: Template<T, D>, key?: KeyFilter<NoInfer<D>>): Promise<readonly Contract<T>[]>
  /** Active contracts under a key of a template that is not known here. */
  under<T>(key: TemplateKey<T>, value: string, page?: ActivePage): Promise<readonly Contract<T>[]>
  /**
   * Values of a key that active contracts have, each once, as they are stored, in the store's own
   * order, after `after` ('' is the start).
   */
  keys<T>(key: TemplateKey<T>, after: string, limit: number): Promise<readonly string[]>
  /** Undefined where it is not active or of another template. Its `sequence` is 0. */
  get<T>(template: Template<T>, contractId: string): Promise<Contract<T> | undefined>
  /** Active or not, of whatever template; undefined where it never was. */
  state(contractId: string): Promise<ContractState | undefined>
  total(name: string, account: string): Promise<Total>
  /** The sum of active contracts' growing amounts at a position. */
  accrued(name: string, account: string, at: bigint): Promise<bigint>
  /** The blob with which others can disclose the contract. */
  blobOf(contract: ContractRecord): string
}

/**
 * Reads of a ledger. With the engine's `cache`, what was interpreted need not be decoded again.
 *
 * @param own id of the synchronizer, which may have had another when a contract was stored
 */
export function createReader(
  store: ContractStore,
  own: string,
  cache: ContractCache = createContractCache(),
): Reader {
  const contractOf = <T>(
    template: Template<T>,
    { contract, synchronizerId: at, sequence }: ActiveContract,
  ): Contract<T> => {
    const synchronizerId = at === '' ? at : own
    const record = at === '' ? (cache.get(contract.contractId) ?? contract) : cache.intern(contract)
    const { contractId: id, createdAt } = record
    return { id, payload: template.open(record), record, createdAt, synchronizerId, sequence }
  }
  const read = async <T>(
    template: Template<T>,
    key: ActiveQuery['key'],
    page: ActivePage = {},
  ): Promise<readonly Contract<T>[]> => {
    const found = await store.active(queryOf(template.type.reference, key, page))
    return found.map((each) => contractOf(template, each))
  }
  const active: Reader['active'] = async (template, key = {}, page) =>
    read(template, storedKey(template.type, key), page)
  return {
    active,
    under: async ({ template, column: name }, value, page) => read(template, { name, value }, page),
    keys: async ({ template: { type }, column: name }, after, limit) =>
      store.keys({ template: type.reference, name, after, limit }),
    all: async (template, key) => everyPage((page) => active(template, key, page)),
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
  read: (page: ActivePage) => Promise<readonly Contract<T>[]>,
): Promise<readonly Contract<T>[]> {
  const all: Contract<T>[] = []
  for (;;) {
    const last = all.at(-1)
    const after =
      last === undefined ? {} : { after: { rank: last.record.rank, sequence: last.sequence } }
    const page = await read({ ...after, limit: PAGE })
    all.push(...page)
    if (page.length < PAGE) return all
    // A store in this process answers at once: others would wait until all is read.
    await nextTurn()
  }
}

function queryOf(
  template: string,
  key: ActiveQuery['key'],
  { order = 'created', maxRank, after, limit = PAGE }: ActivePage,
): ActiveQuery {
  return {
    template,
    order,
    limit,
    ...(key === undefined ? {} : { key }),
    ...(maxRank === undefined ? {} : { maxRank }),
    ...(after === undefined ? {} : { after }),
  }
}
