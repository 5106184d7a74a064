// A store that an earlier version of the program wrote is brought up to date with its data kept, also by several
// processes at once. The old schema is frozen here: it must not follow the code.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sqlPlaces } from '../support/sql-places.ts'
import type { SqlPlace } from '../support/sql-places.ts'
import type { Store } from '../../runtime/index.ts'

const run = promisify(execFile)
const CHILD = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))

/** What migration 0001 left. TEXT and SERIAL stand for what the two databases call differently. */
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

const places = await sqlPlaces()
after(() => places.release())

for (const dialect of ['sqlite', 'postgres'] as const) {
  const [text, serial] = dialect === 'sqlite'
    ? ['text', 'integer primary key autoincrement']
    : ['text collate "C"', 'serial primary key']

  const oldPlace = async (): Promise<SqlPlace> => {
    const place = await places[dialect]()
    await place.run(FIRST_SCHEMA.replaceAll('TEXT', text).replaceAll('SERIAL', serial))
    return place
  }

  test(`${dialect}: a store of the first schema keeps its data and takes parties, packages and prunings`, async () => {
    const place = await oldPlace()
    const store = await place.open()
    await keptItsData(store)
    await takesWhatIsNew(store)
    await store.close()
    const again = await place.open()
    assert.equal((await again.parties.get(['ann::1'])).length, 1)
    await again.close()
  })

  test(`${dialect}: four processes bring one old store up to date at once`, async () => {
    const place = await oldPlace()
    const answers = await Promise.all([1, 2, 3, 4].map(() =>
      run(process.execPath, [CHILD, 'open', ...place.childArguments])))
    assert.deepEqual(answers.map(({ stdout }) => stdout.trim()), ['opened', 'opened', 'opened', 'opened'])
    const store = await place.open()
    await keptItsData(store)
    await store.close()
    for (const table of ['vetting', 'ledger_end', 'pruning']) {
      assert.equal((await place.run(`select * from ${table}`)).length, 1, table)
    }
  })
}

async function keptItsData(store: Store): Promise<void> {
  assert.deepEqual(await store.identityProviders.list(),
    [{ id: 'idp', isDeactivated: true, issuer: 'https://i/', jwksUrl: 'https://k/', audience: 'a' }])
  assert.deepEqual(await store.users.get('ann'), {
    id: 'ann', primaryParty: 'ann::1', isDeactivated: true, primaryPartyAuthentication: true,
    identityProviderId: 'idp', resourceVersion: 7n, annotations: { k: '😀' },
  })
  assert.deepEqual(await store.users.rights('ann'),
    [{ kind: 'CanActAs', party: 'ann::1' }, { kind: 'ParticipantAdmin', party: '' }])
  assert.deepEqual(await store.users.rights('bob'), [])
}

async function takesWhatIsNew({ users, parties, packages, updates }: Store): Promise<void> {
  const party = { party: 'ann::1', isLocal: true, identityProviderId: 'idp', annotations: {}, topology: '' }
  assert.equal(await parties.allocate(party, { userId: 'bob', maxRights: 1 }), 'created')
  assert.deepEqual(await users.rights('bob'), [{ kind: 'CanActAs', party: 'ann::1' }])
  assert.equal(await packages.vettingVersion(), 0n)
  assert.equal(await updates.ledgerEnd(), 0n)
  assert.equal(await updates.prune(0n), 'nothing')
}
