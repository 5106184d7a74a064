// What a storage plugin may offer besides its store, for operators: the state of its schema,
// backup, restore, and all of the ledger's rows for who checks them. Types only.
// docs/decisions/0006-backup.md
import type { Readable, Writable } from 'node:stream'
import type {
  Accrual,
  AccrualKey,
  ContractState,
  FactRecord,
  LedgerEnd,
  Total,
  TotalKey,
  UpdateRecord,
} from './contract-store.ts'

/** Names of schema changes, oldest first. */
export interface SchemaState {
  /** `none`: there is nothing yet. `newer`: a later version of the program wrote it. */
  readonly state: 'none' | 'current' | 'older' | 'newer'
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/** One table of a backup. */
export interface BackupTableSummary {
  readonly name: string
  readonly rows: number
  /**
   * Hash of its rows as they stand in the backup, hexadecimal: the same for the same rows, whatever
   * database they were in.
   */
  readonly sha256: string
}

/** The content of a backup, table by table. */
export interface BackupSummary {
  /** Last schema change of the storage that it was taken from. */
  readonly schema: string
  readonly tables: readonly BackupTableSummary[]
}

/** The label that a backup has. */
export interface BackupLabel {
  /** Version of the program that takes the backup. */
  readonly product: string
  /** RFC 3339. */
  readonly taken: string
}

/**
 * A row that is not what its table takes, or, as the last one, what keeps the rest from being read.
 */
export interface Unreadable {
  /** One line that names the row and what is wrong with it. */
  readonly unreadable: string
  /** There is more that cannot be read. */
  readonly isCut?: true
}

/**
 * The ledger as of one moment, for who checks it. Lists are read one at a time, each to its end and
 * as often as asked, and a few megabytes of them are in memory however long they are. Damage is
 * told in them; they reject where the data cannot be reached.
 */
export interface LedgerInspection {
  /**
   * Faults that the storage finds in itself and in what the lists below leave out, a line each.
   */
  faults(): AsyncIterable<string>
  /** The ledger's end, or what is wrong where there is not one such row. */
  end(): Promise<(LedgerEnd & { readonly prunedUpTo: bigint }) | Unreadable>
  /** Updates by offset; those that are pruned may be among them until they are deleted. */
  updates(): AsyncIterable<UpdateRecord | Unreadable>
  /** Contracts in the order of their creation, archived ones too. */
  contracts(): AsyncIterable<ContractState | Unreadable>
  totals(): AsyncIterable<(TotalKey & Total) | Unreadable>
  accruals(): AsyncIterable<(AccrualKey & Accrual) | Unreadable>
}

/** The size of a table, and of what a pruning would delete. */
export interface TableSize {
  readonly name: string
  readonly rows: number
  /** Bytes with its indexes. */
  readonly bytes: number
  readonly prunableRows: number
  /** An estimate, by the share of rows. */
  readonly prunableBytes: number
}

/** The sizes of a storage. */
export interface StorageSizes {
  /** The offset up to which a pruning is reckoned. */
  readonly pruneUpTo: bigint
  /** Largest first. */
  readonly tables: readonly TableSize[]
}

/**
 * Every method rejects with an Error of one line, without passwords, where the data cannot be used.
 */
export interface StorageMaintenance {
  /** Place of the data, one line without a password. */
  readonly location: string
  /** Reads only: creates nothing. */
  schema(): Promise<SchemaState>
  /**
   * Brings the schema up to date, in one transaction; answers the names that it applied. Rejects on
   * a newer schema.
   */
  migrate(): Promise<readonly string[]>
  /**
   * Writes all data as of one moment and ends the stream; the store may be in use. Rejects where
   * there is no data.
   */
  backup(to: Writable, label: BackupLabel): Promise<BackupSummary>
  /**
   * Reads a backup into storage that is empty. All or nothing, also when the process is killed:
   * until it resolves nobody sees any of it. Then the schema is up to date.
   *
   * @param facts written in the place of those of the backup, as part of the same
   */
  restore(from: Readable, facts?: readonly FactRecord[]): Promise<BackupSummary>
  /**
   * Reads the beginning of a backup, a small part of the memory at most, ends the stream, and
   * rejects what `restore` would not begin with. Absent where a plugin does not offer it.
   */
  checkBackup?(from: Readable): Promise<void>
  /**
   * Puts a backup in the place of all data; without one the storage is as empty as new. All or
   * nothing, as `restore`; nobody may use the store meanwhile. For development, which takes its
   * network back and begins it anew; absent where a plugin does not offer it.
   *
   * @param facts as of `restore`
   */
  replace?(from?: Readable, facts?: readonly FactRecord[]): Promise<void>
  /**
   * Reads only, and the store may be in use. Rejects where there is none, and where its schema is
   * older. Absent where a plugin does not offer it.
   */
  inspect?<T>(read: (ledger: LedgerInspection) => Promise<T>): Promise<T>
  /**
   * Reads only, and the store may be in use. Absent where a plugin does not offer it.
   *
   * @param keepUpdates the newest updates, which the reckoned pruning leaves
   */
  sizes?(keepUpdates: number): Promise<StorageSizes>
}
