// The ledger built anew from its stored updates alone, in another store: contracts, totals,
// histories and statuses must come out as they were. docs/economy-rules.md, "Invariants"
import { createMemoryStore } from '../../../plugins/storage-sql/memory.ts'
import { allTemplates } from '../../../runtime/contracts/index.ts'
import {
  AccrualSums,
  accrualsOf,
  createContractCache,
  createReader,
  decodeUpdate,
} from '../../../runtime/engine/index.ts'
import type {
  CreateEvent,
  Projected,
  Projector,
  StoredTransaction,
} from '../../../runtime/engine/index.ts'
import { createNetworkState, networkProjector } from '../../../runtime/economy/network/state.ts'
import { walletProjectors } from '../../../runtime/economy/wallets/projectors.ts'
import type {
  CommitWrites,
  ContractRecord,
  ContractStore,
  Store,
  UpdateRecord,
} from '../../../runtime/store/store.ts'
import { Histories } from './histories.ts'
import type { Reading } from './reading.ts'
import { SeenBook } from './seen.ts'

const PAGE = 500
const TEMPLATES = new Map(allTemplates.map((template) => [template.id, template]))

/** A reading of what the updates from offset 0 on make. */
export async function replay({ economy, config, book: { parties } }: Reading): Promise<Reading> {
  const [store, book] = [createMemoryStore(), new SeenBook(parties)]
  const projectors = [
    networkProjector({ dso: economy.parties.dso, operators: new Set([economy.parties.operator]) }),
    ...walletProjectors,
  ]
  for (let last = 0n; ;) {
    const page = await economy.store.contracts.updatesAfter(last, PAGE)
    for (const update of page) await repeat(update, store.contracts, { book, projectors })
    const end = page.at(-1)
    if (end === undefined)
      return {
        economy: over(economy, store),
        config,
        book,
        histories: new Histories(store.contracts, parties),
      }
    last = end.offset
  }
}

function over(economy: Reading['economy'], store: Store): Reading['economy'] {
  const { clock, parties, node } = economy
  const reader = createReader(store.contracts, node.synchronizerId, createContractCache())
  return {
    ...economy,
    store,
    reader,
    network: createNetworkState({
      store: store.contracts,
      reader,
      clock,
      ...parties,
      signsFor: async () => true,
    }),
  }
}

interface Repeating {
  readonly book: SeenBook
  readonly projectors: readonly Projector[]
}

async function repeat(
  update: UpdateRecord,
  store: ContractStore,
  { book, projectors }: Repeating,
): Promise<void> {
  const stored = decodeUpdate(update.body)
  if (stored.kind !== 'transaction') return
  const { transaction } = stored
  const creates = transaction.events.filter((event) => event.kind === 'create')
  for (const { contract } of creates) book.note(contract)
  const consumed = transaction.consumed.flatMap((id) => book.record(id) ?? [])
  const projected = projectors.map(({ project }) => project({ ...transaction, consumed }))
  const writes = writesOf(update, { stored: transaction, creates, consumed, projected })
  const reads = { contractIds: [], commandKeys: [], facts: [] }
  await store.commit({ reads, decide: () => ({ writes, result: undefined }) })
}

interface Repeated {
  readonly stored: StoredTransaction
  readonly creates: readonly CreateEvent[]
  readonly consumed: readonly ContractRecord[]
  readonly projected: readonly Projected[]
}

function writesOf(
  update: UpdateRecord,
  { stored, creates, consumed, projected }: Repeated,
): CommitWrites {
  const { offset } = update
  const { synchronizerId } = stored
  const archived = new Set(
    stored.events.flatMap((event) =>
      event.kind === 'exercise' && event.consuming ? [event.contractId] : [],
    ),
  )
  const lasting = creates.flatMap(({ contract }) =>
    archived.has(contract.contractId) ? [] : [contract],
  )
  return {
    updates: [update],
    creates: creates.map(({ contract }) => ({
      contract,
      createdOffset: offset,
      archivedOffset: archived.has(contract.contractId) ? offset : 0n,
      synchronizerId,
    })),
    archives: consumed.map(({ contractId }) => ({ contractId, offset })),
    assignments: [],
    commands: [],
    totals: totalsOf(lasting, consumed),
    accruals: accrualsIn(lasting, consumed),
    logs: projected.flatMap(({ logs }) => logs.map((line) => ({ ...line, offset }))),
    facts: [
      ...new Map(
        projected.flatMap(({ facts }) => facts).map((fact) => [`${fact.kind} ${fact.key}`, fact]),
      ).values(),
    ],
  }
}

function totalsOf(
  come: readonly ContractRecord[],
  gone: readonly ContractRecord[],
): CommitWrites['totals'] {
  const sums = new Map<string, CommitWrites['totals'][number]>()
  const add = (record: ContractRecord, sign: bigint) => {
    for (const { name, account, amount } of TEMPLATES.get(record.templateId)?.totalsOf(record) ??
      []) {
      const before = sums.get(`${name} ${account}`) ?? { name, account, amount: 0n, count: 0n }
      sums.set(`${name} ${account}`, {
        name,
        account,
        amount: before.amount + sign * amount,
        count: before.count + sign,
      })
    }
  }
  for (const record of come) add(record, 1n)
  for (const record of gone) add(record, -1n)
  return [...sums.values()]
}

function accrualsIn(
  come: readonly ContractRecord[],
  gone: readonly ContractRecord[],
): CommitWrites['accruals'] {
  const sums = new AccrualSums()
  const rows = (record: ContractRecord) =>
    (TEMPLATES.get(record.templateId)?.accrualsOf(record) ?? []).flatMap(accrualsOf)
  for (const row of come.flatMap(rows)) sums.add(row)
  for (const { amount, rate, count, ...key } of gone.flatMap(rows))
    sums.add({ ...key, amount: -amount, rate: -rate, count: -count })
  return sums.rows()
}
