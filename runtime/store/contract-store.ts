// Contracts, projections and the one door for writes of the ledger: types only; store.ts has the
// rules that hold for every method. A store keeps what it is given and knows no template.
// docs/ledger-rules.md, "Commits"

/** A contract as it is kept for good: content never changes, its state does. */
export interface ContractRecord {
  readonly contractId: string
  /** `<package id>:<Module>:<Entity>` of the version that it was written with. */
  readonly templateId: string
  readonly packageName: string
  /** JSON text, canonical: spliced into answers as it is. */
  readonly payload: string
  readonly signatories: readonly string[]
  /** Observers, without those who sign. */
  readonly observers: readonly string[]
  /** Effective time of its creation, microseconds. */
  readonly createdAt: bigint
  /**
   * Under which it is found while it is active; '' where the template has no such key, and finds
   * nothing. At most 1,000 bytes, as every id, owner and key of a store is.
   */
  readonly key1: string
  readonly key2: string
  readonly key3: string
  /**
   * Orders contracts within a key: an amount, a time, a number; not negative, at most 38 digits.
   */
  readonly rank: bigint
}

/** A contract with where it stands. */
export interface ContractState {
  readonly contract: ContractRecord
  readonly createdOffset: bigint
  /** 0 while it is active. */
  readonly archivedOffset: bigint
  /** '' while it is in flight between synchronizers. docs/ledger-rules.md, "Assignment" */
  readonly synchronizerId: string
}

/** The columns by which contracts are found. */
export type KeyName = 'key1' | 'key2' | 'key3'

/** A page of active contracts of one template. Without `key`: all of them. */
export interface ActiveQuery {
  /**
   * `<package name>:<Module>:<Entity>` (`templateOf` in rules.ts): contracts of every version of
   * the package.
   */
  readonly template: string
  readonly key?: { readonly name: KeyName; readonly value: string }
  /**
   * `created`: oldest first. Ties, and equal ranks, go by creation in the direction of the order.
   */
  readonly order: 'created' | 'created-desc' | 'rank' | 'rank-desc'
  /** Only ranks up to and including this one. */
  readonly maxRank?: bigint
  /** Position of the last contract seen, exclusive. */
  readonly after?: ActivePosition
  readonly limit: number
}

/** The contract after which a page goes on. */
export interface ActivePosition {
  readonly rank: bigint
  /** The same as in `ActiveContract`. */
  readonly sequence: bigint
}

/** A contract that is active, and where it is. */
export interface ActiveContract {
  readonly contract: ContractRecord
  readonly synchronizerId: string
  /** Rises with every contract created; unique. */
  readonly sequence: bigint
}

/** Values of a key that active contracts of one template have. */
export interface KeysQuery {
  readonly template: string
  readonly name: KeyName
  /** The last value seen, exclusive; '' is the start. */
  readonly after: string
  readonly limit: number
}

/** Active contracts of one template under a key, counted up to `limit`. */
export interface CountQuery {
  readonly template: string
  readonly key: { readonly name: KeyName; readonly value: string }
  readonly limit: number
}

/** Active contracts of one template of which each party is a stakeholder, counted up to `limit`. */
export interface StakesQuery {
  readonly template: string
  readonly parties: readonly [string] | readonly [string, string]
  readonly limit: number
}

/** A page of what was active right after an offset, oldest first. */
export interface SnapshotQuery {
  readonly offset: bigint
  /** The same as in `ActiveQuery`; empty: all of them. */
  readonly templates: readonly string[]
  /** Empty: everybody's; else contracts of which one of them is a signatory or an observer. */
  readonly parties: readonly string[]
  /** Sequence of the last one seen, exclusive; 0 is the start. */
  readonly after: bigint
  readonly limit: number
}

/**
 * A sum that is kept with every commit: of what active contracts declare under a name for an
 * account.
 */
export interface Total {
  readonly amount: bigint
  readonly count: bigint
}

/** The place at which a total is kept. */
export interface TotalKey {
  readonly name: string
  readonly account: string
}

/**
 * A row of what is kept of amounts that grow by a rate with every position, such as a round, from
 * one position on and until they reach a limit: `all` of them as if they grew everywhere, with `at`
 * 0; those that grow only `since` a position; those that grow only `until` one.
 */
export interface AccrualKey extends TotalKey {
  readonly part: 'all' | 'since' | 'until'
  /** Not negative. */
  readonly at: bigint
}

/**
 * The amounts that a row adds to the sum: `amount` at `at`, and `rate` more with every position.
 */
export interface Accrual {
  readonly amount: bigint
  readonly rate: bigint
  /** Contracts that are in it. */
  readonly count: bigint
}

/** The question for what decides a sum at a position. */
export interface AccrualQuery extends TotalKey {
  readonly at: bigint
}

/** One line of a party's log, such as its history. */
export interface LogRecord {
  readonly log: string
  readonly owner: string
  /** Unique within log and owner. */
  readonly id: string
  /** JSON text. */
  readonly body: string
}

/** A page of an owner's log, newest first. */
export interface LogQuery {
  readonly log: string
  readonly owner: string
  /** Id of the last line seen, exclusive; '' is the start. An unknown one gives an empty page. */
  readonly after: string
  readonly limit: number
}

/** A fact that the latest write of its kind and key says. */
export interface FactRecord {
  readonly kind: string
  readonly key: string
  /** JSON text. */
  readonly body: string
}

/** A fact as a commit writes it. */
export interface PrunableFact extends FactRecord {
  /** Offset of the update with which it is pruned; absent: pruning leaves it. */
  readonly prunedWith?: bigint
}

/** The name by which a fact is found. */
export type FactName = Omit<FactRecord, 'body'>

/** An update as it is written. */
export interface UpdateRecord {
  readonly offset: bigint
  readonly updateId: string
  /** Microseconds. Strictly rises with the offset. */
  readonly recordTime: bigint
  /** JSON text, for the contract engine alone to read. */
  readonly body: string
}

/** Updates after an offset that one of the parties sees, bounded as `updatesAfter` is. */
export interface SeenQuery {
  readonly parties: readonly string[]
  readonly after: bigint
  /** Nobody asks for what comes after it, so a store may stop there; absent: the end. */
  readonly until?: bigint
  readonly limit: number
  readonly maxBytes?: number
}

export interface SeenUpdates {
  /** Updates in order; those that none of the parties sees may be among them. */
  readonly updates: readonly UpdateRecord[]
  /** Up to this offset, which is at least that of the last update, there are no more. */
  readonly upTo: bigint
}

/** A command as it is found again while it counts as done. */
export interface CommandRecord {
  readonly key: string
  readonly updateId: string
  readonly offset: bigint
  /** Microseconds of record time; afterwards the key is free. */
  readonly keptUntil: bigint
}

/** The last update; offset 0 when there is none. */
export interface LedgerEnd {
  readonly offset: bigint
  /** Record time of the last update, 0 when there is none. */
  readonly recordTime: bigint
}

/** The history as of one moment. docs/decisions/0025-one-history.md */
export interface History {
  readonly end: LedgerEnd
  /** Id of the last update; undefined where there is none, or it is pruned. */
  readonly last: string | undefined
  /** Id of the update at the offset that was asked for; undefined where none is kept. */
  readonly seen: string | undefined
  /** The time of the store's own clock, as in `CommitFacts`. */
  readonly now: bigint
}

/**
 * The rows that a commit looks at before it decides. Ids that are not there are absent from the
 * maps.
 */
export interface CommitReads {
  /** The offset whose update `CommitFacts.seen` names; absent: none. */
  readonly seen?: bigint
  readonly contractIds: readonly string[]
  readonly commandKeys: readonly string[]
  readonly facts: readonly FactName[]
}

/** The rows that were read for a commit, and when. */
export interface CommitFacts {
  readonly end: LedgerEnd
  /** Id of the update at the offset that was asked for; absent where none is kept. */
  readonly seen?: string | undefined
  /**
   * What the store's own clock shows once the ledger end is locked, microseconds since 1970: of a
   * database its server's, which all servers of a deployment share, else this machine's.
   */
  readonly now: bigint
  /** States by contract id; of contracts that are kept. */
  readonly states: ReadonlyMap<string, Omit<ContractState, 'contract'>>
  /** Commands by key. */
  readonly commands: ReadonlyMap<string, CommandRecord>
  /** Body by `kind`, then `key`. */
  readonly facts: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/**
 * The synchronizer of a contract from an offset on, '' in flight. docs/ledger-rules.md,
 * "Assignment"
 */
export interface Assignment {
  readonly contractId: string
  readonly offset: bigint
  readonly synchronizerId: string
}

/** Everything that one commit writes; empty lists write nothing. */
export interface CommitWrites {
  /** Offsets follow the ledger end without a gap. */
  readonly updates: readonly (UpdateRecord & {
    /** The parties for which `updatesSeenBy` finds it; absent: nobody. */
    readonly seenBy?: readonly string[]
  })[]
  /**
   * Contracts in the order of their creation, each id new; one that an update of the same commit
   * archives says so.
   */
  readonly creates: readonly ContractState[]
  /** Archives of contracts that were there before this commit, each once. */
  readonly archives: readonly { readonly contractId: string; readonly offset: bigint }[]
  /** Moves in order; those of one contract at offsets that rise. */
  readonly assignments: readonly Assignment[]
  /** Each key once; takes the place of an older command under it. */
  readonly commands: readonly CommandRecord[]
  /** Added to the totals; each key once. */
  readonly totals: readonly (TotalKey & Total)[]
  /** Added to the rows; each key once. A row whose count becomes 0 is no more. */
  readonly accruals: readonly (AccrualKey & Accrual)[]
  /**
   * Lines in order; the last line of an owner's log is its newest. Each is pruned with the update
   * at its offset; offsets never fall.
   */
  readonly logs: readonly (LogRecord & { readonly offset: bigint })[]
  /** Each kind and key once. */
  readonly facts: readonly PrunableFact[]
}

/**
 * `decide` is pure and synchronous, and may be called again with fresher facts before the commit
 * succeeds.
 */
export interface Commit<T> {
  readonly reads: CommitReads
  decide(facts: CommitFacts): { readonly writes: CommitWrites; readonly result: T }
}

/** Contracts, and what each commit writes along with them. */
export interface ContractStore {
  /**
   * One transaction: locks the ledger end, so that one commit is in flight in the whole deployment,
   * reads, asks `decide`, writes all or nothing. Rejects with a `StoreConflict` (rules.ts) where an
   * archived contract was not active, with a `CommitRejected` where there is not exactly one ledger
   * end to move, and with what `decide` throws. Resolves when the writes are durable.
   */
  commit<T>(commit: Commit<T>): Promise<T>
  ledgerEnd(): Promise<LedgerEnd>
  /** Whether an update that was seen once is still where it was. */
  history(offset: bigint): Promise<History>
  /**
   * The contracts that are kept, in any order, active or not; of contracts whose archive is pruned
   * none, some or all.
   */
  byIds(contractIds: readonly string[]): Promise<readonly ContractState[]>
  active(query: ActiveQuery): Promise<readonly ActiveContract[]>
  /**
   * Each value once, '' never, in an order of the store's own that stays the same. Costs what it
   * answers, however many contracts have one value.
   */
  keys(query: KeysQuery): Promise<readonly string[]>
  /** Reads no contract; `limit` where there are as many or more. */
  count(query: CountQuery): Promise<number>
  /** Reads no contract; `limit` where there are as many or more. */
  countStakes(query: StakesQuery): Promise<number>
  /**
   * Also those archived since, each with the synchronizer that it was on right after the offset.
   * Rejects with a `SnapshotPruned` (rules.ts) where the offset is below what is pruned.
   * Costs in proportion to the contracts that the parties had at once, however many they archived
   * or others have.
   */
  snapshot(
    query: SnapshotQuery,
  ): Promise<readonly (ActiveContract & { readonly createdOffset: bigint })[]>
  /** Zeros where nothing was ever declared. */
  total(key: TotalKey): Promise<Total>
  /**
   * Rows as of one moment and in any order: the row `all`, those `since` a position after `at`, and
   * those `until` one up to and including it.
   */
  accruals(query: AccrualQuery): Promise<readonly (AccrualKey & Accrual)[]>
  /** Newest first. */
  log(query: LogQuery): Promise<readonly LogRecord[]>
  fact(kind: string, key: string): Promise<FactRecord | undefined>
  /** Facts by the bytes of their keys, after `after` ('' is the start). */
  facts(kind: string, after: string, limit: number): Promise<readonly FactRecord[]>
  command(key: string): Promise<CommandRecord | undefined>
  /**
   * Updates after an offset, in order; without those that are pruned. With `maxBytes` it ends
   * before the update whose body would make all bodies together larger than that; the first one is
   * always among them.
   */
  updatesAfter(offset: bigint, limit: number, maxBytes?: number): Promise<readonly UpdateRecord[]>
  /**
   * Costs in proportion to what it answers, whatever others do: but of updates that were written
   * before the store knew who sees them, and of very many parties.
   */
  updatesSeenBy(query: SeenQuery): Promise<SeenUpdates>
  /** The last update whose record time is at most `recordTime`; undefined where it is pruned. */
  updateAt(recordTime: bigint): Promise<Omit<UpdateRecord, 'body'> | undefined>
  /** Forgets commands that were kept until before `recordTime`. */
  forgetCommands(keptUntil: bigint): Promise<void>
  /**
   * Forgets every fact of the kinds from `from` until before `to`, by their bytes. Costs what it
   * forgets, and others have their turns in between.
   */
  forgetFacts(from: string, to: string): Promise<void>
}
