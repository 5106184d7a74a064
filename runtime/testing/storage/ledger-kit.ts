// What the checks of contracts write: one update at a time, and the records that go with it.
import assert from 'node:assert/strict'
import type {
  ActiveQuery,
  CommitFacts,
  CommitReads,
  CommitWrites,
  ContractRecord,
  ContractStore,
  ContractState,
  Store,
} from '../../store/store.ts'

/**
 * The template of `aContract`, as contracts are found by it, and its id in the version that they
 * were written with.
 */
export const TEMPLATE = 'package:Module.Deep:Entity'
export const TEMPLATE_ID = `${'ab'.repeat(32)}:Module.Deep:Entity`
/** Another template, and the id of a contract of it. */
export const OTHER = 'package:Module:Other'
export const OTHER_ID = 'cd:Module:Other'
export const CONFLICT = { code: 'STORE_CONFLICT' }

const NO_READS: CommitReads = { contractIds: [], commandKeys: [], facts: [] }
const NO_WRITES: CommitWrites = {
  updates: [],
  creates: [],
  archives: [],
  assignments: [],
  commands: [],
  totals: [],
  accruals: [],
  logs: [],
  facts: [],
}

/** A contract of `TEMPLATE` without keys and observers, changed by `patch`. */
export function aContract(contractId: string, patch: Partial<ContractRecord> = {}): ContractRecord {
  return {
    contractId,
    templateId: TEMPLATE_ID,
    packageName: 'package',
    payload: `{"id":"${contractId}"}`,
    signatories: ['alice'],
    observers: [],
    createdAt: 1n,
    key1: '',
    key2: '',
    key3: '',
    rank: 0n,
    ...patch,
  }
}

/** Active contracts that an offset creates. */
export function createdAt(
  offset: bigint,
  ...contracts: readonly ContractRecord[]
): readonly ContractState[] {
  return contracts.map((contract) => ({
    contract,
    createdOffset: offset,
    archivedOffset: 0n,
    synchronizerId: 'synchronizer',
  }))
}

/** The update of an offset: `update-<offset>`, at ten microseconds of record time an offset. */
export function updateAt(offset: bigint): CommitWrites['updates'][number] {
  return {
    offset,
    updateId: `update-${offset}`,
    recordTime: offset * 10n,
    body: `{"offset":${offset}}`,
  }
}

/** Commits one update with what `writes` says for its offset; answers the offset. */
export async function append(
  { contracts }: Store,
  writes: (offset: bigint) => Partial<CommitWrites> = () => ({}),
  wrote: (all: CommitWrites) => void = () => {},
): Promise<bigint> {
  let all = NO_WRITES
  const offset = await contracts.commit({
    reads: NO_READS,
    decide: ({ end }) => {
      const result = end.offset + 1n
      all = { ...NO_WRITES, updates: [updateAt(result)], ...writes(result) }
      return { result, writes: all }
    },
  })
  wrote(all)
  return offset
}

/** Commits one update that creates active contracts. */
export async function addContracts(
  store: Store,
  ...contracts: readonly ContractRecord[]
): Promise<bigint> {
  return append(store, (offset) => ({ creates: createdAt(offset, ...contracts) }))
}

/** Commits one update that archives contracts. */
export async function archive(store: Store, ...contractIds: readonly string[]): Promise<bigint> {
  return append(store, (offset) => ({
    archives: contractIds.map((contractId) => ({ contractId, offset })),
  }))
}

/** Facts for a commit that writes nothing. */
export async function factsFor(
  { contracts }: Store,
  reads: Partial<CommitReads>,
): Promise<CommitFacts> {
  return contracts.commit({
    reads: { ...NO_READS, ...reads },
    decide: (facts) => ({ result: facts, writes: NO_WRITES }),
  })
}

/**
 * The ids of all pages of a query, each of at most `limit`; none may be longer, and only the last
 * one shorter.
 */
export async function walk(
  { contracts }: { readonly contracts: Pick<ContractStore, 'active'> },
  query: ActiveQuery,
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let page = await contracts.active(query); page.length > 0;) {
    assert.ok(page.length <= query.limit)
    ids.push(...page.map(({ contract }) => contract.contractId))
    const last = page.at(-1)
    if (last === undefined || page.length < query.limit) break
    page = await contracts.active({
      ...query,
      after: { rank: last.contract.rank, sequence: last.sequence },
    })
  }
  return ids
}

/** The ids of all pages of a snapshot. */
export async function walkSnapshot(
  { contracts }: { readonly contracts: Pick<ContractStore, 'snapshot'> },
  offset: bigint,
  {
    templates = [],
    parties = [],
    limit = 3,
  }: { templates?: string[]; parties?: string[]; limit?: number } = {},
): Promise<readonly string[]> {
  const ids: string[] = []
  for (let after = 0n; ;) {
    const page = await contracts.snapshot({ offset, templates, parties, after, limit })
    ids.push(...page.map(({ contract }) => contract.contractId))
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return ids
    after = last.sequence
  }
}
