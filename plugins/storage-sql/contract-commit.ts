// The one transaction that writes the ledger: lock the ledger end, read, decide, write. Every list
// is one step, so PostgreSQL needs a bounded number of statements in two flights, and SQLite little
// more than its own work on the rows.
import { factsByKind, storableWrites, StoreConflict, templateOf } from '../../runtime/index.ts'
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
import { call, int64Of, NotOneRow, textOf, together } from './database.ts'
import { outcomeOf } from './commit-outcome.ts'
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
import type { Answers, Bulk, BulkValue, Call, Database, Row, Step, Work } from './database.ts'
import type { Decided } from './commit-outcome.ts'
import type { StakeHolder } from './stakes.ts'
import type { BulkStatement } from './statements.ts'

type Holders = ReadonlyMap<string, StakeHolder>

/** What a commit is decided on. */
export interface Found {
  readonly end: Row
  readonly states: readonly Row[]
  readonly facts: CommitFacts
}

/**
 * Rejects with StoreUnavailable only where nothing was written, or where that cannot be found out.
 * `deciding` is told of each decision, with what it was made on.
 */
export async function commit<T>(
  database: Database,
  asked: Commit<T>,
  deciding: (decided: Decided<T>, found: Found) => void = () => {},
): Promise<T> {
  let decided: Decided<T> | undefined
  const work = (): Work<T> =>
    commitSteps(asked, (latest, found) => {
      decided = latest
      deciding(latest, found)
    })
  return outcomeOf(database, database.transact(work), () => decided)
}

function* commitSteps<T>(
  asked: Commit<T>,
  deciding: (decided: Decided<T>, found: Found) => void,
): Work<T> {
  const found = yield* lockAndRead(asked.reads)
  const decided = decideOn(asked, found)
  deciding(decided, found)
  const { writes, result } = decided
  const states = [...found.states, ...(yield* unread(writes, found.states))]
  yield* write(writes, { ...found, states })
  return result
}

/** Throws what `decide` throws, and where it writes what cannot be stored. */
export function decideOn<T>({ decide }: Commit<T>, { end, facts }: Found): Decided<T> {
  const { writes, result } = decide(facts)
  storableWrites(writes)
  return { writes, end: endAfter(writes, end), result }
}

/** What is read after the lock was taken stays so until the commit: only commits write it. */
function* lockAndRead(reads: CommitReads): Work<Found> {
  const [ends = [], ...rows] = yield* together([
    { statement: CONTRACTS.lockLedgerEnd, values: [reads.seen ?? 0n] },
    ...readingCalls(reads),
  ])
  return foundIn(theOne(ends), rows)
}

/** What a commit asks for beside the ledger end. */
export function readingCalls({ contractIds, commandKeys, facts }: CommitReads): readonly Call[] {
  const kinds = [...Map.groupBy(facts, (fact) => fact.kind)]
  return [
    { statement: CONTRACTS.states, values: [contractIds] },
    { statement: CONTRACTS.commandsAmong, values: [commandKeys] },
    ...kinds.map(([kind, wanted]) => ({
      statement: CONTRACTS.factsAmong,
      values: [kind, wanted.map(({ key }) => key)],
    })),
  ]
}

/** What those calls answered; of rows that are the same one's the last counts. */
export function foundIn(end: Row, [states = [], commands = [], ...known]: Answers): Found {
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

/** The contracts that are archived and were not read before. */
function* unread({ archives }: CommitWrites, states: readonly Row[]): Work<readonly Row[]> {
  const read = new Set(states.map((row) => textOf(row, 'contract_id')))
  const others = archives.map(({ contractId }) => contractId).filter((id) => !read.has(id))
  return others.length === 0 ? [] : yield* call(CONTRACTS.states, others)
}

/** Of the contracts that are archived, by id. */
function holdersOf({ archives }: CommitWrites, states: readonly Row[]): Holders {
  const rows = new Map(states.map((row) => [textOf(row, 'contract_id'), row]))
  return new Map(
    archives.flatMap(({ contractId }) => {
      const row = rows.get(contractId)
      return row === undefined ? [] : [[contractId, stakeHolderOf(row)]]
    }),
  )
}

/**
 * Where a contract is touched that was not seen to be there, the commit waits for the count of
 * those that were. `first` goes before.
 */
export function* write(
  writes: CommitWrites,
  { end, states, facts }: Found,
  first: readonly Step[] = [],
): Work<void> {
  const touching = touchingSteps(writes)
  const moving = moveEnd(writes, end)
  const others = [
    ...first,
    ...insertSteps(writes, end),
    ...snapshotSteps(writes, holdersOf(writes, states)),
    ...moving,
  ]
  const answers = yield* together([...others, ...touching], areThere(writes, facts.states))
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
 * What past and present snapshots go by. A contract that is not there is found out by
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
      logs.map(({ log, owner, id, body }, index) => [line + BigInt(index), log, owner, id, body]),
    ],
    [BULK.putFacts, facts.map(({ kind, key, body }) => [kind, key, body])],
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

const END_COLUMNS = ['last_offset', 'last_sequence', 'last_log_line'] as const

function moveEnd(writes: CommitWrites, end: Row): readonly Step[] {
  const { updates, creates, logs } = writes
  if (updates.length + creates.length + logs.length === 0) return []
  const after = endAfter(writes, end)
  const values = ['last_offset', 'record_time', 'last_sequence', 'last_log_line'].map((column) =>
    int64Of(after, column),
  )
  const before = END_COLUMNS.map((column) => int64Of(end, column))
  return [{ statement: CONTRACTS.moveLedgerEnd, values: [...values, ...before] }]
}

function endAfter({ updates, creates, logs }: CommitWrites, end: Row): Row {
  const { offset, recordTime } = updates.at(-1) ?? ledgerEndOf(end)
  return {
    last_offset: offset,
    record_time: recordTime,
    last_sequence: int64Of(end, 'last_sequence') + BigInt(creates.length),
    last_log_line: int64Of(end, 'last_log_line') + BigInt(logs.length),
  }
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
