// Two servers that both believe it is their turn pay a tracking id once all the same: the commit
// decides, not the queue and not the lease. docs/idempotency.md
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { acceptedTransferOffer } from '../../runtime/contracts/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import { eventually } from '../support/eventually.ts'
import { startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import { acceptAll, plantOffers } from '../wallet/offer-kit.ts'
import { balance, createWorld, tapCoins } from '../wallet/world.ts'
import type { World } from '../wallet/world.ts'

const VALIDATOR = { treasury: { leaseMs: 100, sliceMs: 10 } }
const ENOUGH_MS = 600_000
const postgres = startPostgres()
const closings: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closings.toReversed()) await close()
  await (await postgres).stop()
})

/** The stores of two servers, and how to let both commit in one moment. */
interface Shared {
  readonly stores: readonly [Store, Store]
  /** Commits wait until `release`, which waits for two of them. */
  hold?(): Promise<{ release(): Promise<void> }>
}

async function onSqlite(): Promise<Shared> {
  const { path, remove } = await tempDir()
  const store = await openSqlStore({ dialect: 'sqlite', file: `${path}/store.sqlite` })
  closings.push(remove, () => store.close())
  return { stores: [store, store] }
}

async function onPostgres(): Promise<Shared> {
  const connection = await (await postgres).createStoreDatabase()
  const open = async (): Promise<Store> => {
    const store = await openSqlStore({ dialect: 'postgres', connection, poolSize: 4 })
    closings.push(() => store.close())
    return store
  }
  const stores = [await open(), await open()] as const
  return { stores, hold: () => holdCommits(connection) }
}

async function holdCommits(connectionString: string): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query('begin')
  await client.query('select * from ledger_end for update')
  const waiting = async (): Promise<unknown> => {
    // A transaction sees the first answer again and again otherwise.
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    return rows[0]?.n
  }
  return {
    release: async () => {
      await eventually(2, waiting)
      await client.query('rollback')
      await client.end()
    },
  }
}

/** Two accepted offers of alice's to bob under one id, made by commands of her own. */
async function acceptedOffers(world: World): Promise<readonly string[]> {
  await plantOffers(world, 2)
  await acceptAll(world)
  return (await world.economy.reader.all(acceptedTransferOffer)).map(({ id }) => id)
}

for (const [name, open] of Object.entries({ sqlite: onSqlite, postgres: onPostgres })) {
  test(`on ${name}, two servers that pay at the same moment pay an id once`, async () => {
    const {
      stores: [first, second],
      hold,
    } = await open()
    const one = await createWorld({ store: first, validator: VALIDATOR })
    const two = await createWorld({ store: second, validator: VALIDATOR, users: [] })
    await tapCoins(one, 'alice', 20n)
    const offers = await acceptedOffers(one)
    const alice = await one.partyOf('alice')
    // Neither gets the lease: then both go on without it.
    await one.treasury.stop()
    await first.leases.take(`treasury ${alice}`, 'somebody who is gone', ENOUGH_MS)
    const held = await hold?.()
    const paying = [one, two].map((world, at) =>
      world.treasury.enqueue(alice, {
        tag: 'CO_CompleteAcceptedTransfer',
        value: { acceptedTransferOfferCid: offers[at] ?? '' },
      }),
    )
    await held?.release()
    const ends = await Promise.all(paying)
    assert.deepEqual(ends.map((end) => (end.ok ? 'paid' : end.kind)).toSorted(), [
      'paid',
      'paid-before',
    ])
    assert.equal((await balance(two, 'bob')).unlocked, '5.0000000000')
    await Promise.all([one.treasury.stop(), two.treasury.stop()])
  })
}
