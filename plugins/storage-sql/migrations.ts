// The schema as knex migrations, listed here and not read from files, so that they are the same
// from source and from a package. knex is loaded only when something is to be migrated.
import { ACCRUALS_SCHEMA, createAccruals, dropAccruals } from './accrual-schema.ts'
import { createContractTables, dropContractTables, shapeBodies } from './contract-schema.ts'
import { databaseKind, isPostgres } from './database-kind.ts'
import { createAll } from './fresh-schema.ts'
import { orderLines, orderLinesByOwner } from './line-schema.ts'
import { createNotes, dropNotes, NOTES_SCHEMA } from './note-schema.ts'
import { findPruned, forgetPruned, PRUNING_SCHEMA } from './prune-schema.ts'
import { forMs, retry } from './retry.ts'
import { createSnapshotTables, dropSnapshotTables, SNAPSHOTS_SCHEMA } from './snapshot-schema.ts'
import { keyById, keyByName, TEMPLATES_SCHEMA } from './template-schema.ts'
import type { Knex } from 'knex'

interface Migration {
  readonly name: string
  up(knex: Knex): Promise<void>
  down(knex: Knex): Promise<void>
}

const MIGRATIONS: readonly Migration[] = [
  { name: '0001-users-rights-providers', up: createFirstTables, down: dropFirstTables },
  { name: '0002-parties-packages-updates', up: createSecondTables, down: dropSecondTables },
  { name: '0003-contracts', up: createContractTables, down: dropContractTables },
  { name: '0004-leases', up: createLeases, down: dropLeases },
  { name: '0005-compression', up: shapeBodies, down: async () => {} },
  { name: '0006-wallets', up: createWallets, down: dropWallets },
  { name: SNAPSHOTS_SCHEMA, up: createSnapshotTables, down: dropSnapshotTables },
  { name: TEMPLATES_SCHEMA, up: keyByName, down: keyById },
  { name: ACCRUALS_SCHEMA, up: createAccruals, down: dropAccruals },
  { name: '0010-lines', up: orderLines, down: orderLinesByOwner },
  { name: NOTES_SCHEMA, up: createNotes, down: dropNotes },
  { name: '0012-wallet-parties', up: indexWalletParties, down: dropWalletParties },
  { name: PRUNING_SCHEMA, up: findPruned, down: forgetPruned },
]

/** All names, oldest first. */
export const SCHEMA_NAMES: readonly string[] = MIGRATIONS.map((migration) => migration.name)

function sourceOf(names: readonly string[]): Knex.MigrationSource<Migration> {
  const wanted = MIGRATIONS.filter(({ name }) => names.includes(name))
  const migrations = wanted.length === MIGRATIONS.length ? atOnce(wanted) : wanted
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: (migration) => migration.name,
    getMigration: async (migration) => migration,
  }
}

/** An empty PostgreSQL database gets everything with the first of them. */
function atOnce(migrations: readonly Migration[]): readonly Migration[] {
  let isComplete = false
  return migrations.map((migration, index) => ({
    ...migration,
    up: async (knex) => {
      if (isComplete) return
      isComplete = index === 0 && isPostgres(knex)
      await (isComplete ? createAll(knex) : migration.up(knex))
    },
  }))
}

/** knex's own table of what has been applied. */
export const MIGRATIONS_TABLE = 'schema_migrations'

/** How long a process waits for another one that is migrating. */
const WAIT_MS = 30_000

/** Where the applied names stand against this program: 'newer' schemas must not be touched. */
export function schemaState(applied: readonly string[]): 'current' | 'older' | 'newer' {
  if (applied.some((name) => !SCHEMA_NAMES.includes(name))) return 'newer'
  return SCHEMA_NAMES.every((name) => applied.includes(name)) ? 'current' : 'older'
}

/** Why data is not used as it was to be; the message reads on from "it". */
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
  const latest = () =>
    database.transaction((transaction) => migrateWithin(transaction, SCHEMA_NAMES))
  try {
    await retry(
      latest,
      forMs(WAIT_MS, (error) => isTransient(error) || isLockError(error)),
    )
  } finally {
    await database.destroy()
  }
}

/**
 * Applies those of `names`, which begin with the oldest, that are missing: as a part of the
 * caller's transaction.
 */
export async function migrateWithin(
  transaction: Knex.Transaction,
  names: readonly string[],
): Promise<void> {
  await transaction.migrate.latest({
    tableName: MIGRATIONS_TABLE,
    migrationSource: sourceOf(names),
  })
}

/** knex says much about what it does. */
export const SILENT = { warn() {}, error() {}, debug() {}, deprecate() {} }

/** knex wraps whatever kept it from its lock row, and drops the code. */
function isLockError(error: unknown): boolean {
  return error instanceof Error && error.name === 'MigrationLocked'
}

async function createFirstTables(knex: Knex): Promise<void> {
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.schema.createTable('identity_providers', (table) => {
    byteOrdered(text, table, 'id').primary()
    table.boolean('is_deactivated').notNullable()
    table.text('issuer').notNullable()
    // Null for the default provider only, which has no issuer to be unique.
    table.text('issuer_digest').unique()
    table.text('jwks_url').notNullable()
    table.text('audience').notNullable()
  })
  await knex.schema.createTable('users', (table) => {
    byteOrdered(text, table, 'id').primary()
    table.text('primary_party').notNullable()
    table.boolean('is_deactivated').notNullable()
    table.boolean('primary_party_authentication').notNullable()
    byteOrdered(text, table, 'identity_provider_id').references('identity_providers.id')
    table.bigInteger('resource_version').notNullable()
    table.text('annotations').notNullable()
    table.index(['identity_provider_id', 'id'])
  })
  await knex.schema.createTable('user_rights', (table) => {
    byteOrdered(text, table, 'user_id').references('users.id').onDelete('cascade')
    byteOrdered(text, table, 'kind')
    byteOrdered(text, table, 'party')
    table.primary(['user_id', 'kind', 'party'])
  })
  const defaultProvider = { id: '', is_deactivated: false, issuer: '', jwks_url: '', audience: '' }
  await knex('identity_providers').insert(defaultProvider)
}

async function dropFirstTables(knex: Knex): Promise<void> {
  for (const table of ['user_rights', 'users', 'identity_providers'])
    await knex.schema.dropTable(table)
}

async function createSecondTables(knex: Knex): Promise<void> {
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.schema.createTable('parties', (table) => {
    byteOrdered(text, table, 'party').primary()
    table.boolean('is_local').notNullable()
    byteOrdered(text, table, 'identity_provider_id').references('identity_providers.id')
    table.bigInteger('resource_version').notNullable()
    table.text('annotations').notNullable()
    table.text('topology').notNullable()
    table.index(['identity_provider_id', 'party'])
  })
  await createPackageTables(knex)
  await knex.schema.createTable('updates', (table) => {
    table.bigInteger('ledger_offset').notNullable().primary()
    byteOrdered(text, table, 'update_id').unique()
    table.text('body').notNullable()
  })
  // Each has one row from here on, which writers lock.
  await createSingleRow(knex, 'vetting', 'version')
  await createSingleRow(knex, 'ledger_end', 'last_offset')
  await createSingleRow(knex, 'pruning', 'up_to')
}

async function createPackageTables(knex: Knex): Promise<void> {
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.schema.createTable('packages', (table) => {
    byteOrdered(text, table, 'package_id').primary()
    byteOrdered(text, table, 'name').index()
    table.text('version').notNullable()
    table.bigInteger('size').notNullable()
    table.text('summary').notNullable()
    table.boolean('vetted').notNullable()
  })
  // No reference to the package: its pieces are written before it.
  await knex.schema.createTable('package_pieces', (table) => {
    byteOrdered(text, table, 'package_id')
    table.integer('number').notNullable()
    table.binary('bytes').notNullable()
    table.primary(['package_id', 'number'])
  })
}

async function createSingleRow(knex: Knex, name: string, column: string): Promise<void> {
  await knex.schema.createTable(name, (table) => {
    table.integer('id').notNullable().primary()
    table.bigInteger(column).notNullable()
  })
  await knex(name).insert({ id: 1, [column]: 0 })
}

async function dropSecondTables(knex: Knex): Promise<void> {
  for (const table of [
    'pruning',
    'ledger_end',
    'vetting',
    'updates',
    'package_pieces',
    'packages',
    'parties',
  ]) {
    await knex.schema.dropTable(table)
  }
}

async function createLeases(knex: Knex): Promise<void> {
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.schema.createTable('leases', (table) => {
    byteOrdered(text, table, 'name').primary()
    byteOrdered(text, table, 'holder')
    table.bigInteger('ends_at').notNullable()
    byteOrdered(text, table, 'wisher')
    table.bigInteger('wish_ends_at').notNullable()
    table.index(['holder'], 'leases_held')
  })
}

async function dropLeases(knex: Knex): Promise<void> {
  await knex.schema.dropTable('leases')
}

/** What links a user to the party of its wallet; and parties are found that a right names. */
async function createWallets(knex: Knex): Promise<void> {
  const { byteOrdered: text } = await databaseKind(knex)
  await knex.schema.createTable('wallets', (table) => {
    byteOrdered(text, table, 'user_id').primary().references('users.id').onDelete('cascade')
    byteOrdered(text, table, 'party')
  })
  await knex.schema.alterTable('user_rights', (table) => {
    table.index(['party'], 'user_rights_party')
  })
}

async function dropWallets(knex: Knex): Promise<void> {
  await knex.schema.alterTable('user_rights', (table) => {
    table.dropIndex(['party'], 'user_rights_party')
  })
  await knex.schema.dropTable('wallets')
}

/** Finds the wallets of parties that somebody wants to act for. */
async function indexWalletParties(knex: Knex): Promise<void> {
  await knex.schema.alterTable('wallets', (table) => table.index('party', 'wallets_party'))
}

async function dropWalletParties(knex: Knex): Promise<void> {
  await knex.schema.alterTable('wallets', (table) => table.dropIndex('party', 'wallets_party'))
}

/** A column of texts that sort by their bytes. */
function byteOrdered(
  text: string,
  table: Knex.CreateTableBuilder,
  column: string,
): Knex.ColumnBuilder {
  return table.specificType(column, text).notNullable()
}
