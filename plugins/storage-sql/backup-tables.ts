// What a backup holds of each schema: tables in the order in which they can be filled, columns, and
// the key that orders the rows. A column that a migration adds has to be named here;
// test/plugins/backup.test.ts asks the databases.
import { ACCRUALS_SCHEMA } from './accrual-schema.ts'
import { NOTES_SCHEMA } from './note-schema.ts'
import { PRUNING_SCHEMA } from './prune-schema.ts'
import { SNAPSHOTS_SCHEMA } from './snapshot-schema.ts'
import { TEMPLATES_SCHEMA } from './template-schema.ts'

/**
 * How a column's values are written down; the same text for the same value of either database.
 * `rank` and `sum` are numbers of up to 38 digits and beyond, which SQLite keeps as texts, a rank
 * padded.
 */
export type ColumnKind = 'text' | 'int' | 'flag' | 'bytes' | 'rank' | 'sum'

interface BackupColumn {
  readonly name: string
  readonly kind: ColumnKind
}

export interface BackupTable {
  readonly name: string
  readonly columns: readonly BackupColumn[]
  /** Columns of the primary key. */
  readonly key: readonly string[]
  /** True of the rows that the schema comes with: a condition in SQL. */
  readonly initial?: string
}

interface Layout {
  readonly name: string
  /** First schema that has this layout. */
  readonly since: string
  /** First schema that no longer has it. */
  readonly until?: string
  /** `name kind`, comma, and so on. */
  readonly columns: string
  readonly key: string
  readonly initial?: string
}

const [FIRST, SECOND, THIRD] = [
  '0001-users-rights-providers',
  '0002-parties-packages-updates',
  '0003-contracts',
]
const WALLETS = '0006-wallets'

const LAYOUTS: readonly Layout[] = [
  {
    name: 'identity_providers',
    since: FIRST,
    key: 'id',
    initial: `id = ''`,
    columns:
      'id text, is_deactivated flag, issuer text, issuer_digest text, jwks_url text, audience text',
  },
  {
    name: 'users',
    since: FIRST,
    key: 'id',
    columns:
      'id text, primary_party text, is_deactivated flag, primary_party_authentication flag, ' +
      'identity_provider_id text, resource_version int, annotations text',
  },
  {
    name: 'user_rights',
    since: FIRST,
    key: 'user_id, kind, party',
    columns: 'user_id text, kind text, party text',
  },
  {
    name: 'parties',
    since: SECOND,
    key: 'party',
    columns:
      'party text, is_local flag, identity_provider_id text, resource_version int, annotations text, topology text',
  },
  {
    name: 'packages',
    since: SECOND,
    key: 'package_id',
    columns: 'package_id text, name text, version text, size int, summary text, vetted flag',
  },
  {
    name: 'package_pieces',
    since: SECOND,
    key: 'package_id, number',
    columns: 'package_id text, number int, bytes bytes',
  },
  {
    name: 'vetting',
    since: SECOND,
    key: 'id',
    initial: 'version = 0',
    columns: 'id int, version int',
  },
  { name: 'pruning', since: SECOND, key: 'id', initial: 'up_to = 0', columns: 'id int, up_to int' },
  {
    name: 'ledger_end',
    since: SECOND,
    until: THIRD,
    key: 'id',
    initial: 'last_offset = 0',
    columns: 'id int, last_offset int',
  },
  {
    name: 'ledger_end',
    since: THIRD,
    until: SNAPSHOTS_SCHEMA,
    key: 'id',
    initial: 'last_offset = 0 and last_line = 0',
    columns: 'id int, last_offset int, record_time int, last_sequence int, last_line int',
  },
  {
    name: 'ledger_end',
    since: SNAPSHOTS_SCHEMA,
    until: ACCRUALS_SCHEMA,
    key: 'id',
    initial: 'last_offset = 0 and last_log_line = 0',
    columns: 'id int, last_offset int, record_time int, last_sequence int, last_log_line int',
  },
  {
    name: 'ledger_end',
    since: ACCRUALS_SCHEMA,
    key: 'id',
    initial: 'last_offset = 0 and last_log_line = 0',
    columns:
      'id int, last_offset int, record_time int, last_sequence int, last_log_line int, seen_after int',
  },
  {
    name: 'updates',
    since: SECOND,
    until: THIRD,
    key: 'ledger_offset',
    columns: 'ledger_offset int, update_id text, body text',
  },
  {
    name: 'updates',
    since: THIRD,
    until: ACCRUALS_SCHEMA,
    key: 'ledger_offset',
    columns: 'ledger_offset int, update_id text, record_time int, body text',
  },
  {
    name: 'updates',
    since: ACCRUALS_SCHEMA,
    key: 'ledger_offset',
    columns: 'ledger_offset int, update_id text, record_time int, body text, seen_by text',
  },
  {
    name: 'sightings',
    since: ACCRUALS_SCHEMA,
    key: 'party_hash, ledger_offset',
    columns: 'party_hash int, ledger_offset int',
  },
  {
    name: 'contracts',
    since: THIRD,
    until: TEMPLATES_SCHEMA,
    key: 'sequence',
    columns: contractColumns('template_hash'),
  },
  {
    name: 'contracts',
    since: TEMPLATES_SCHEMA,
    key: 'sequence',
    columns: contractColumns('template_key'),
  },
  {
    name: 'totals',
    since: THIRD,
    until: ACCRUALS_SCHEMA,
    key: 'name, account',
    columns: 'name text, account text, amount sum, number int',
  },
  {
    name: 'totals',
    since: ACCRUALS_SCHEMA,
    key: 'name, account',
    columns: 'name text, account text, amount sum, contract_count int',
  },
  {
    name: 'accruals',
    since: ACCRUALS_SCHEMA,
    key: 'name, account, part, at_position',
    columns:
      'name text, account text, part text, at_position int, amount sum, rate sum, contract_count int',
  },
  {
    name: 'logs',
    since: THIRD,
    until: PRUNING_SCHEMA,
    key: 'line',
    columns: 'line int, log text, owner text, id text, body text',
  },
  {
    name: 'logs',
    since: PRUNING_SCHEMA,
    key: 'line',
    columns: 'line int, log text, owner text, id text, body text, ledger_offset int',
  },
  {
    name: 'facts',
    since: THIRD,
    until: PRUNING_SCHEMA,
    key: 'kind, fact_key',
    columns: 'kind text, fact_key text, body text',
  },
  {
    name: 'facts',
    since: PRUNING_SCHEMA,
    key: 'kind, fact_key',
    columns: 'kind text, fact_key text, body text, pruned_with int',
  },
  {
    name: 'commands',
    since: THIRD,
    key: 'command_key',
    columns: 'command_key text, update_id text, ledger_offset int, kept_until int',
  },
  { name: 'wallets', since: WALLETS, key: 'user_id', columns: 'user_id text, party text' },
  {
    name: 'user_notes',
    since: NOTES_SCHEMA,
    key: 'user_id, identity_provider_id, name',
    columns: 'user_id text, identity_provider_id text, name text, note text',
  },
  {
    name: 'assignments',
    since: SNAPSHOTS_SCHEMA,
    key: 'contract_id, ledger_offset',
    columns: 'contract_id text, ledger_offset int, synchronizer_id text',
  },
]

function contractColumns(template: 'template_hash' | 'template_key'): string {
  return (
    `sequence int, contract_id text, ${template} int, key1 text, key2 text, key3 text, rank rank, ` +
    'created_offset int, archived_offset int, synchronizer_id text, created_at int, template_id text, ' +
    'package_name text, signatories text, observers text, payload text'
  )
}

/**
 * Tables that no backup holds: a lease means something to servers that run, stakes are made from
 * contracts.
 */
export const LEFT_OUT: readonly string[] = ['leases', 'stakes']

/** The tables of a backup of a storage to which these schema changes were applied. */
export function backupTables(applied: readonly string[]): readonly BackupTable[] {
  return LAYOUTS.filter(
    ({ since, until }) =>
      applied.includes(since) && (until === undefined || !applied.includes(until)),
  ).map(tableOf)
}

function tableOf({ name, columns, key, initial }: Layout): BackupTable {
  return {
    name,
    key: key.split(', '),
    columns: columns.split(', ').map(columnOf),
    ...(initial === undefined ? {} : { initial }),
  }
}

function columnOf(text: string): BackupColumn {
  const [name = '', kind] = text.split(' ')
  if (kind === 'int' || kind === 'flag' || kind === 'bytes' || kind === 'rank' || kind === 'sum')
    return { name, kind }
  return { name, kind: 'text' }
}
