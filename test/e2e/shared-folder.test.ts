// Several servers on one SQLite file work, and each says at its start who else is there; what a
// killed server leaves is no server. That payments of one party at two such servers come out right
// is in spend-race.test.ts. docs/scaling.md
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MAIN, run, serveStub, tempFolder } from './cli-kit.ts'
import type { Serving } from './cli-kit.ts'

const BEGAN_MS = Date.now()
const folder = tempFolder()
after(async () => {
  await Promise.all(started.map((server) => server.stop('SIGKILL')))
  folder.remove()
})

const SHARED = /^ {2}shared {6}with another server, process (\d+), since (\S+)$/gm

/** The processes that the banner names. */
function othersOf(server: Serving): readonly number[] {
  return Array.from(server.text().stdout.matchAll(SHARED), ([, pid, since]) => {
    const sinceMs = Date.parse(since ?? '')
    assert.ok(sinceMs >= BEGAN_MS && sinceMs <= Date.now(), `since ${since}`)
    return Number(pid)
  })
}

const started: Serving[] = []

async function start(): Promise<Serving> {
  const server = await serveStub(['--data', 'data'], { cwd: folder.path })
  started.push(server)
  return server
}

test('each server names those that were there before it, and none that has ended, however it ended', async () => {
  const first = await start()
  assert.deepEqual(othersOf(first), [])
  for (const args of [['migrate'], ['prune', '--up-to', '0'], ['token', '--user', 'ann']]) {
    assert.equal((await run(MAIN, [...args, '--data', 'data'], { cwd: folder.path })).code, 0)
  }
  const [second, third] = [await start(), await start()]
  assert.deepEqual(othersOf(second), [first.pid])
  assert.deepEqual(othersOf(third), [first.pid, second.pid])
  await first.stop('SIGKILL')
  assert.match((await third.stop()).stderr, /"msg":"another server uses the same data"/)
  const fourth = await start()
  assert.deepEqual(othersOf(fourth), [second.pid])
  await second.stop('SIGKILL')
  await fourth.stop('SIGKILL')
  const last = await start()
  assert.deepEqual(othersOf(last), [])
  await last.stop()
  const left = readdirSync(join(folder.path, 'data'))
  assert.deepEqual(left.toSorted(), ['auth-open.key', 'ledgerwright.sqlite'])
})

test('servers that start together all run, and none is taken for another', async () => {
  const servers = await Promise.all([start(), start(), start(), start()])
  const pids = servers.map(({ pid }) => pid)
  for (const server of servers)
    assert.ok(othersOf(server).every((pid) => pid !== server.pid && pids.includes(pid)))
  const last = await start()
  assert.deepEqual(othersOf(last).toSorted(), pids.toSorted())
  for (const server of [...servers, last]) assert.equal((await server.stop()).code, 0)
})
