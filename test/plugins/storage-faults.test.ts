// What goes wrong around a store: each fault ends in one clear line or in StoreUnavailable.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, open, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { tempDir } from '../support/temp-dir.ts'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { ChildProcess } from 'node:child_process'
import type { Store } from '../../runtime/index.ts'
import { aUser } from '../../runtime/testing/storage/check.ts'
const CHILD = fileURLToPath(new URL('../support/storage-child.ts', import.meta.url))
const NOBODY = 65_534

const folder = await tempDir()
const server = await startPostgres()
after(async () => {
  await server.stop()
  await folder.remove()
})

const user = aUser('ann')

function openFile(name: string): Promise<Store> {
  return openSqlStore({ dialect: 'sqlite', file: join(folder.path, name), busyTimeoutMs: 50 })
}

function openUrl(url: string, schema?: string): Promise<Store> {
  return openSqlStore({ dialect: 'postgres', connection: url, poolSize: 4, schema })
}

/** The error is one line that names the place and says why. */
async function refuses(opening: Promise<Store>, place: string, reason: RegExp): Promise<void> {
  await assert.rejects(opening, (error: Error) => {
    assert.ok(error.message.includes(place), error.message)
    assert.match(error.message, reason)
    assert.ok(!error.message.includes('\n'), error.message)
    return true
  })
}

function child(args: readonly string[], options: { uid?: number } = {}): ChildProcess {
  return spawn(process.execPath, [CHILD, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
}

async function linesOf(process: ChildProcess): Promise<readonly string[]> {
  assert.ok(process.stdout)
  return Array.fromAsync(createInterface({ input: process.stdout }))
}

test('sqlite: a folder without write permission', async () => {
  const readOnly = join(folder.path, 'read-only')
  await mkdir(readOnly, { mode: 0o555 })
  await chmod(folder.path, 0o755)
  const asSomebody = process.getuid?.() === 0 ? { uid: NOBODY } : {}
  for (const file of ['x.sqlite', 'deeper/x.sqlite']) {
    const [line] = await linesOf(child(['open', join(readOnly, file)], asSomebody))
    assert.match(
      line ?? '',
      /^failed Cannot use the data file .*read-only.*: .*(writable|permission)/,
    )
  }
})

test('sqlite: a part of the path is a file', async () => {
  await writeFile(join(folder.path, 'file'), '')
  await refuses(openFile('file/x.sqlite'), 'file/x.sqlite', /not a folder/)
})

test('sqlite: the folder cannot be made', () =>
  refuses(
    openSqlStore({ dialect: 'sqlite', file: '/proc/nowhere/x.sqlite' }),
    '/proc/nowhere/x.sqlite',
    /folder/,
  ))

test('sqlite: the path is a folder', async () => {
  await mkdir(join(folder.path, 'folder.sqlite'))
  await refuses(openFile('folder.sqlite'), 'folder.sqlite', /cannot be opened/)
})

test('sqlite: a file that is no database', async () => {
  await writeFile(
    join(folder.path, 'text.sqlite'),
    'This is a letter, not a database.\n'.repeat(200),
  )
  await refuses(openFile('text.sqlite'), 'text.sqlite', /not an SQLite database/)
})

test('sqlite: a damaged file', async () => {
  await (await openFile('damaged.sqlite')).close()
  const file = await open(join(folder.path, 'damaged.sqlite'), 'r+')
  await file.write(Buffer.alloc(3_900, 0xff), 0, 3_900, 100)
  await file.close()
  await refuses(openFile('damaged.sqlite'), 'damaged.sqlite', /damaged/)
})

test('sqlite: a lock that another process keeps makes writes unavailable, reads go on', async () => {
  const store = await openFile('locked.sqlite')
  const other = new SqliteDatabase(join(folder.path, 'locked.sqlite'))
  other.exec('begin immediate')
  await assert.rejects(store.users.create(user, []), { code: 'STORE_UNAVAILABLE', message: /lock/ })
  assert.equal(await store.users.get('ann'), undefined)
  other.exec('rollback')
  other.close()
  assert.equal(await store.users.create(user, []), 'created')
  await store.close()
})

test('four processes race on one file', () => racesFairly([join(folder.path, 'racers.sqlite')]))

test('four processes race in one schema', async () =>
  racesFairly([await server.createDatabase(), 'racers']))

/**
 * Each update that was said to win counts once in the version, each right granted is there, and no
 * more than the limit.
 */
async function racesFairly([place = '', schema]: readonly string[]): Promise<void> {
  const store =
    schema === undefined
      ? await openSqlStore({ dialect: 'sqlite', file: place })
      : await openUrl(place, schema)
  await store.users.create(user, [])
  const args = schema === undefined ? ['race', place] : ['race', place, schema]
  const lines = (await Promise.all([1, 2, 3, 4].map(() => linesOf(child(args))))).flat()
  const won = lines
    .filter((line) => line.startsWith('won '))
    .map((line) => line.split(' ').slice(1).map(Number))
  assert.equal(won.length, 4, lines.join('\n'))
  const total = (index: number): number =>
    won.reduce((sum, counts) => sum + (counts[index] ?? 0), 0)
  assert.equal((await store.users.get('ann'))?.resourceVersion, BigInt(total(0)))
  assert.equal(total(1), 200)
  assert.equal((await store.users.rights('ann'))?.length, 200)
  await store.close()
}

test('postgres: nobody listens', async () => {
  const { port } = await listening(createServer())
  await refuses(
    openUrl(`postgres://user:secret@127.0.0.1:${port}/db`),
    `user@127.0.0.1:${port}/db`,
    /ECONNREFUSED/,
  )
})

test('postgres: wrong password and missing database, without the password in the message', async () => {
  const wrong = Object.assign(new URL(server.url), { password: 'swordfish' }).href
  await assert.rejects(openUrl(wrong), (error: Error) => !error.message.includes('swordfish'))
  const missing = Object.assign(new URL(server.url), { pathname: '/not_there' }).href
  await refuses(openUrl(missing), '/not_there', /does not exist/)
})

test('postgres: ended connections answer unavailable, the process lives and the next call works', async () => {
  const url = await server.createDatabase()
  const store = await openUrl(url)
  await store.users.create(user, [])
  for (let round = 0; round < 5; round += 1) {
    const calls = Promise.allSettled(
      Array.from({ length: 20 }, () =>
        store.users.grant('ann', [{ kind: 'k', party: `${round}` }], 99),
      ),
    )
    // Waits until they have ended, which takes a busy machine a while.
    await asAdmin(
      url,
      `select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
    )
    for (const call of await calls) {
      if (call.status === 'rejected')
        assert.equal(call.reason.code, 'STORE_UNAVAILABLE', String(call.reason))
    }
    await sleep(50)
    assert.equal((await store.users.get('ann'))?.id, 'ann')
  }
  await store.close()
})

test('postgres: transactions that lost against others run again, up to a limit', async () => {
  const url = await server.createDatabase()
  const store = await openUrl(url)
  await store.users.create(user, [])
  const losing = (code: string, times: number): Promise<void> =>
    asAdmin(
      url,
      `
    drop sequence if exists losses;
    create sequence losses;
    create or replace function lose() returns trigger language plpgsql as $$ begin
      if nextval('losses') <= ${times} then raise exception using errcode = '${code}'; end if;
      return new;
    end $$;
    create or replace trigger lose before insert or update on user_rights for each row execute function lose();
    create or replace trigger lose before insert or update on users for each row execute function lose();`,
    )
  const change = {
    primaryParty: 'p',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations: {},
  }
  for (const [index, code] of ['40001', '40P01'].entries()) {
    const right = { kind: 'k', party: code }
    await losing(code, 3)
    assert.deepEqual(await store.users.grant('ann', [right], 9), [right])
    await losing(code, 3)
    assert.equal(typeof (await store.users.update('ann', BigInt(index), change)), 'object')
    await losing(code, 1_000)
    await assert.rejects(store.users.grant('ann', [{ kind: 'k', party: 'x' }], 9), {
      code: 'STORE_UNAVAILABLE',
    })
  }
  assert.equal((await store.users.rights('ann'))?.length, 2)
  await store.close()
})

test('postgres: down and up again', async () => {
  const target = new URL(await server.createDatabase())
  const sockets = new Set<Socket>()
  const forward = (): Server =>
    createServer((socket) => {
      const onward = connect(Number(target.port || 5_432), target.hostname)
      for (const each of [socket, onward]) sockets.add(each.on('error', () => {}))
      socket.pipe(onward).pipe(socket)
    })
  const first = forward()
  const { port } = await listening(first, true)
  const store = await openUrl(Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href)
  await store.users.create(user, [])
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => first.close(resolve))
  await assert.rejects(store.users.get('ann'), { code: 'STORE_UNAVAILABLE' })
  await assert.rejects(store.ping(), { code: 'STORE_UNAVAILABLE' })
  const second = forward()
  await new Promise<void>((resolve) => second.listen(port, '127.0.0.1', resolve))
  assert.equal((await store.users.get('ann'))?.id, 'ann')
  await store.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => second.close(resolve))
})

test('postgres: a connection that falls silent is given up, and the next one serves', async () => {
  const target = new URL(await server.createDatabase())
  const sockets: Socket[] = []
  let isSilent = false
  const way = createServer((socket) => {
    const onward = connect(Number(target.port || 5_432), target.hostname)
    for (const each of [socket, onward]) sockets.push(each.on('error', () => {}))
    socket.on('data', (data) => isSilent || onward.write(data))
    onward.pipe(socket)
  })
  const { port } = await listening(way, true)
  const connection = Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href
  const store = await openSqlStore({
    dialect: 'postgres',
    connection,
    poolSize: 2,
    silenceMs: 3_000,
  })
  await store.users.create(user, [])
  // Both connections are there: one that cannot be made is another matter.
  await Promise.all([store.users.get('ann'), store.users.grant('ann', [], 9)])
  isSilent = true
  const calls = [
    store.users.get('ann'),
    store.users.get('bob'),
    store.users.grant('ann', [{ kind: 'k', party: 'p' }], 9),
  ]
  for (const call of await Promise.allSettled(calls)) {
    assert.equal(call.status === 'rejected' && call.reason.code, 'STORE_UNAVAILABLE')
  }
  isSilent = false
  assert.equal((await store.users.get('ann'))?.id, 'ann')
  await store.close()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => way.close(resolve))
})

async function listening(tcp: Server, keep = false): Promise<AddressInfo> {
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const address = tcp.address()
  assert.ok(address !== null && typeof address === 'object')
  if (!keep) await new Promise((resolve) => tcp.close(resolve))
  return address
}
