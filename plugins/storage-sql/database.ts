// What the two databases have in common, so that the store is written once. A transaction is a
// generator that yields its steps: SQLite runs it in one synchronous turn, PostgreSQL awaits each
// flight. Nothing else may be awaited inside.
import type { BulkStatement, Statement } from './statements.ts'

/** A list stands for `{texts}` in a statement. */
export type Value = string | bigint | number | boolean | Uint8Array | readonly string[]
export type Row = Readonly<Record<string, unknown>>

interface Call {
  readonly statement: Statement
  readonly values: readonly Value[]
}

export type BulkValue = string | bigint | number

/** One statement for many rows; answers one row, how many it `touched`. */
export interface Bulk {
  readonly statement: BulkStatement
  readonly rows: readonly (readonly BulkValue[])[]
}

export type Step = Call | Bulk

/** Steps that depend on no answer of each other: they share one way to the database and back. */
export interface Pipelined {
  readonly steps: readonly Step[]
  /** The commit goes along: once they are answered, nothing can be undone. */
  readonly isLast: boolean
}

/** The rows that each step of a flight answers. */
export type Answers = readonly (readonly Row[])[]

/**
 * The flights of one transaction; it may run again from the start when the database asks for a
 * retry.
 */
export type Work<T> = Generator<Pipelined, T, Answers>

export interface Database {
  /** One statement, a transaction of its own. Answers its rows. */
  once(statement: Statement, ...values: readonly Value[]): Promise<readonly Row[]>
  /** All calls of `work` in one transaction; rolled back when it throws. */
  transact<T>(work: () => Work<T>): Promise<T>
  /** The guard of `Store.guard`: absent if there is one connection only. */
  guard?(check: (once: Database['once']) => Promise<void>): void
  /** Whether it answers, however busy it is with what others asked for. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** A write that the schema refused: the store turns it into the answer that fits. */
export class ConstraintViolated extends Error {
  override readonly name = 'ConstraintViolated'
  readonly constraint: 'unique' | 'foreign-key'

  constructor(constraint: 'unique' | 'foreign-key', options: ErrorOptions) {
    super(`A ${constraint} constraint refused the write`, options)
    this.constraint = constraint
  }
}

/**
 * A statement that must touch exactly one row touched another number of them. Nothing is written.
 */
export class NotOneRow extends Error {
  override readonly name = 'NotOneRow'
}

/**
 * A foreign key refused the identity provider of what was written: it is not there, or went away
 * meanwhile.
 */
export async function unlessProviderIsMissing<T>(
  written: Promise<T>,
): Promise<T | 'unknown-provider'> {
  return orOnForeignKey(written, 'unknown-provider')
}

/** The result of `written`, or `answer` if a foreign key refused it. */
export async function orOnForeignKey<T, A extends string>(
  written: Promise<T>,
  answer: A,
): Promise<T | A> {
  try {
    return await written
  } catch (error) {
    if (error instanceof ConstraintViolated && error.constraint === 'foreign-key') return answer
    throw error
  }
}

/** One call inside a transaction: `const rows = yield* call(statement, value)`. */
export function* call(statement: Statement, ...values: readonly Value[]): Work<readonly Row[]> {
  const [rows = []] = yield { steps: [{ statement, values }], isLast: false }
  return rows
}

/** Steps inside a transaction; with `isLast` the transaction ends with them. */
export function* together(steps: readonly Step[], isLast = false): Work<Answers> {
  return yield { steps, isLast }
}

/** Reads one column as text; throws where the schema is not what the statement expects. */
export function textOf(row: Row, column: string): string {
  const value = row[column]
  if (typeof value === 'string') return value
  throw new TypeError(`Column ${column} is not text`)
}

/** Reads a boolean: PostgreSQL's own, or SQLite's 0 and 1. */
export function flagOf(row: Row, column: string): boolean {
  const value = row[column]
  if (typeof value === 'boolean') return value
  return int64Of(row, column) === 1n
}

/** Reads an int64 without loss: SQLite hands out bigint, PostgreSQL text. */
export function int64Of(row: Row, column: string): bigint {
  const value = row[column]
  if (typeof value === 'bigint' || typeof value === 'string') return BigInt(value)
  throw new TypeError(`Column ${column} is not an integer`)
}

/** Reads bytes. */
export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column]
  if (value instanceof Uint8Array) return value
  throw new TypeError(`Column ${column} is not bytes`)
}

export function touched(rows: readonly Row[]): boolean {
  return rows.length > 0
}

export const INT64_MAX = 9_223_372_036_854_775_807n

/** False for what no column holds: a database must never see it. */
export function fitsInt64(value: bigint): boolean {
  return value >= -INT64_MAX - 1n && value <= INT64_MAX
}

/** The nearest value that a column holds. */
export function clamped(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < -INT64_MAX ? -INT64_MAX : value
}

/** True where a record may have this version, and may get the next one. */
export function nextVersionFits(version: bigint): boolean {
  return version >= 0n && version < INT64_MAX
}
