// Three servers on one PostgreSQL, 65 clients that pay each other in every way, and something bad
// every second: a server is killed with -9 and started again, connections of the database are cut,
// the clock of a server goes ahead or back or stands still. Nothing acknowledged is lost, offsets
// have no gap, record times are those at which things happened, the audit finds nothing, and
// clients see documented errors only. CI size 8 s; SECONDS=60 in full. docs/economy-rules.md,
// "Invariants"
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { assertSound } from '../support/audit.ts'
import {
  assertAllAcknowledged,
  assertWalletsAgree,
  linesOf,
  openWallets,
  settle,
} from '../support/economy-load.ts'
import type { Wallets } from '../support/economy-load.ts'
import type { WriterLine, WriterTask } from '../support/economy-writer.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { readStore } from '../support/store-file.ts'
import type { StoreRows } from '../support/store-file.ts'
import { tempDir } from '../support/temp-dir.ts'
import { setClock, wrongClock } from '../support/wrong-clock.ts'
import type { Wrong } from '../support/wrong-clock.ts'

const CHAOS_MS = Number(process.env['SECONDS'] ?? 8) * 1_000
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const WRITER = fileURLToPath(new URL('../support/economy-writer.ts', import.meta.url))
const SERVERS = 3
/** Clients with 13 lanes each. */
const CLIENTS = 5
const NETWORK = {
  traffic: { baseBurstBytes: 100_000_000_000 },
  conversionRate: '1.0',
  tickSeconds: 3,
}
/**
 * What an overloaded, half-dead deployment may answer: the service is away for a moment, others
 * were faster, the same id is under way.
 */
const DOCUMENTED = /: (503|429|409|404|400) \{"(error|code)":/

interface Wreckage {
  readonly killed: number
  readonly cut: number
  /** The number of times that one was wrong. */
  readonly clocks: number
}

/** Faults of clocks by turns: within what servers accept of each other, and far beyond. */
const WRONG_CLOCKS: readonly Wrong[] = [
  { byMs: 25 * 3_600_000 },
  { byMs: 8_000 },
  { byMs: -3_600_000 },
  { byMs: -8_000 },
  { byMs: -30_000, stands: true },
  { byMs: 10 * 31_557_600_000 },
]
const RIGHT_CLOCK: Wrong = { byMs: 0 }
/** `ledger.maxClockSkewMs`. */
const BOUND_MICROS = 10_000_000n

const [files, postgres] = await Promise.all([tempDir(), startPostgres()])
after(async () => {
  await postgres.stop()
  await files.remove()
})

test(`servers die, connections break and clocks are wrong for ${CHAOS_MS / 1_000} s, and nothing is lost (SEED=${SEED})`, async () => {
  const url = await postgres.createDatabase()
  const began = BigInt(Date.now()) * 1_000n
  const servers = await startAll(url)
  try {
    const [first] = servers
    assert.ok(first)
    const wallets = await openWallets(first)
    const serversFile = join(files.path, 'servers.json')
    await publish(serversFile, servers)
    const writers = Array.from({ length: CLIENTS }, (_, round) =>
      client({ url: first.url, serversFile, round, ...wallets }),
    )
    const kills = await wreak(servers, url, serversFile)
    for (const writer of writers) writer.kill('SIGTERM')
    await Promise.all(
      writers.map((writer) => (writer.exitCode === null ? once(writer, 'close') : undefined)),
    )
    await judge(servers, wallets, url, kills)
    assertTimely(await readStore({ url }), began)
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
})

/** All at once, on an empty database. */
async function startAll(url: string): Promise<Service[]> {
  return Promise.all(Array.from({ length: SERVERS }, (_, index) => startOne(url, index)))
}

async function startOne(url: string, index: number): Promise<Service> {
  const env = await wrongClock(await clockFolder(index), RIGHT_CLOCK)
  return startService({
    dataDir: files.path,
    config: { storage: { use: 'postgres', url }, network: NETWORK },
    seeded: true,
    env,
  })
}

async function clockFolder(index: number): Promise<string> {
  const folder = join(files.path, `clock-${index}`)
  await mkdir(folder, { recursive: true })
  return folder
}

/** The file appears whole: clients read it at any moment. */
async function publish(file: string, servers: readonly Service[]): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(servers.map(({ url }) => url)))
  await rename(`${file}.new`, file)
}

function client(task: Omit<WriterTask, 'file'>): ChildProcess {
  const file = lineFile(task.round)
  return spawn(process.execPath, [WRITER, JSON.stringify({ ...task, file } satisfies WriterTask)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

function lineFile(round: number): string {
  return join(files.path, `client-${round}.jsonl`)
}

/** Kills and cuts by turns, in an order that the seed decides; answers how often. */
async function wreak(servers: Service[], url: string, serversFile: string): Promise<Wreckage> {
  let [killed, cut, clocks] = [0, 0, 0]
  for (const end = performance.now() + CHAOS_MS; performance.now() < end;) {
    await sleep(choice(`wait ${killed} ${cut}`, 1_000))
    await cutConnections(url)
    cut += 1
    const index = choice(`server ${killed}`, SERVERS)
    const other = (index + 1) % SERVERS
    await set(
      servers,
      other,
      WRONG_CLOCKS[(choice('first clock', WRONG_CLOCKS.length) + clocks) % WRONG_CLOCKS.length] ??
        RIGHT_CLOCK,
    )
    clocks += 1
    await sleep(choice(`kill ${killed}`, 1_000))
    await servers[index]?.kill()
    servers[index] = await startOne(url, index)
    await set(servers, other, RIGHT_CLOCK)
    await publish(serversFile, servers)
    killed += 1
  }
  return { killed, cut, clocks }
}

async function set(servers: readonly Service[], index: number, wrong: Wrong): Promise<void> {
  const server = servers[index]
  if (server !== undefined) await setClock(server, await clockFolder(index), wrong)
}

/** Asserts that everything was recorded at about its time, whatever a clock showed. */
function assertTimely({ updates }: StoreRows, began: bigint): void {
  const ended = BigInt(Date.now()) * 1_000n
  const untimely = updates
    .map(({ record_time: at }) => BigInt(at))
    .filter((at) => at < began - BOUND_MICROS || at > ended + BOUND_MICROS)
  assert.deepEqual(untimely.slice(0, 5), [], 'recorded at a wrong time')
}

/** A whole number below `limit`. */
function choice(what: string, limit: number): number {
  return createHash('sha256').update(`${SEED} ${what}`).digest().readUInt32BE() % limit
}

/** Every other connection to the database ends at once. */
async function cutConnections(url: string): Promise<void> {
  await asAdmin(
    postgres.url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = '${new URL(url).pathname.slice(1)}' and pid % 2 = 0`,
  )
}

async function judge(
  servers: readonly Service[],
  wallets: Wallets,
  url: string,
  { killed, cut, clocks }: Wreckage,
): Promise<void> {
  const [server] = servers
  assert.ok(server)
  await settle(server, wallets)
  const lines = (
    await Promise.all(Array.from({ length: CLIENTS }, (_, round) => linesOf(lineFile(round))))
  ).flat()
  const done = lines.flatMap((line) => (line.state === 'acknowledged' ? line.done : []))
  const rows = await readStore({ url })
  const audit = assertSound(rows)
  assertAllAcknowledged(done, audit, rows)
  await assertWalletsAgree(server, wallets, assertSound(await readStore({ url })))
  const refused = rejections(lines)
  assert.deepEqual(
    refused.filter((answer) => !DOCUMENTED.test(answer)).slice(0, 5),
    [],
    'refused by what no document says',
  )
  console.log(
    `${killed} servers killed, connections cut ${cut} times, ${clocks} wrong clocks, ${done.length} changes acknowledged and there, ` +
      `${refused.length} refused, ${audit.updates} updates`,
  )
  for (const [kind, answers] of Map.groupBy(refused, kindOf))
    console.log(`${answers.length} times ${kind}`)
  assert.ok(killed > 0 && done.length > 0)
}

function rejections(lines: readonly WriterLine[]): readonly string[] {
  return lines.flatMap((line) => (line.state === 'refused' ? [line.answer] : []))
}

/** An answer without what is particular to it. */
function kindOf(answer: string): string {
  return answer
    .replace(/^(\S+) \S+:/, '$1:')
    .replaceAll(/[0-9a-f]{16,}/g, '…')
    .slice(0, 160)
}
