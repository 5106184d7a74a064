// Decides a commit while the one before it is written: on what that one is about to write. Its
// statements follow in one flight, which waits for the lock and looks whether the ledger ends as
// was guessed; where it does not, nothing is written, and it is decided again under the lock.
// docs/decisions/0044-overlap.md
import { storableReads, StoreUnavailable } from '../../runtime/index.ts'
import { commit, decideOn, foundIn, readingCalls, write } from './contract-commit.ts'
import { outcomeOf } from './commit-outcome.ts'
import { AHEAD, FACT_MARK } from './ahead-statements.ts'
import { CONTRACTS } from './contract-statements.ts'
import { int64Of, textOf } from './database.ts'
import type {
  Commit,
  CommitFacts,
  CommitReads,
  CommitWrites,
  ContractState,
  ContractStore,
  FactName,
} from '../../runtime/index.ts'
import type { Decided } from './commit-outcome.ts'
import type { Found } from './contract-commit.ts'
import type { Answers, Call, Database, Row, Step, Work } from './database.ts'

/**
 * How far the database's clock may be from where it was when the guess was read, microseconds: as
 * long as it lets a transaction wait for its next statement.
 */
const GUESS_HOLDS_MICROS = 5_000_000n

/** The commits of a store, one after the other, or each decided while the last is written. */
export function commitsOf(database: Database): Pick<ContractStore, 'commit' | 'commitsAhead'> {
  if (database.commitsAhead !== true) {
    return {
      commit: async (asked) => {
        storableReads(asked.reads)
        return commit(database, asked)
      },
    }
  }
  const lane = new CommitLane(database)
  return { commit: (asked) => lane.commit(asked), commitsAhead: true }
}

/** The guess was wrong, or could not be made. */
class Missed extends Error {
  override readonly name = 'Missed'
}

/** What a commit will have written. */
type Made = Pick<Decided<unknown>, 'end' | 'writes'>

/** A commit under way, for the one behind it. */
class Running {
  readonly #firm = Promise.withResolvers<Made | undefined>()
  readonly #ended = Promise.withResolvers<void>()
  /** One more with each decision, and where one was given up. */
  decisions = 0
  hasEnded = false

  /**
   * What it is about to write, once it has the lock and what it was decided on is there; undefined
   * where nothing can be decided on that.
   */
  get firm(): Promise<Made | undefined> {
    return this.#firm.promise
  }

  /** Resolves when it is over, written or not. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  stand(made: Made | undefined): void {
    this.#firm.resolve(made !== undefined && made.writes.updates.length > 0 ? made : undefined)
  }

  end(): void {
    this.hasEnded = true
    this.stand(undefined)
    this.#ended.resolve()
  }
}

class CommitLane {
  readonly #database: Database
  #last: Running | undefined
  /** The offset at which the last commit of this process leaves the ledger. */
  #offset: bigint | undefined

  constructor(database: Database) {
    this.#database = database
  }

  async commit<T>(asked: Commit<T>): Promise<T> {
    storableReads(asked.reads)
    const before = this.#last
    const own = new Running()
    this.#last = own
    try {
      const guessed =
        before === undefined || before.hasEnded ? undefined : await this.#guess(asked, before, own)
      return guessed === undefined ? await this.#underLock(asked, own) : guessed.result
    } finally {
      own.end()
    }
  }

  /** Undefined where nothing was written, and the commit before is over. */
  async #guess<T>(
    asked: Commit<T>,
    before: Running,
    own: Running,
  ): Promise<{ readonly result: T } | undefined> {
    const made = await before.firm
    const { decisions } = before
    let wasSent = false
    try {
      if (made === undefined) throw new Missed()
      const { found, until } = await readAhead(this.#database, asked.reads, made)
      const decided = decideOn(asked, found)
      const work = function* (): Work<T> {
        if (before.decisions !== decisions) throw new Missed()
        wasSent = true
        yield* write(
          decided.writes,
          found,
          confirming(asked.reads, made, found, () => own.stand(decided)),
        )
        return decided.result
      }
      requireHolders(decided.writes, found)
      own.decisions += 1
      const transaction = this.#database.transact(work)
      const result = await outcomeOf(
        this.#database,
        transaction,
        () => (wasSent ? decided : undefined),
        until,
      )
      this.#offset = int64Of(decided.end, 'last_offset')
      return { result }
    } catch (error) {
      if (wasSent && error instanceof StoreUnavailable) throw error
      own.decisions += 1
      await before.ended
      return undefined
    }
  }

  /** Whoever comes next may guess where no other server has committed since the last time. */
  #underLock<T>(asked: Commit<T>, own: Running): Promise<T> {
    return commit(this.#database, asked, (decided, { facts: { end } }) => {
      own.decisions += 1
      own.stand(end.offset === this.#offset ? decided : undefined)
      this.#offset = int64Of(decided.end, 'last_offset')
    })
  }
}

/**
 * To be called once the commit before has the lock: what is read is then of before or after that
 * commit, and with what it writes laid over it is of after in any case.
 */
async function readAhead(
  database: Database,
  reads: CommitReads,
  { end, writes }: Made,
): Promise<{ readonly found: Found; readonly until: bigint }> {
  const once = ({ statement, values }: Call) => database.once(statement, ...values)
  const [[glance = {}], ...rows] = await Promise.all([
    database.once(AHEAD.glance, reads.seen ?? 0n),
    ...readingCalls(reads).map(once),
  ])
  const read = foundIn({ ...glance, ...end }, laidOver(rows, reads, { end, writes }))
  const found = { ...read, facts: { ...read.facts, isAhead: true as const } }
  return { found, until: found.facts.now + GUESS_HOLDS_MICROS }
}

/** The lock, then what fails where the guess is wrong; `isRight` is called where it is not. */
function confirming(
  reads: CommitReads,
  { end, writes }: Made,
  { facts: { now, facts } }: Found,
  isRight: () => void,
): readonly Step[] {
  const columns = ['last_offset', 'record_time', 'last_sequence', 'last_log_line'] as const
  const values = columns.map((column) => int64Of(end, column))
  const [offset = 0n] = values
  const updateId = writes.updates.at(-1)?.updateId ?? ''
  const bounds = [now - GUESS_HOLDS_MICROS, now + GUESS_HOLDS_MICROS]
  return [
    { statement: CONTRACTS.lockLedgerEnd, values: [offset] },
    {
      statement: AHEAD.confirmLedgerEnd,
      values: [...values, offset, updateId, ...bounds, ...saidBy(facts, reads.facts)],
      answered: isRight,
    },
  ]
}

/** The kinds and keys of what was asked for, and what each says. */
function saidBy(facts: CommitFacts['facts'], asked: CommitReads['facts']): readonly string[][] {
  const said = ({ kind, key }: FactName): string => {
    const body = facts.get(kind)?.get(key)
    return body === undefined ? '' : `${FACT_MARK}${body}`
  }
  return [asked.map(({ kind }) => kind), asked.map(({ key }) => key), asked.map(said)]
}

/** What was read, then what the commit before makes of it: the later row of one thing counts. */
function laidOver(
  [states = [], commands = [], ...facts]: Answers,
  reads: CommitReads,
  { end, writes }: Made,
): Answers {
  const keys = new Set(reads.commandKeys)
  return [
    [...states, ...changedStates(states, new Set(reads.contractIds), { end, writes })],
    [...commands, ...writes.commands.filter(({ key }) => keys.has(key)).map(commandRow)],
    ...facts,
    writes.facts.map(({ kind, key, body }) => ({ kind, fact_key: key, body })),
  ]
}

function commandRow({ key, updateId, offset, keptUntil }: CommitWrites['commands'][number]): Row {
  return { command_key: key, update_id: updateId, ledger_offset: offset, kept_until: keptUntil }
}

function changedStates(
  read: readonly Row[],
  wanted: ReadonlySet<string>,
  { end, writes: { creates, archives, assignments } }: Made,
): readonly Row[] {
  const first = int64Of(end, 'last_sequence') - BigInt(creates.length) + 1n
  const rows = new Map(read.map((row) => [textOf(row, 'contract_id'), row]))
  for (const [index, state] of creates.entries())
    if (wanted.has(state.contract.contractId))
      rows.set(state.contract.contractId, stateRow(state, first + BigInt(index)))
  const change = (contractId: string, columns: Row): void => {
    const row = rows.get(contractId)
    if (row !== undefined) rows.set(contractId, { ...row, ...columns })
  }
  for (const { contractId, offset } of archives) change(contractId, { archived_offset: offset })
  for (const { contractId, synchronizerId } of assignments)
    change(contractId, { synchronizer_id: synchronizerId })
  return [...rows.values()]
}

/** As `CONTRACTS.states` would answer it. */
function stateRow(state: ContractState, sequence: bigint): Row {
  const { contractId, templateId, packageName, signatories, observers } = state.contract
  return {
    contract_id: contractId,
    created_offset: state.createdOffset,
    archived_offset: state.archivedOffset,
    synchronizer_id: state.synchronizerId,
    sequence,
    template_id: templateId,
    package_name: packageName,
    signatories: JSON.stringify(signatories),
    observers: JSON.stringify(observers),
  }
}

/** Under the lock, those that were not asked for are read then. */
function requireHolders({ archives }: CommitWrites, { facts: { states } }: Found): void {
  if (!archives.every(({ contractId }) => states.has(contractId))) throw new Missed()
}
