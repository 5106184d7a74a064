// What the first version of the program left in a database, with some data. Frozen here: it must
// not follow the code.

/** TEXT and SERIAL stand for what the two databases call differently. */
const FIRST_SCHEMA = `
create table schema_migrations (id SERIAL, name varchar(255), batch integer, migration_time timestamptz);
create table schema_migrations_lock ("index" SERIAL, is_locked integer);
create table identity_providers (id TEXT not null primary key, is_deactivated boolean not null, issuer text not null,
  issuer_digest text constraint identity_providers_issuer_digest_unique unique, jwks_url text not null,
  audience text not null);
create table users (id TEXT not null primary key, primary_party text not null, is_deactivated boolean not null,
  primary_party_authentication boolean not null,
  identity_provider_id TEXT not null references identity_providers (id), resource_version bigint not null,
  annotations text not null);
create index users_identity_provider_id_id_index on users (identity_provider_id, id);
create table user_rights (user_id TEXT not null references users (id) on delete cascade, kind TEXT not null,
  party TEXT not null, primary key (user_id, kind, party));
insert into schema_migrations (name, batch) values ('0001-users-rights-providers', 1);
insert into schema_migrations_lock (is_locked) values (0);
insert into identity_providers values ('', false, '', null, '', ''), ('idp', true, 'https://i/', 'd', 'https://k/', 'a');
insert into users values ('ann', 'ann::1', true, true, 'idp', 7, '{"k":"😀"}'), ('bob', '', false, false, '', 0, '{}');
insert into user_rights values ('ann', 'CanActAs', 'ann::1'), ('ann', 'ParticipantAdmin', '')`

const WORDS = {
  sqlite: { text: 'text', serial: 'integer primary key autoincrement' },
  postgres: { text: 'text collate "C"', serial: 'serial primary key' },
}

/** The statements that make it. */
export function firstSchema(dialect: 'sqlite' | 'postgres'): string {
  const { text, serial } = WORDS[dialect]
  return FIRST_SCHEMA.replaceAll('TEXT', text).replaceAll('SERIAL', serial)
}
