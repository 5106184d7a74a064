// A store that an earlier version of the program wrote is brought up to date with its data kept,
// also by several processes at once.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { firstSchema } from '../support/first-schema.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import type { SqlPlace } from '../support/sql-places.ts'
import type { Store } from '../../runtime/index.ts'

const run = promisify(execFile)
const CHILD = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))

const places = await sqlPlaces()
after(() => places.release())

for (const dialect of ['sqlite', 'postgres'] as const) {
  const oldPlace = async (): Promise<SqlPlace> => {
    const place = await places[dialect]()
    await place.run(firstSchema(dialect))
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

  test(`${dialect}: contacts that were an annotation are the user's note, and no annotation`, async () => {
    const place = await oldPlace()
    const [book, team] = ['{"bob::1":"Bob"}', 'example.com/team']
    const annotations = JSON.stringify({ 'wallet-ui/notes': book, [team]: 'wallet-ui/notes' })
    await place.run(`update users set annotations = '${annotations}' where id = 'ann'`)
    const store = await place.open()
    const key = { userId: 'ann', identityProviderId: 'idp', name: 'wallet-ui' }
    assert.equal(await store.notes.read(key), book)
    assert.deepEqual((await store.users.get('ann'))?.annotations, { [team]: 'wallet-ui/notes' })
    assert.equal(await store.notes.read({ ...key, userId: 'bob' }), '')
    await store.close()
  })

  test(`${dialect}: four processes bring one old store up to date at once`, async () => {
    const place = await oldPlace()
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => run(process.execPath, [CHILD, 'open', ...place.childArguments])),
    )
    assert.deepEqual(
      answers.map(({ stdout }) => stdout.trim()),
      ['opened', 'opened', 'opened', 'opened'],
    )
    const store = await place.open()
    await keptItsData(store)
    await store.close()
    for (const table of ['vetting', 'ledger_end', 'pruning']) {
      assert.equal((await place.run(`select * from ${table}`)).length, 1, table)
    }
  })
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: a server of version 0.1.0 that still runs cannot commit after the migration`, async () => {
    const place = await places[dialect]()
    await (await place.open()).close()
    // The statement with which its commits begin.
    await assert.rejects(
      place.run('select last_offset, record_time, last_sequence, last_line from ledger_end'),
      /last_line/,
    )
  })
}

/** Tells of statements that change the schema, or fails those that set the way to compress. */
const hook = (act: string): string => `create table seen (timeouts text);
  create function hook() returns event_trigger language plpgsql as $$ begin ${act} end $$;
  create event trigger hook on ddl_command_start execute function hook()`
const OF_COMPRESSION = `current_query() like '%compression%'`

test('postgres: a migration takes as long as it takes', async () => {
  const place = await places.postgres()
  await place.run(
    hook(
      `insert into seen values (current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout'));`,
    ),
  )
  await (await place.open()).close()
  assert.deepEqual(await place.run('select distinct timeouts from seen'), [{ timeouts: '0 0' }])
})

test('postgres: a database that does not know the compression is brought up to date, one that fails at it is not', async () => {
  const unknown = await places.postgres()
  await unknown.run(
    hook(`if ${OF_COMPRESSION} then raise exception 'no lz4' using errcode = '0A000'; end if;`),
  )
  await (await unknown.open()).close()
  const failing = await places.postgres()
  await failing.run(
    hook(
      `if ${OF_COMPRESSION} then raise exception 'the disk is full' using errcode = '53100'; end if;`,
    ),
  )
  await assert.rejects(failing.open(), /the disk is full/)
})

async function keptItsData(store: Store): Promise<void> {
  assert.deepEqual(await store.identityProviders.list(), [
    { id: 'idp', isDeactivated: true, issuer: 'https://i/', jwksUrl: 'https://k/', audience: 'a' },
  ])
  assert.deepEqual(await store.users.get('ann'), {
    id: 'ann',
    primaryParty: 'ann::1',
    isDeactivated: true,
    primaryPartyAuthentication: true,
    identityProviderId: 'idp',
    resourceVersion: 7n,
    annotations: { k: '😀' },
  })
  assert.deepEqual(await store.users.rights('ann'), [
    { kind: 'CanActAs', party: 'ann::1' },
    { kind: 'ParticipantAdmin', party: '' },
  ])
  assert.deepEqual(await store.users.rights('bob'), [])
}

async function takesWhatIsNew({ users, parties, packages, updates }: Store): Promise<void> {
  const party = {
    party: 'ann::1',
    isLocal: true,
    identityProviderId: 'idp',
    annotations: {},
    topology: '',
  }
  assert.equal(await parties.allocate(party, { userId: 'bob', maxRights: 1 }), 'created')
  assert.deepEqual(await users.rights('bob'), [{ kind: 'CanActAs', party: 'ann::1' }])
  assert.equal(await packages.vettingVersion(), 0n)
  assert.equal(await updates.ledgerEnd(), 0n)
  assert.equal(await updates.prune(0n), 'nothing')
}
