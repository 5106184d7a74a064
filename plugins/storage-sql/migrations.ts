// The schema as knex migrations, listed here and not read from files, so that they are the same
// from source and from a package. knex is loaded only when something is to be migrated.
import { forMs, retry } from './retry.ts'
import { createSchema } from './schema.ts'
import type { Knex } from 'knex'

interface Migration {
  readonly name: string
  up(knex: Knex): Promise<void>
  /** Never called; knex asks for the function. */
  down(): Promise<never>
}

const down = (): Promise<never> =>
  Promise.reject(new Error('a schema goes back by restoring a backup'))

const MIGRATIONS: readonly Migration[] = [{ name: '0001-schema', up: createSchema, down }]

/** All names, oldest first. */
export const SCHEMA_NAMES: readonly string[] = MIGRATIONS.map((migration) => migration.name)

const SOURCE: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => migration,
}

/** knex's own table of what has been applied. */
export const MIGRATIONS_TABLE = 'schema_migrations'

/** Milliseconds that a process waits for another one that is migrating. */
const WAIT_MS = 30_000

/** The state of applied names against this program: 'newer' schemas must not be touched. */
export function schemaState(applied: readonly string[]): 'current' | 'older' | 'newer' {
  if (applied.some((name) => !SCHEMA_NAMES.includes(name))) return 'newer'
  return SCHEMA_NAMES.every((name) => applied.includes(name)) ? 'current' : 'older'
}

/** Data that is not used as it was to be, and why; the message reads on from "it". */
export class StorageRejected extends Error {
  override readonly name = 'StorageRejected'
}

/** Ends a start on a schema that a later version of this program wrote. */
export function refuseNewerSchema(applied: readonly string[]): never {
  const last = applied.toSorted().at(-1)
  throw new StorageRejected(
    `it was written by a newer version of this program (schema ${last}); use that one`,
  )
}

/**
 * Brings the schema up to date in one transaction. Safe to run from several processes at once: one
 * migrates, `isTransient` tells which errors of the others mean "try again".
 */
export async function migrate(
  config: Knex.Config,
  isTransient: (error: unknown) => boolean,
): Promise<void> {
  const { default: knex } = await import('knex')
  const database = knex({ ...config, log: SILENT })
  try {
    await retry(
      () => database.transaction(migrateWithin),
      forMs(WAIT_MS, (error) => isTransient(error) || isLockError(error)),
    )
  } finally {
    await database.destroy()
  }
}

/** Applies what is missing, as a part of the caller's transaction. */
export async function migrateWithin(transaction: Knex.Transaction): Promise<void> {
  await transaction.migrate.latest({ tableName: MIGRATIONS_TABLE, migrationSource: SOURCE })
}

/** knex says much about what it does. */
export const SILENT = { warn() {}, error() {}, debug() {}, deprecate() {} }

/** knex wraps whatever kept it from its lock row, and drops the code. */
function isLockError(error: unknown): boolean {
  return error instanceof Error && error.name === 'MigrationLocked'
}
