// The one transaction that writes the ledger: lock the ledger end, read, decide, write. Every list is one call, so
// PostgreSQL needs a bounded number of statements, and SQLite little more than its own work on the rows.
import { factsByKind, storableReads, storableWrites, StoreConflict, StoreUnavailable } from '../../runtime/index.ts'
import { commandOf, factOf, ledgerEndOf, rankText, stateOf, templateHash } from './contract-rows.ts'
import { BULK, CONTRACTS } from './contract-statements.ts'
import { bulk, call, ConstraintViolated, int64Of, textOf, touched } from './database.ts'
import { forMs, retry } from './retry.ts'
import type { Commit, CommitFacts, CommitReads, CommitWrites, ContractState } from '../../runtime/index.ts'
import type { BulkValue, Database, Row, Work } from './database.ts'

/** How long to ask whether a commit was written whose answer was lost. */
const RESOLVE_MS = 10_000

interface Decided<T> {
  readonly updateId: string | undefined
  readonly result: T
}

/** Rejects with StoreUnavailable only where nothing was written, or where that cannot be found out. */
export async function commit<T>(database: Database, asked: Commit<T>): Promise<T> {
  storableReads(asked.reads)
  let decided: Decided<T> | undefined
  const work = (): Work<T> => commitSteps(asked, (latest) => {
    decided = latest
  })
  try {
    return await database.transact(work)
  } catch (error) {
    if (error instanceof ConstraintViolated) throw new StoreConflict('An id is there already', { cause: error })
    if (decided !== undefined && error instanceof StoreUnavailable && await isWritten(database, decided.updateId)) {
      return decided.result
    }
    throw error
  }
}

function* commitSteps<T>({ reads, decide }: Commit<T>, deciding: (decided: Decided<T>) => void): Work<T> {
  const [end = {}] = yield* call(CONTRACTS.lockLedgerEnd)
  const { writes, result } = decide(yield* readFacts(end, reads))
  storableWrites(writes)
  deciding({ updateId: writes.updates[0]?.updateId, result })
  yield* write(writes, end)
  return result
}

function* readFacts(end: Row, { contractIds, commandKeys, facts }: CommitReads): Work<CommitFacts> {
  const states = contractIds.length === 0 ? [] : yield* call(CONTRACTS.states, JSON.stringify(contractIds))
  const commands = commandKeys.length === 0 ? [] : yield* call(CONTRACTS.commandsAmong, JSON.stringify(commandKeys))
  const known: Row[] = []
  for (const [kind, wanted] of Map.groupBy(facts, (fact) => fact.kind)) {
    known.push(...yield* call(CONTRACTS.factsAmong, kind, JSON.stringify(wanted.map(({ key }) => key))))
  }
  return {
    end: ledgerEndOf(end),
    states: new Map(states.map((row) => [textOf(row, 'contract_id'), stateOf(row)])),
    commands: new Map(commands.map((row) => [textOf(row, 'command_key'), commandOf(row)])),
    facts: factsByKind(known.map(factOf)),
  }
}

function* write(writes: CommitWrites, end: Row): Work<void> {
  const { updates, creates, archives, assignments, commands, totals, logs, facts } = writes
  const sequence = int64Of(end, 'last_sequence') + 1n
  const line = int64Of(end, 'last_line') + 1n
  yield* bulk(BULK.insertUpdates, updates.map(({ offset, updateId, recordTime, body }) =>
    [offset, updateId, recordTime, body]))
  yield* bulk(BULK.insertContracts, creates.map((state, index) => contractRow(state, sequence + BigInt(index))))
  requireAll(archives, yield* bulk(BULK.archiveContracts, archives.map(({ contractId, offset }) =>
    [offset, contractId])))
  requireAll(assignments, yield* bulk(BULK.assignContracts, assignments.map((each) =>
    [each.synchronizerId, each.contractId])))
  yield* bulk(BULK.addTotals, totals.map(({ name, account, amount, count }) => [name, account, String(amount), count]))
  yield* bulk(BULK.insertLines, logs.map(({ log, owner, id, body }, index) =>
    [line + BigInt(index), log, owner, id, body]))
  yield* bulk(BULK.putFacts, facts.map(({ kind, key, body }) => [kind, key, body]))
  yield* bulk(BULK.putCommands, commands.map(({ key, updateId, offset, keptUntil }) =>
    [key, updateId, offset, keptUntil]))
  yield* moveEnd(writes, end)
}

function* moveEnd({ updates, creates, logs }: CommitWrites, end: Row): Work<void> {
  if (updates.length + creates.length + logs.length === 0) return
  const { offset, recordTime } = updates.at(-1) ?? ledgerEndOf(end)
  const sequence = int64Of(end, 'last_sequence') + BigInt(creates.length)
  yield* call(CONTRACTS.moveLedgerEnd, offset, recordTime, sequence, int64Of(end, 'last_line') + BigInt(logs.length))
}

function contractRow(state: ContractState, sequence: bigint): readonly BulkValue[] {
  const { contract, createdOffset, archivedOffset, synchronizerId } = state
  const { contractId, templateId, packageName, payload, signatories, observers, createdAt } = contract
  return [sequence, contractId, templateHash(templateId), contract.key1, contract.key2, contract.key3,
    rankText(contract.rank), createdOffset, archivedOffset, synchronizerId, createdAt, templateId, packageName,
    JSON.stringify(signatories), JSON.stringify(observers), payload]
}

/** Somebody archived one of them before. */
function requireAll(wanted: readonly unknown[], touched: number): void {
  if (touched !== wanted.length) throw new StoreConflict('A contract is not active or not there')
}

/**
 * Waits for the end of whatever commit holds the ledger end, hence of the one whose connection was lost, then looks for
 * its first update. A batch without updates cannot be told apart: it counts as lost.
 */
async function isWritten(database: Database, updateId: string | undefined): Promise<boolean> {
  if (updateId === undefined) return false
  const look = () => database.transact(function* () {
    yield* call(CONTRACTS.lockLedgerEnd)
    return touched(yield* call(CONTRACTS.isWritten, updateId))
  })
  return retry(look, forMs(RESOLVE_MS, (error) => error instanceof StoreUnavailable))
}
