// Every statement that the store runs, written once for both databases;
// docs/decisions/0002-sql-storage.md says why as text. `?` are parameters; all statements answer
// rows, so that a write says what it touched.

import type { WireType } from './tables.ts'

export interface Statement {
  /** Unique; names the prepared statement on a PostgreSQL connection. */
  readonly name: string
  readonly sqlite: string
  readonly postgres: string
}

/** Writes many rows: SQLite runs it once a row, PostgreSQL once with a list for each column. */
export interface BulkStatement extends Statement {
  /** Types of the columns of a row. */
  readonly types: readonly WireType[]
}

const USER =
  'id, primary_party, is_deactivated, primary_party_authentication, identity_provider_id, resource_version, ' +
  'annotations'
const PARTY = 'party, is_local, identity_provider_id, resource_version, annotations, topology'
const PACKAGE = 'package_id, name, version, size, summary, vetted'
const UPDATE = 'ledger_offset, update_id, record_time, body'
/** The id of an update by its offset. */
export const UPDATE_ID = 'select update_id from updates where ledger_offset = ?'
const PROVIDER = 'id, is_deactivated, issuer, jwks_url, audience'

export const STATEMENTS = {
  ping: both('ping', 'select 1 as one'),

  getUser: both('getUser', `select ${USER} from users where id = ?`),
  listUsers: both(
    'listUsers',
    `select ${USER} from users where identity_provider_id = ? and id > ? order by id limit ?`,
  ),
  insertUser: both(
    'insertUser',
    `insert into users (${USER}) values (?, ?, ?, ?, ?, 0, ?) on conflict (id) do nothing returning id`,
  ),
  updateUser: both(
    'updateUser',
    `update users set primary_party = ?, is_deactivated = ?,
    primary_party_authentication = ?, annotations = ?, resource_version = resource_version + 1
    where id = ? and resource_version = ? returning ${USER}`,
  ),
  setPrimaryParty: both(
    'setPrimaryParty',
    `update users set primary_party = ?, resource_version = resource_version + 1
    where id = ? and primary_party = '' returning id`,
  ),
  deleteUser: both('deleteUser', 'delete from users where id = ? returning id'),
  deleteUserIn: both(
    'deleteUserIn',
    'delete from users where id = ? and identity_provider_id = ? returning id',
  ),
  moveUser: both(
    'moveUser',
    'update users set identity_provider_id = ? where id = ? and identity_provider_id = ? returning id',
  ),
  lockUser: both('lockUser', 'select identity_provider_id from users where id = ? for update'),

  getRights: both(
    'getRights',
    `select users.id, kind, party from users left join user_rights on user_id = users.id
    where users.id = ? order by kind, party`,
  ),
  insertRights: both(
    'insertRights',
    `insert into user_rights (user_id, kind, party)
    select cast(? as text), kind, party from {pairs} returning kind`,
  ),
  deleteRights: both(
    'deleteRights',
    `delete from user_rights
    where user_id = ? and (kind, party) in (select kind, party from {pairs}) returning kind`,
  ),

  // The provider with the empty id is the default one: users refer to it, nobody sees it.
  getProvider: both(
    'getProvider',
    `select ${PROVIDER} from identity_providers where id = ? and id <> ''`,
  ),
  listProviders: both(
    'listProviders',
    `select ${PROVIDER} from identity_providers where id <> '' order by id`,
  ),
  /** Held while providers change, so that number and issuers are counted without a race. */
  lockProviders: both(
    'lockProviders',
    `select id from identity_providers where id = '' for update`,
  ),
  providersAlike: both(
    'providersAlike',
    `select (select count(*) from identity_providers where id <> '') as number,
    exists (select 1 from identity_providers where id = ?) as id_taken,
    exists (select 1 from identity_providers where issuer_digest = ? and id <> ?) as issuer_taken`,
  ),
  insertProvider: both(
    'insertProvider',
    `insert into identity_providers (${PROVIDER}, issuer_digest) values (?, ?, ?, ?, ?, ?) returning id`,
  ),
  updateProvider: both(
    'updateProvider',
    `update identity_providers set is_deactivated = ?, issuer = ?, jwks_url = ?,
    audience = ?, issuer_digest = ? where id = ? and id <> '' returning id`,
  ),
  deleteProvider: both(
    'deleteProvider',
    `delete from identity_providers where id = ? and id <> '' returning id`,
  ),

  getParties: both(
    'getParties',
    `select ${PARTY} from parties where party in {texts} order by party`,
  ),
  listParties: both(
    'listParties',
    `select ${PARTY} from parties
    where identity_provider_id = ? and party > ? and party >= ? order by party limit ?`,
  ),
  listPartiesBefore: both(
    'listPartiesBefore',
    `select ${PARTY} from parties
    where identity_provider_id = ? and party > ? and party >= ? and party < ? order by party limit ?`,
  ),
  partyAlike: both(
    'partyAlike',
    `select exists (select 1 from parties where party = ?) as taken,
    exists (select 1 from identity_providers where id = ?) as provider_known`,
  ),
  insertParty: both(
    'insertParty',
    `insert into parties (${PARTY}) values (?, ?, ?, 0, ?, ?) on conflict (party) do nothing returning party`,
  ),
  updateParty: both(
    'updateParty',
    `update parties set annotations = ?, resource_version = resource_version + 1
    where party = ? and resource_version = ? returning ${PARTY}`,
  ),

  partyNamed: both(
    'partyNamed',
    `select exists (select 1 from parties where party = ?)
    or exists (select 1 from user_rights where party = ?) as taken,
    exists (select 1 from identity_providers where id = ?) as provider_known`,
  ),
  getWallet: both('getWallet', 'select party from wallets where user_id = ?'),
  walletsAmong: both('walletsAmong', 'select distinct party from wallets where party in {texts}'),
  insertWallet: both(
    'insertWallet',
    'insert into wallets (user_id, party) values (?, ?) returning user_id',
  ),

  getNote: both(
    'getNote',
    'select note from user_notes where user_id = ? and identity_provider_id = ? and name = ?',
  ),
  setNote: both(
    'setNote',
    `insert into user_notes (user_id, identity_provider_id, name, note) values (?, ?, ?, ?)
    on conflict (user_id, identity_provider_id, name) do update set note = excluded.note returning name`,
  ),

  listPackages: both('listPackages', 'select package_id from packages order by package_id'),
  getPackages: both(
    'getPackages',
    `select ${PACKAGE} from packages where package_id in {texts} order by package_id`,
  ),
  knownPackages: both(
    'knownPackages',
    'select package_id from packages where package_id in {texts}',
  ),
  packagesNamed: both(
    'packagesNamed',
    `select ${PACKAGE} from packages where name in {texts} order by package_id`,
  ),
  insertPackage: both(
    'insertPackage',
    `insert into packages (${PACKAGE}) values (?, ?, ?, ?, ?, false)
    on conflict (package_id) do nothing returning package_id`,
  ),
  insertPiece: both(
    'insertPiece',
    `insert into package_pieces (package_id, number, bytes) values (?, ?, ?)
    on conflict (package_id, number) do nothing returning number`,
  ),
  readPiece: both(
    'readPiece',
    'select bytes from package_pieces where package_id = ? and number = ?',
  ),
  vettingVersion: both('vettingVersion', 'select version from vetting'),
  lockVetting: both('lockVetting', 'select version from vetting for update'),
  raiseVetting: both('raiseVetting', 'update vetting set version = version + 1 returning version'),
  vetPackages: both(
    'vetPackages',
    'update packages set vetted = true where package_id in {texts} and not vetted returning package_id',
  ),

  ledgerEnd: both('ledgerEnd', 'select last_offset, record_time from ledger_end'),
  history: both(
    'history',
    `select last_offset, record_time, {micros} as now, (${UPDATE_ID}) as seen,
    (select update_id from updates where ledger_offset = last_offset) as last from ledger_end`,
  ),
  prunedUpTo: both('prunedUpTo', 'select up_to from pruning'),
  lockPruning: both('lockPruning', 'select up_to from pruning for update'),
  raisePruned: both('raisePruned', 'update pruning set up_to = ? returning up_to'),
  updateByOffset: both(
    'updateByOffset',
    `select ${UPDATE} from updates
    where ledger_offset = ? and ledger_offset > (select up_to from pruning)`,
  ),
  updateById: both(
    'updateById',
    `select ${UPDATE} from updates
    where update_id = ? and ledger_offset > (select up_to from pruning)`,
  ),
}

/**
 * One text in both dialects. `{pairs}` is a parameter with a JSON list of {kind, party} as a table,
 * `in {texts}` compares with a list of texts: on PostgreSQL as an array, because a plan that joins
 * reads whole tables once they have grown. `{now}` is the database's clock in milliseconds,
 * `{micros}` in microseconds, of a store in memory the clock that it was given. `{by name}` is the
 * index that SQLite takes: it has no figures of its tables to choose by. It needs no row locks,
 * because a transaction that writes has the database to itself.
 */
export function both(name: string, text: string): Statement {
  let count = 0
  const flat = text.replaceAll(/\s+/g, ' ')
  return {
    name,
    sqlite: opaque(flat)
      .replace(' for update', '')
      .replace(
        '{pairs}',
        `(select value ->> 'kind' as kind, value ->> 'party' as party from json_each(?)) as pairs`,
      )
      .replace('{texts}', '(select value from json_each(?))')
      .replaceAll('{now}', `cast(unixepoch('subsec') * 1000 as integer)`)
      .replaceAll('{micros}', `now_micros()`)
      .replaceAll('{template}', `package_name || substr(template_id, instr(template_id, ':'))`)
      .replace(/\{by (\w+)\}/, 'indexed by $1'),
    postgres: flat
      .replace('{pairs}', 'json_to_recordset(?::json) as pairs (kind text, party text)')
      .replaceAll('{now}', 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)')
      .replaceAll('{micros}', 'cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)')
      .replaceAll('{template}', `package_name || substr(template_id, strpos(template_id, ':'))`)
      .replace(/\{by \w+\}/, '')
      .replace('in {texts}', '= any (?::text[])')
      .replaceAll('?', () => `$${(count += 1)}`),
  }
}

/**
 * SQLite plans a page anew, which takes four times as long as reading it, whenever a parameter has
 * another value that it looked at when it planned: those of `limit`, and all where it looks for an
 * order. It does not look into subqueries.
 */
function opaque(text: string): string {
  return /order by|limit \?/.test(text) ? text.replaceAll('?', '(select ?)') : text
}
