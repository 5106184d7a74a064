// kill -9 under a load of payments in every way, taps and purchases of traffic, while rounds
// advance and rewards are collected: what was acknowledged is there after the restart and goes on
// to its end, and the audit of the whole ledger finds nothing. CI size 6 kills on SQLite and 2 on
// PostgreSQL; KILLS=50 in full. docs/economy-rules.md, "Invariants"
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { member } from '../../runtime/host/member.ts'
import { assertSound } from '../support/audit.ts'
import type { Audit, Life } from '../support/audit.ts'
import {
  assertAllAcknowledged,
  assertWalletsAgree,
  linesOf,
  openWallets,
  settle,
} from '../support/economy-load.ts'
import type { Wallets } from '../support/economy-load.ts'
import type { Acknowledged, WriterTask } from '../support/economy-writer.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { STORAGES } from '../support/storages.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ask } from '../support/wallet-client.ts'

const KILLS = Number(process.env['KILLS'] ?? 6)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const WRITER = fileURLToPath(new URL('../support/economy-writer.ts', import.meta.url))
const MOMENTS_MS = 500
/** Enough traffic for everything; what is bought costs little; rounds pass while the test runs. */
const NETWORK = {
  traffic: { baseBurstBytes: 10_000_000_000 },
  conversionRate: '1.0',
  tickSeconds: 3,
}

interface Place {
  readonly folder: string
  readonly storage: object
  readonly store: StorePlace
}

/** Acknowledgements and refusals of one client process. */
interface Round {
  readonly acknowledged: readonly Acknowledged[]
  readonly inFlight: readonly string[]
}

for (const [storage, kills] of [
  ['sqlite', KILLS],
  ['postgres', Math.ceil(KILLS / 4)],
] as const) {
  test(`no acknowledged payment is lost by ${kills} kills on ${storage} (SEED=${SEED})`, async () => {
    const folder = await tempDir()
    const under = STORAGES.find(({ name }) => name === storage)
    assert.ok(under)
    const section = await under.section()
    try {
      await killAgainAndAgain(
        { folder: folder.path, storage: section, store: placeOf(section, folder.path) },
        storage,
        kills,
      )
    } finally {
      await under.release()
      await folder.remove()
    }
  })
}

async function killAgainAndAgain(place: Place, storage: string, kills: number): Promise<void> {
  const rounds: Round[] = []
  let wallets: Wallets | undefined
  for (let number = 0; number < kills; number += 1) {
    const service = await start(place)
    try {
      wallets ??= await openWallets(service)
      await assertAllThere(place, rounds.slice(-1))
      rounds.push(await payUntilKilled(service, wallets, number))
    } finally {
      await service.kill()
    }
  }
  const last = await start(place)
  try {
    assert.ok(wallets)
    await settle(last, wallets)
    await assertWalletsAgree(last, wallets, await assertAllThere(place, rounds))
    await assertRepeatable(last, wallets, rounds.at(-1)?.acknowledged ?? [])
    const audit = await assertAllThere(place, [])
    report(storage, rounds, assertEnded(audit, rounds))
    reportLedger(storage, audit)
  } finally {
    await last.stop()
  }
}

function start({ folder, storage }: Place): Promise<Service> {
  return startService({ dataDir: folder, config: { storage, network: NETWORK }, seeded: true })
}

/** The kill comes at a moment of the seed's choice, once payments are under way. */
async function payUntilKilled(service: Service, wallets: Wallets, round: number): Promise<Round> {
  const file = join(service.dataDir, `round-${round}.jsonl`)
  const task: WriterTask = { url: service.url, file, round, ...wallets }
  const writer = spawn(process.execPath, [WRITER, JSON.stringify(task)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(writer, 'close')
  for (let tries = 0; tries < 1_000 && (await linesOf(file)).length < 20; tries += 1)
    await sleep(10)
  await sleep(createHash('sha256').update(`${SEED} ${round}`).digest().readUInt32BE() % MOMENTS_MS)
  await service.kill()
  await ended
  const lines = await linesOf(file)
  assert.deepEqual(
    lines.filter(({ state }) => state === 'refused').slice(0, 5),
    [],
    'what was refused',
  )
  return {
    acknowledged: lines.flatMap((line) => (line.state === 'acknowledged' ? line.done : [])),
    inFlight: lines.flatMap((line) => (line.state === 'gone' ? line.inFlight : [])),
  }
}

/** The audit of everything, and each acknowledged change of the rounds. */
async function assertAllThere({ store }: Place, rounds: readonly Round[]): Promise<Audit> {
  const rows = await readStore(store)
  const audit = assertSound(rows)
  assertAllAcknowledged(
    rounds.flatMap(({ acknowledged }) => acknowledged),
    audit,
    rows,
  )
  return audit
}

/**
 * Accepted offers were paid, all but those that nobody could pay. Answers how many requests of each
 * round were done, but not answered.
 */
function assertEnded({ lives }: Audit, rounds: readonly Round[]): readonly number[] {
  for (const { what, id, contractId } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
    if (what !== 'accept') continue
    assert.equal(
      lives.get(contractId)?.archivedBy.endsWith('_Complete'),
      !id.includes('-dear-'),
      id,
    )
  }
  const trackingIds = new Set([...lives.values()].flatMap(({ keys }) => keys))
  const isCommitted = (request: string): boolean =>
    /^(offer|traffic) /.test(request) && trackingIds.has(request.split(' ')[1] ?? '')
  return rounds.map(({ inFlight }) => inFlight.filter(isCommitted).length)
}

/** Asserts that unanswered requests can be repeated, and that nothing happens twice. */
async function assertRepeatable(
  { url }: Service,
  { users }: Wallets,
  done: readonly Acknowledged[],
): Promise<void> {
  for (const { user, id, contractId } of done.filter(({ what }) => what === 'tap').slice(-5)) {
    const again = await ask(url, users[user] ?? users[0], 'POST /tap', {
      amount: '0.25',
      command_id: id,
    })
    assert.equal(member(again.json, 'contract_id'), contractId, again.text)
  }
  for (const { user, id } of done.filter(({ what }) => what === 'send').slice(-5)) {
    const body = {
      receiver_party_id: users[1 - user]?.party,
      amount: '0.25',
      deduplication_id: id,
      description: id,
    }
    const again = await ask(url, users[user] ?? users[0], 'POST /transfer-preapproval/send', body)
    assert.equal(again.status, 200, again.text)
  }
}

function report(storage: string, rounds: readonly Round[], unheard: readonly number[]): void {
  const counts = Object.entries(
    Object.groupBy(
      rounds.flatMap(({ acknowledged }) => acknowledged),
      ({ what }) => what,
    ),
  )
  const landed = rounds.filter(({ inFlight }) => inFlight.length > 0).length
  const committed = unheard.filter((count) => count > 0).length
  console.log(
    `${storage}: acknowledged ${counts.map(([what, found]) => `${found.length} ${what}`).join(', ')}`,
  )
  console.log(
    `${storage}: ${landed} of ${rounds.length} kills landed on requests in flight, ` +
      `${committed} between a commit and its acknowledgement`,
  )
  assert.ok(landed > rounds.length / 2, 'most kills must land on requests in flight')
}

function reportLedger(storage: string, { updates, lives }: Audit): void {
  const count = (matches: (life: Life) => boolean): number =>
    [...lives.values()].filter(matches).length
  const opened = count(({ entity }) => entity === 'OpenMiningRound')
  const collected = count(
    ({ entity, archived }) => /RewardCoupon|ActivityRecord/.test(entity) && archived !== 0,
  )
  console.log(
    `${storage}: ${updates} updates, ${opened} rounds were opened, ${collected} coupons collected or expired`,
  )
}
