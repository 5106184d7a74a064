// The schema that all migrations together make, for an empty PostgreSQL database. What speaks its
// wire and keeps tables otherwise changes a table badly, or not at all, in the transaction that
// made it: here every table is made as it is to be, in one statement, and only then filled.
import { databaseKind } from './database-kind.ts'
import { shapeBodies } from './contract-schema.ts'
import { createNoteTable } from './note-schema.ts'
import type { Knex } from 'knex'

/** `{text}` is a text that sorts by its bytes. Each single row is locked by those who write. */
const SCHEMA = `
  create table identity_providers (id {text} not null primary key, is_deactivated boolean not null,
    issuer text not null, issuer_digest text, jwks_url text not null, audience text not null,
    constraint identity_providers_issuer_digest_unique unique (issuer_digest));
  insert into identity_providers (id, is_deactivated, issuer, jwks_url, audience)
    values ('', false, '', '', '');
  create table users (id {text} not null primary key, primary_party text not null,
    is_deactivated boolean not null, primary_party_authentication boolean not null,
    identity_provider_id {text} not null, resource_version bigint not null, annotations text not null,
    constraint users_identity_provider_id_foreign foreign key (identity_provider_id)
      references identity_providers (id));
  create index users_identity_provider_id_id_index on users (identity_provider_id, id);
  create table user_rights (user_id {text} not null, kind {text} not null, party {text} not null,
    primary key (user_id, kind, party),
    constraint user_rights_user_id_foreign foreign key (user_id) references users (id) on delete cascade);
  create index user_rights_party on user_rights (party);
  create table wallets (user_id {text} not null primary key, party {text} not null,
    constraint wallets_user_id_foreign foreign key (user_id) references users (id) on delete cascade);
  create index wallets_party on wallets (party);

  create table parties (party {text} not null primary key, is_local boolean not null,
    identity_provider_id {text} not null, resource_version bigint not null, annotations text not null,
    topology text not null,
    constraint parties_identity_provider_id_foreign foreign key (identity_provider_id)
      references identity_providers (id));
  create index parties_identity_provider_id_party_index on parties (identity_provider_id, party);
  create table packages (package_id {text} not null primary key, name {text} not null,
    version text not null, size bigint not null, summary text not null, vetted boolean not null);
  create index packages_name_index on packages (name);
  create table package_pieces (package_id {text} not null, number integer not null,
    bytes bytea not null, primary key (package_id, number));

  create table vetting (id integer not null primary key, version bigint not null);
  insert into vetting (id, version) values (1, 0);
  create table pruning (id integer not null primary key, up_to bigint not null);
  insert into pruning (id, up_to) values (1, 0);
  create table ledger_end (id integer not null primary key, last_offset bigint not null,
    record_time bigint not null default 0, last_sequence bigint not null default 0,
    last_log_line bigint not null default 0, seen_after bigint not null default 0);
  insert into ledger_end (id, last_offset) values (1, 0);
  create table leases (name {text} not null primary key, holder {text} not null, ends_at bigint not null,
    wisher {text} not null, wish_ends_at bigint not null);
  create index leases_held on leases (holder);

  create table updates (ledger_offset bigint not null primary key, update_id {text} not null unique,
    record_time bigint not null unique, body text not null, seen_by text not null default '');
  create table sightings (party_hash bigint not null, ledger_offset bigint not null,
    primary key (party_hash, ledger_offset));
  create table contracts (sequence bigint not null primary key, contract_id {text} not null unique,
    template_key integer not null, key1 {text} not null, key2 {text} not null, key3 {text} not null,
    rank numeric(38, 0) not null, created_offset bigint not null, archived_offset bigint not null,
    synchronizer_id text not null, created_at bigint not null, template_id {text} not null,
    package_name text not null, signatories text not null, observers text not null,
    payload text not null);
  create index contracts_offset on contracts (created_offset, sequence);
  create index contracts_archived on contracts (archived_offset) where archived_offset > 0;
  {ordered}
  create table stakes (party_hash bigint not null, template_hash integer not null, node bigint not null,
    sequence bigint not null, archived_offset bigint not null,
    primary key (party_hash, template_hash, node, sequence));
  create table assignments (contract_id {text} not null, ledger_offset bigint not null,
    synchronizer_id text not null, primary key (contract_id, ledger_offset));
  create table totals (name {text} not null, account {text} not null, amount numeric not null,
    contract_count bigint not null, primary key (name, account));
  create table accruals (name {text} not null, account {text} not null, part {text} not null,
    at_position bigint not null, amount numeric not null, rate numeric not null,
    contract_count bigint not null, primary key (name, account, part, at_position));
  create table logs (line bigint not null primary key, log {text} not null, owner {text} not null,
    id {text} not null, body text not null, ledger_offset bigint not null default 0, unique (log, id, owner));
  create index logs_newest on logs (log, owner, line);
  create table facts (kind {text} not null, fact_key {text} not null, body text not null,
    pruned_with bigint not null default 0, primary key (kind, fact_key));
  create index facts_pruned_with on facts (pruned_with) where pruned_with > 0;
  create table commands (command_key {text} not null primary key, update_id text not null,
    ledger_offset bigint not null, kept_until bigint not null);
  create index commands_kept_until on commands (kept_until)`

/** Pages of active contracts: all, or those under a key, in either order. */
const ORDERED = [undefined, 'key1', 'key2', 'key3']
  .flatMap((key) => [
    indexOf(key, 'created', ['sequence']),
    indexOf(key, 'rank', ['rank', 'sequence']),
  ])
  .join('\n')

function indexOf(key: string | undefined, order: string, by: readonly string[]): string {
  const name = ['contracts', key, order].filter((part) => part !== undefined).join('_')
  const columns = ['template_key', key, ...by].filter((part) => part !== undefined).join(', ')
  const under = key === undefined ? '' : ` and ${key} <> ''`
  return `create index ${name} on contracts (${columns}) where archived_offset = 0${under};`
}

/** Makes all tables and the rows that they begin with, as a part of the caller's transaction. */
export async function createAll(knex: Knex): Promise<void> {
  const { byteOrdered } = await databaseKind(knex)
  const schema = SCHEMA.replace('{ordered}', ORDERED).replaceAll('{text}', byteOrdered)
  for (const statement of schema.split(';')) await knex.raw(statement)
  await createNoteTable(knex)
  await shapeBodies(knex)
}
