// A database that went back, or that goes on from another past than a server has seen, is not
// served: not by servers that run, nor by those that start, until an operator decides.
import assert from 'node:assert/strict'
import { copyFile, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { asAdmin } from '../support/postgres.ts'
import { startServers } from '../support/servers.ts'
import type { Server } from '../support/servers.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'
import { MAIN, run } from './cli-kit.ts'

const TAP = 'POST /api/validator/v0/wallet/tap'
const LOSS =
  /the database has another history than this server has seen: .*offsets \d+ to \d+, recorded after .* are missing or replaced by others; it ends at offset \d+/
const NOT_READY = { error: 'The service is shutting down or not ready.' }

describe('one history', { concurrency: true }, () => {
  test('a SQLite file that was put back is served again only where that is accepted', async () => {
    const { path: dataDir, remove } = await tempDir()
    after(remove)
    const file = join(dataDir, 'ledgerwright.sqlite')
    const start = (): Promise<Service> =>
      startService({ config: { storage: { use: 'sqlite' } }, dataDir })
    let token: string | undefined
    const tapOnce = async (): Promise<void> => {
      const service = await start()
      token ??= await service.token('operator')
      await tap(service.url, token)
      await service.stop()
    }
    const putBack = async (): Promise<void> => {
      for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
      await copyFile(`${file}.old`, file)
    }
    await tapOnce()
    await copyFile(file, `${file}.old`)
    await tapOnce()
    await putBack()
    await assert.rejects(start(), LOSS)

    // Somebody else went on from the copy: as far as this server has seen, with other updates.
    await copyFile(join(dataDir, 'history.json'), join(dataDir, 'kept.json'))
    await rm(join(dataDir, 'history.json'))
    await tapOnce()
    await copyFile(join(dataDir, 'kept.json'), join(dataDir, 'history.json'))
    await assert.rejects(start(), LOSS)

    const flags = ['--data', dataDir, '--config', join(dataDir, 'ledgerwright.config.json')]
    const told = await run(MAIN, ['history', '--accept', ...flags], { cwd: dataDir })
    assert.deepEqual([told.code, LOSS.test(told.stderr)], [1, true], told.stderr)
    const accepted = await run(MAIN, ['history', '--accept', '--yes', ...flags], {
      cwd: dataDir,
    })
    assert.equal(accepted.code, 0, accepted.stderr)
    assert.match(accepted.stdout, LOSS)
    await tapOnce()
    const well = await run(MAIN, ['history', ...flags], { cwd: dataDir })
    assert.match(well.stdout, /^nothing is missing: the ledger ends at offset \d+\n$/)
  })

  test('servers whose PostgreSQL goes back while they run stop serving, also one that only read', async () => {
    const servers = await startServers(2)
    after(() => servers.stop())
    const [writer, reader] = servers.all
    assert.ok(writer && reader)
    // Who has seen nothing of what stays cannot say where the rest begins.
    for (const server of [writer, reader]) await remembers(server, 1)
    const name = new URL(servers.databaseUrl).pathname.slice(1)
    await offline(servers.databaseUrl, `create database ${name}_old template ${name}`)
    const old = await endIn(`${servers.databaseUrl}_old`)
    await retried(async () => assert.equal(await tapStatus(writer), 200))
    const end = await endOf(writer)
    // Automations may have gone on meanwhile.
    await retried(async () => assert.ok((await endOf(reader)) >= end))
    await remembers(reader, end)
    await offline(
      servers.databaseUrl,
      `drop database ${name}`,
      `alter database ${name}_old rename to ${name}`,
    )
    for (const server of [writer, reader]) {
      await retried(async () => {
        const { status, text } = await call(server.url, 'GET /readyz')
        assert.equal(status, 503)
        assert.match(text, LOSS)
      })
      const { token } = server.alice
      for (const request of [TAP, 'GET /api/validator/v0/wallet/balance']) {
        const body = request === TAP ? { body: { amount: '1.0' } } : {}
        const refused = await call(server.url, request, { token, ...body })
        assert.deepEqual([refused.status, refused.json], [503, NOT_READY])
      }
      assert.equal((await call(server.url, 'GET /livez')).status, 200)
    }
    assert.equal(await endIn(servers.databaseUrl), old, 'nothing was written')
  })
})

async function tap(url: string, token: string): Promise<void> {
  const tapped = await call(url, TAP, { token, body: { amount: '1.0' } })
  assert.equal(tapped.status, 200, tapped.text)
}

async function tapStatus({ url, alice }: Server): Promise<number> {
  return (await call(url, TAP, { token: alice.token, body: { amount: '1.0' } })).status
}

async function endOf({ url, alice }: Server): Promise<number> {
  const { json } = await call(url, 'GET /v2/state/ledger-end', { token: alice.token })
  return Number(member(json, 'offset'))
}

/** Asserts what the data folder remembers of a stopped server. */
async function remembers({ service }: Server, offset: number): Promise<void> {
  await retried(async () => {
    // It is written once a second: soon after the start it is not there yet.
    const text = await readFile(join(service.dataDir, 'history.json'), 'utf8').catch(() => '{}')
    const links: unknown = member(JSON.parse(text), 'links')
    assert.ok(Array.isArray(links) && Number(member(links.at(-1), 'offset')) >= offset)
  })
}

async function endIn(url: string): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ end: number }>(
      'select last_offset::int as end from ledger_end',
    )
    return rows[0]?.end ?? -1
  } finally {
    await client.end()
  }
}

/** Runs SQL while nobody is connected to the database, and nobody can be. */
async function offline(url: string, ...sql: readonly string[]): Promise<void> {
  const { pathname } = new URL(url)
  const name = pathname.slice(1)
  const server = Object.assign(new URL(url), { pathname: '/postgres' }).href
  await asAdmin(server, `alter database ${name} with allow_connections false`)
  await asAdmin(
    server,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  )
  for (const each of sql) await retriedWhileUsed(() => asAdmin(server, each))
  await asAdmin(server, `alter database ${name} with allow_connections true`)
}

/** Connections that were ended take a moment to be gone. */
async function retriedWhileUsed(act: () => Promise<void>): Promise<void> {
  await retried(async () => {
    const error = await act().catch((reason: unknown) => reason)
    assert.equal(error, undefined)
  })
}
