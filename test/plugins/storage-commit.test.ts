// What may happen to a commit on its way: it loses against another transaction, or its connection
// ends. Either it is there once, or it is not there and says so.
import assert from 'node:assert/strict'
import { connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { connectionConfig } from '../../plugins/storage-sql/postgres-pool.ts'
import { SharedReads } from '../../plugins/storage-sql/postgres-reads.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { sqlPlaces } from '../support/sql-places.ts'
import type { Socket } from 'node:net'
import type { Commit, CommitFacts, Store } from '../../runtime/index.ts'
import { aContract, createdAt, TEMPLATE } from '../../runtime/testing/storage/ledger-kit.ts'
import { NO_WRITES } from '../../runtime/engine/no-writes.ts'

/** Statements that move the end while a commit is under way. */
const MEDDLING = {
  sqlite:
    'create trigger meddle after insert on updates begin update ledger_end set last_offset = last_offset + 1; end',
  postgres: `create function meddle() returns trigger language plpgsql as
    $$ begin update ledger_end set last_offset = last_offset + 1; return new; end $$;
    create trigger meddle after insert on updates for each row execute function meddle()`,
} as const

const server = await startPostgres()
const places = await sqlPlaces()
after(async () => {
  await places.release()
  await server.stop()
})

/**
 * Adds one update, one contract and one to a total; tells `told` what each call of `decide` saw.
 */
function counting(told: CommitFacts[] = []): Commit<bigint> {
  return {
    reads: { contractIds: [], commandKeys: [], facts: [] },
    decide: (facts) => {
      told.push(facts)
      const offset = facts.end.offset + 1n
      return {
        result: offset,
        writes: {
          ...NO_WRITES,
          updates: [{ offset, updateId: `u${offset}`, recordTime: offset, body: '{}' }],
          creates: createdAt(offset, aContract(`c${offset}`)),
          totals: [{ name: 'n', account: '', amount: 1n, count: 1n }],
        },
      }
    },
  }
}

async function holds({ contracts }: Store, number: bigint): Promise<void> {
  assert.equal((await contracts.ledgerEnd()).offset, number)
  assert.equal((await contracts.updatesAfter(0n, 99)).length, Number(number))
  assert.equal(
    (await contracts.active({ template: TEMPLATE, order: 'created', limit: 99 })).length,
    Number(number),
  )
  assert.deepEqual(await contracts.total({ name: 'n', account: '' }), {
    amount: number,
    count: number,
  })
}

for (const code of ['40001', '40P01']) {
  test(`postgres: a commit that loses with ${code} decides again, and is written once`, async () => {
    const url = await server.createDatabase()
    const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 2 })
    await store.contracts.commit(counting())
    await asAdmin(
      url,
      `create sequence losses;
      create function lose() returns trigger language plpgsql as $$ begin
        if nextval('losses') <= 3 then raise exception using errcode = '${code}'; end if;
        return new;
      end $$;
      create trigger lose before insert on totals for each row execute function lose();`,
    )
    const told: CommitFacts[] = []
    assert.equal(await store.contracts.commit(counting(told)), 2n)
    assert.deepEqual(
      told.map(({ end }) => end.offset),
      [1n, 1n, 1n, 1n],
    )
    await holds(store, 2n)
    await store.close()
  })
}

test('postgres: what cannot be sent takes with it what was sent before', async () => {
  const url = await server.createDatabase()
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 2 })
  await store.contracts.commit(counting())
  const { reads, decide } = counting()
  const unsent = store.contracts.commit({
    reads,
    decide: (facts) => {
      const { result, writes } = decide(facts)
      const updates = writes.updates.map((update) => ({ ...update, body: 'x'.repeat(100_000) }))
      const late = { key: 'k', updateId: 'u', offset: 2n, keptUntil: 2n ** 63n }
      return { result, writes: { ...writes, updates, commands: [late] } }
    },
  })
  await assert.rejects(unsent, RangeError)
  await holds(store, 1n)
  assert.equal(await store.contracts.commit(counting()), 2n)
  await store.close()
})

test('postgres: statements that failed when a connection first ran them work there later', async () => {
  const url = await server.createDatabase()
  const first = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 1 })
  await first.contracts.commit(counting())
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 1 })
  const { reads, decide } = counting()
  const twice = (length: number): Commit<bigint> => ({
    reads,
    decide: (facts) => {
      const { result, writes } = decide(facts)
      const updates = writes.updates.map((update) => ({
        ...update,
        updateId: 'u1',
        body: 'x'.repeat(length),
      }))
      return { result, writes: { ...writes, updates } }
    },
  })
  // What comes behind a long update is sent by itself.
  for (const length of [1, 1_000_000])
    await assert.rejects(store.contracts.commit(twice(length)), { code: 'STORE_CONFLICT' })
  await holds(store, 1n)
  assert.equal(await store.contracts.commit(counting()), 2n)
  await holds(store, 2n)
  await store.close()
  await first.close()
})

/**
 * A way to the server that ends when the first COMMIT passes, before or after that has reached the
 * server.
 */
async function losingCommit(
  url: string,
  reachesServer: boolean,
): Promise<{ url: string; stop(): void }> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let lost = false
  const proxy = createServer((socket) => {
    const onward = connect(Number(target.port || 5_432), target.hostname)
    for (const each of [socket, onward]) sockets.add(each.on('error', () => {}))
    onward.pipe(socket)
    socket.on('data', (data) => {
      const ends = !lost && data.includes('commit\0')
      lost ||= ends
      if (!ends || reachesServer) onward.write(data)
      if (!ends) return
      onward.unpipe(socket).end()
      socket.destroy()
    })
    socket.on('close', () => onward.end())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  assert.ok(typeof address === 'object' && address !== null)
  const stop = (): void => {
    proxy.close()
    for (const socket of sockets) socket.destroy()
  }
  return { url: Object.assign(new URL(url), { host: `127.0.0.1:${address.port}` }).href, stop }
}

for (const [reachesServer, says] of [
  [true, 'is there'],
  [false, 'is unavailable, and not there'],
] as const) {
  test(`postgres: a commit whose answer is lost ${says}`, async () => {
    const direct = await server.createDatabase()
    const first = await openSqlStore({ dialect: 'postgres', connection: direct, poolSize: 2 })
    await first.contracts.commit(counting())
    const way = await losingCommit(direct, reachesServer)
    const store = await openSqlStore({ dialect: 'postgres', connection: way.url, poolSize: 2 })
    const told: CommitFacts[] = []
    if (reachesServer) assert.equal(await store.contracts.commit(counting(told)), 2n)
    else await assert.rejects(store.contracts.commit(counting(told)), { code: 'STORE_UNAVAILABLE' })
    assert.equal(told.length, 1)
    await holds(first, reachesServer ? 2n : 1n)
    const next = await store.contracts.commit(counting())
    assert.equal(next, reachesServer ? 3n : 2n)
    await holds(store, next)
    await store.close()
    await first.close()
    way.stop()
  })
}

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: a value that no column holds takes the whole commit with it`, async () => {
    const store = await (await places[dialect]()).open()
    await store.contracts.commit(counting())
    const { reads, decide } = counting()
    const asked: Commit<bigint> = {
      reads,
      decide: (facts) => {
        const { writes, result } = decide(facts)
        return {
          result,
          writes: {
            ...writes,
            commands: [{ key: 'k', updateId: 'u', offset: 1n, keptUntil: 2n ** 63n }],
          },
        }
      },
    }
    await assert.rejects(store.contracts.commit(asked), RangeError)
    await holds(store, 1n)
    assert.equal(await store.contracts.commit(counting()), 2n)
    await store.close()
  })
}

const REFUSED = { code: 'COMMIT_REFUSED', invariant: 'ledger-end' }

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: nothing is committed where the ledger has two ends, or none`, async () => {
    const place = await places[dialect]()
    const store = await place.open()
    await store.contracts.commit(counting())
    await place.run('insert into ledger_end values (2, 1, 1, 1, 0)')
    await assert.rejects(store.contracts.commit(counting()), REFUSED)
    await place.run('delete from ledger_end where id = 2')
    await holds(store, 1n)
    await place.run('delete from ledger_end')
    await assert.rejects(store.contracts.commit(counting()), REFUSED)
    await place.run('insert into ledger_end values (1, 1, 1, 1, 0)')
    assert.equal(await store.contracts.commit(counting()), 2n)
    await store.close()
  })

  test(`${dialect}: nothing is committed where somebody moves the end in spite of the lock`, async () => {
    const place = await places[dialect]()
    const store = await place.open()
    await store.contracts.commit(counting())
    await place.run(MEDDLING[dialect])
    await assert.rejects(store.contracts.commit(counting()), REFUSED)
    await holds(store, 1n)
    await place.run(dialect === 'sqlite' ? 'drop trigger meddle' : 'drop trigger meddle on updates')
    assert.equal(await store.contracts.commit(counting()), 2n)
    await holds(store, 2n)
    await store.close()
  })
}

test('postgres: the time that decide is told is that of after the lock', async () => {
  const url = await server.createDatabase()
  const store = await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 2 })
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('begin; select last_offset from ledger_end for update')
  const told: CommitFacts[] = []
  const committed = store.contracts.commit(counting(told))
  await new Promise((resolve) => setTimeout(resolve, 200))
  const {
    rows: [released],
  } = await holder.query<{ at: string }>(
    'select cast(extract(epoch from clock_timestamp()) * 1000000 as bigint) as at',
  )
  await holder.query('commit')
  await committed
  assert.ok(
    (told[0]?.now ?? 0n) >= BigInt(released?.at ?? ''),
    'read before the lock was waited for',
  )
  await holder.end()
  await store.close()
})

test('postgres: reads that follow on each other without an end leave the only connection to who waits for it', async () => {
  const config = {
    dialect: 'postgres',
    connection: await server.createDatabase(),
    poolSize: 1,
  } as const
  const pool = new pg.Pool({ ...connectionConfig(config), max: 1 })
  const reads = new SharedReads(pool, () => true)
  let isOver = false
  const reading = async (): Promise<void> => {
    while (!isOver) await reads.run((client) => client.query('select pg_sleep(0.01)'))
  }
  // Some of the twelve are always under way.
  const twelve = Array.from({ length: 12 }, reading)
  try {
    const client = await pool.connect()
    client.release()
  } finally {
    isOver = true
    await Promise.all(twelve)
    await pool.end()
  }
})

test('postgres: what decide throws leaves the connection as it was', async () => {
  const place = await places.postgres()
  const store = await place.open()
  const connections = () =>
    place.run(`select pid from pg_stat_activity
    where application_name = 'ledgerwright' and datname = current_database() order by pid`)
  await store.contracts.commit(counting())
  const before = await connections()
  const rejection = new RangeError('no')
  const failing = {
    ...counting(),
    decide: () => {
      throw rejection
    },
  }
  await assert.rejects(store.contracts.commit(failing), (error) => error === rejection)
  assert.deepEqual(await connections(), before)
  await holds(store, 1n)
  await store.close()
})

for (const dialect of ['sqlite', 'postgres'] as const) {
  test(`${dialect}: contracts of templates that share a hash are told apart`, async () => {
    const place = await places[dialect]()
    const store = await place.open()
    await store.contracts.commit(counting())
    await store.close()
    await place.run(`update contracts set template_id = 'other'`)
    const again = await place.open()
    assert.deepEqual(
      await again.contracts.active({ template: TEMPLATE, order: 'created', limit: 9 }),
      [],
    )
    const snapshot = { offset: 1n, parties: [], after: 0n, limit: 9 }
    assert.deepEqual(await again.contracts.snapshot({ ...snapshot, templates: ['pt'] }), [])
    await again.close()
  })
}
