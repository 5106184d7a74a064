// A PostgreSQL whose disk is full: the service says so by name, refuses writes with that reason,
// reads on, and goes on by itself once there is space. The disk is a small file system with a
// tablespace on it, where this process may mount one for a server of this machine.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { fillDisk, mountSmall } from '../support/small-disk.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'

const DISK = '64m'

test('a full database is told, refuses writes, and goes on with space', async (t) => {
  const undo: (() => unknown)[] = []
  t.after(async () => {
    for (const act of undo.toReversed()) await act()
  })
  const postgres = await startPostgres()
  undo.push(() => postgres.stop())
  const folder = mkdtempSync(join(tmpdir(), 'lw-disk-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  const owner = await ownerOf(postgres.url)
  const missing =
    owner === undefined ? 'the database is not on this machine' : mountSmall(folder, DISK)
  if (missing !== undefined || owner === undefined) {
    console.log(`not run: ${missing}`)
    return t.skip(missing)
  }
  undo.push(() => execFileSync('umount', [folder]))
  chmodSync(folder, 0o755)
  const name = `full_${randomUUID().replaceAll('-', '')}`
  const place = join(folder, 'space')
  mkdirSync(place, { mode: 0o700 })
  chownSync(place, owner, -1)
  await asAdmin(postgres.url, `create tablespace ${name} location '${place}'`)
  undo.push(() => asAdmin(postgres.url, `drop tablespace ${name}`))
  await asAdmin(postgres.url, `create database ${name} tablespace ${name}`)
  undo.push(() => asAdmin(postgres.url, `drop database ${name} with (force)`))
  const url = Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href
  const service = await startService({ config: { storage: { use: 'postgres', url } } })
  undo.push(() => service.stop())

  const token = await service.token('participant_admin')
  let users = 0
  const write = (): Promise<Answer> => {
    users += 1
    const annotations = { note: randomUUID().repeat(5_000) }
    const user = { id: `user-${users}`, metadata: { annotations } }
    return call(service.url, 'POST /v2/users', { token, body: { user } })
  }
  const ready = (): Promise<Answer> => call(service.url, 'GET /readyz')

  assert.equal((await write()).status, 200)
  const ballast = join(folder, 'ballast')
  await fillDisk(ballast)
  const refused = await retried(async () => {
    const answer = await write()
    assert.equal(answer.status, 503, answer.text)
    return answer
  })
  assert.equal(member(refused.json, 'code'), 'STORAGE_FULL')
  const unready = await ready()
  assert.equal(unready.status, 503)
  assert.match(unready.text, /storage-full: the database's disk is full/)
  assert.equal((await call(service.url, 'GET /v2/users/user-1', { token })).status, 200)

  rmSync(ballast)
  await retried(async () => assert.equal((await ready()).status, 200))
  assert.equal((await write()).status, 200)
})

/** The system user that a server of this machine runs as; undefined where it is elsewhere. */
async function ownerOf(url: string): Promise<number | undefined> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return statSync(rows[0]?.data_directory ?? '').uid
  } catch {
    return undefined
  } finally {
    await client.end()
  }
}
