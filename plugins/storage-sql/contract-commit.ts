// The one transaction that writes the ledger: lock the ledger end, read, decide, write. Every list
// is one step, so PostgreSQL needs a bounded number of statements in two flights, and SQLite little
// more than its own work on the rows.
import {
  CommitRejected,
  factsByKind,
  storableReads,
  storableWrites,
  StoreConflict,
  StoreUnavailable,
  templateOf,
} from '../../runtime/index.ts'
import {
  commandOf,
  factOf,
  ledgerEndOf,
  rankText,
  stakeHolderOf,
  stateOf,
  updateIdOf,
} from './contract-rows.ts'
import { templateKey } from './template-key.ts'
import { BULK, CONTRACTS } from './contract-statements.ts'
import {
  call,
  ConstraintViolated,
  int64Of,
  NotOneRow,
  textOf,
  together,
  touched,
} from './database.ts'
import { forMs, retry } from './retry.ts'
import { seenByText, sightingRows } from './seen-updates.ts'
import { stakeRows } from './stakes.ts'
import type {
  Accrual,
  AccrualKey,
  Commit,
  CommitFacts,
  CommitReads,
  CommitWrites,
  ContractState,
} from '../../runtime/index.ts'
import type { Bulk, BulkValue, Database, Row, Step, Work } from './database.ts'
import type { StakeHolder } from './stakes.ts'
import type { BulkStatement } from './statements.ts'

const NOT_ONE_END = 'the database does not have exactly one ledger end, where the lock found it'

/** Milliseconds in which to ask whether a commit was written whose answer was lost. */
const RESOLVE_MS = 10_000

/** The offset of a fact that is never pruned. */
const KEPT = 0n

type Holders = ReadonlyMap<string, StakeHolder>

interface Decided<T> {
  readonly updateId: string | undefined
  readonly result: T
}

/**
 * Rejects with StoreUnavailable only where nothing was written, or where that cannot be found out.
 */
export async function commit<T>(database: Database, asked: Commit<T>): Promise<T> {
  storableReads(asked.reads)
  let decided: Decided<T> | undefined
  const work = (): Work<T> =>
    commitSteps(asked, (latest) => {
      decided = latest
    })
  try {
    return await database.transact(work)
  } catch (error) {
    if (error instanceof ConstraintViolated)
      throw new StoreConflict('An id is there already', { cause: error })
    if (error instanceof NotOneRow)
      throw new CommitRejected('ledger-end', NOT_ONE_END, { cause: error })
    if (
      decided !== undefined &&
      error instanceof StoreUnavailable &&
      (await isWritten(database, decided.updateId))
    ) {
      return decided.result
    }
    throw error
  }
}

function* commitSteps<T>(
  { reads, decide }: Commit<T>,
  deciding: (decided: Decided<T>) => void,
): Work<T> {
  const { end, states, facts } = yield* lockAndRead(reads)
  const { writes, result } = decide(facts)
  storableWrites(writes)
  deciding({ updateId: writes.updates[0]?.updateId, result })
  yield* write(writes, end, { ...facts, holders: yield* holdersOf(writes, states) })
  return result
}

/** Reads after the lock; the values stay so until the commit: only commits write them. */
function* lockAndRead({
  seen = 0n,
  contractIds,
  commandKeys,
  facts,
}: CommitReads): Work<{ end: Row; states: readonly Row[]; facts: CommitFacts }> {
  const kinds = [...Map.groupBy(facts, (fact) => fact.kind)]
  const [ends = [], states = [], commands = [], ...known] = yield* together([
    { statement: CONTRACTS.lockLedgerEnd, values: [seen] },
    { statement: CONTRACTS.states, values: [contractIds] },
    { statement: CONTRACTS.commandsAmong, values: [commandKeys] },
    ...kinds.map(([kind, wanted]) => ({
      statement: CONTRACTS.factsAmong,
      values: [kind, wanted.map(({ key }) => key)],
    })),
  ])
  const end = theOne(ends)
  return {
    end,
    states,
    facts: {
      end: ledgerEndOf(end),
      seen: updateIdOf(end, 'seen'),
      now: int64Of(end, 'now'),
      states: new Map(states.map((row) => [textOf(row, 'contract_id'), stateOf(row)])),
      commands: new Map(commands.map((row) => [textOf(row, 'command_key'), commandOf(row)])),
      facts: factsByKind(known.flat().map(factOf)),
    },
  }
}

/** Holders of the archived contracts, by id; those that were not read before are read now. */
function* holdersOf({ archives }: CommitWrites, read: readonly Row[]): Work<Holders> {
  const holders = new Map(read.map((row) => [textOf(row, 'contract_id'), row]))
  const others = archives.map(({ contractId }) => contractId).filter((id) => !holders.has(id))
  const found = others.length === 0 ? [] : yield* call(CONTRACTS.states, others)
  for (const row of found) holders.set(textOf(row, 'contract_id'), row)
  return new Map(
    archives.flatMap(({ contractId }) => {
      const row = holders.get(contractId)
      return row === undefined ? [] : [[contractId, stakeHolderOf(row)]]
    }),
  )
}

/**
 * Where a contract is touched that was not seen to be there, the commit waits for the count of
 * those that were.
 */
function* write(
  writes: CommitWrites,
  end: Row,
  { states, holders }: Pick<CommitFacts, 'states'> & { readonly holders: Holders },
): Work<void> {
  const touching = touchingSteps(writes)
  const moving = moveEnd(writes, end)
  const others = [...insertSteps(writes, end), ...snapshotSteps(writes, holders), ...moving]
  const answers = yield* together([...others, ...touching], areThere(writes, states))
  if (moving.length > 0) theOne(answers[others.length - 1])
  for (const [index, { rows }] of touching.entries())
    requireAll(rows, answers[others.length + index])
}

function areThere({ archives, assignments }: CommitWrites, states: CommitFacts['states']): boolean {
  return (
    new Set(archives.map(({ contractId }) => contractId)).size === archives.length &&
    archives.every(({ contractId }) => states.get(contractId)?.archivedOffset === 0n) &&
    assignments.every(({ contractId }) => states.has(contractId))
  )
}

function touchingSteps({ archives, assignments }: CommitWrites): readonly Bulk[] {
  return bulks([
    [BULK.archiveContracts, archives.map(({ contractId, offset }) => [offset, contractId])],
    // The last one of each contract says where it is.
    [
      BULK.assignContracts,
      Array.from(
        new Map(assignments.map(({ contractId, synchronizerId }) => [contractId, synchronizerId])),
        ([contractId, synchronizerId]) => [synchronizerId, contractId],
      ),
    ],
  ])
}

/**
 * Rows that past and present snapshots go by. A contract that is not there is found out by
 * `touchingSteps`.
 */
function snapshotSteps({ archives, assignments }: CommitWrites, holders: Holders): readonly Bulk[] {
  const ended = archives.flatMap(({ contractId, offset }) => {
    const holder = holders.get(contractId)
    return holder === undefined
      ? []
      : stakeRows({ ...holder, archivedOffset: offset }).map(
          ([party, template, node, sequence, archived]) =>
            [node, archived, party, template, sequence] as const,
        )
  })
  return bulks([
    [BULK.endStakes, ended],
    [
      BULK.keepOrigins,
      Array.from(new Set(assignments.map(({ contractId }) => contractId)), (id) => [id]),
    ],
    [
      BULK.insertAssignments,
      assignments.map(({ contractId, offset, synchronizerId }) => [
        contractId,
        offset,
        synchronizerId,
      ]),
    ],
  ])
}

function insertSteps(
  { updates, creates, commands, totals, accruals, logs, facts }: CommitWrites,
  end: Row,
): readonly Bulk[] {
  const sequence = int64Of(end, 'last_sequence') + 1n
  const line = int64Of(end, 'last_log_line') + 1n
  return bulks([
    [
      BULK.insertUpdates,
      updates.map((update) => [
        update.offset,
        update.updateId,
        update.recordTime,
        update.body,
        seenByText(update),
      ]),
    ],
    [BULK.insertSightings, updates.flatMap(sightingRows)],
    [
      BULK.insertContracts,
      creates.map((state, index) => contractRow(state, sequence + BigInt(index))),
    ],
    [
      BULK.insertStakes,
      creates.flatMap((state, index) =>
        stakeRows({
          ...state,
          ...state.contract,
          template: templateOf(state.contract),
          sequence: sequence + BigInt(index),
        }),
      ),
    ],
    [
      BULK.addTotals,
      totals.map(({ name, account, amount, count }) => [name, account, String(amount), count]),
    ],
    [BULK.addAccruals, accruals.map((row) => [...placeOf(row), ...sumOf(row)])],
    [BULK.dropAccruals, accruals.filter(({ count }) => count < 0n).map(placeOf)],
    [
      BULK.insertLines,
      logs.map(({ log, owner, id, body, offset }, index) => [
        line + BigInt(index),
        log,
        owner,
        id,
        body,
        offset,
      ]),
    ],
    [
      BULK.putFacts,
      facts.map(({ kind, key, body, prunedWith = KEPT }) => [kind, key, body, prunedWith]),
    ],
    [
      BULK.putCommands,
      commands.map(({ key, updateId, offset, keptUntil }) => [key, updateId, offset, keptUntil]),
    ],
  ])
}

function placeOf({ name, account, part, at }: AccrualKey): readonly BulkValue[] {
  return [name, account, part, at]
}

function sumOf({ amount, rate, count }: Accrual): readonly BulkValue[] {
  return [String(amount), String(rate), count]
}

function bulks(all: readonly (readonly [BulkStatement, Bulk['rows']])[]): readonly Bulk[] {
  return all.flatMap(([statement, rows]) => (rows.length === 0 ? [] : [{ statement, rows }]))
}

function moveEnd({ updates, creates, logs }: CommitWrites, end: Row): readonly Step[] {
  if (updates.length + creates.length + logs.length === 0) return []
  const { offset, recordTime } = updates.at(-1) ?? ledgerEndOf(end)
  const sequence = int64Of(end, 'last_sequence') + BigInt(creates.length)
  const line = int64Of(end, 'last_log_line') + BigInt(logs.length)
  const before = ['last_offset', 'last_sequence', 'last_log_line'].map((column) =>
    int64Of(end, column),
  )
  return [
    { statement: CONTRACTS.moveLedgerEnd, values: [offset, recordTime, sequence, line, ...before] },
  ]
}

/** Throws where there are more rows, or none. */
function theOne(rows: readonly Row[] = []): Row {
  const [row] = rows
  if (row === undefined || rows.length > 1)
    throw new NotOneRow('There is not exactly one ledger end')
  return row
}

function contractRow(state: ContractState, sequence: bigint): readonly BulkValue[] {
  const { contract, createdOffset, archivedOffset, synchronizerId } = state
  const { contractId, templateId, packageName, payload, signatories, observers, createdAt } =
    contract
  return [
    sequence,
    contractId,
    templateKey(templateOf(contract)),
    contract.key1,
    contract.key2,
    contract.key3,
    rankText(contract.rank),
    createdOffset,
    archivedOffset,
    synchronizerId,
    createdAt,
    templateId,
    packageName,
    JSON.stringify(signatories),
    JSON.stringify(observers),
    payload,
  ]
}

/** Somebody archived one of them before. */
function requireAll(wanted: readonly unknown[], [answer = {}]: readonly Row[] = []): void {
  if (answer['touched'] !== wanted.length)
    throw new StoreConflict('A contract is not active or not there')
}

/**
 * Waits for the end of whatever commit holds the ledger end, hence of the one whose connection was
 * lost, then looks for its first update. A batch without updates cannot be told apart: it counts as
 * lost.
 */
async function isWritten(database: Database, updateId: string | undefined): Promise<boolean> {
  if (updateId === undefined) return false
  const look = () =>
    database.transact(function* () {
      yield* call(CONTRACTS.lockLedgerEnd, 0n)
      return touched(yield* call(CONTRACTS.isWritten, updateId))
    })
  return retry(
    look,
    forMs(RESOLVE_MS, (error) => error instanceof StoreUnavailable),
  )
}
