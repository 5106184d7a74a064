// kill -9 under a load of payments in every way, taps and purchases of traffic, while rounds advance and rewards are collected: what was
// acknowledged is there after the restart and goes on to its end, and the audit of the whole ledger finds nothing.
// CI size 10 kills on SQLite and 3 on PostgreSQL; KILLS=50 in full. domain/behaviour.md §17; rulings.md 31, 32
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { member } from '../../runtime/host/member.ts'
import { assertSound, historySum } from '../support/audit.ts'
import type { Audit, Life } from '../support/audit.ts'
import type { Acknowledged, WriterLine, WriterTask } from '../support/economy-writer.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { STORAGES } from '../support/storages.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace, StoreRows } from '../support/store-file.ts'
import { tempDir } from '../support/temp-dir.ts'
import { ask, isServed, WALLET } from '../support/wallet-client.ts'
import type { PaymentKind, WalletUser } from '../support/wallet-client.ts'

const KILLS = Number(process.env['KILLS'] ?? 10)
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const WRITER = fileURLToPath(new URL('../support/economy-writer.ts', import.meta.url))
const MOMENTS_MS = 500
const SETTLE_MS = 20_000
/** Enough traffic for everything; what is bought costs little; rounds pass while the test runs. */
const NETWORK = { traffic: { baseBurstBytes: 10_000_000_000 }, conversionRate: '1.0', tickSeconds: 3 }

interface Place {
  readonly folder: string
  readonly storage: object
  readonly store: StorePlace
}

interface Wallets {
  readonly users: readonly [WalletUser, WalletUser]
  readonly kinds: readonly PaymentKind[]
  readonly traffic: WriterTask['traffic']
}

/** What one client process wrote down. */
interface Round {
  readonly acknowledged: readonly Acknowledged[]
  readonly inFlight: readonly string[]
}

for (const [storage, kills] of [['sqlite', KILLS], ['postgres', Math.ceil(KILLS / 4)]] as const) {
  test(`no acknowledged payment is lost by ${kills} kills on ${storage} (SEED=${SEED})`, async () => {
    const folder = await tempDir()
    const under = STORAGES.find(({ name }) => name === storage)
    assert.ok(under)
    const section = await under.section()
    try {
      await killAgainAndAgain({ folder: folder.path, storage: section, store: placeOf(section, folder.path) }, storage, kills)
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

async function openWallets(service: Service): Promise<Wallets> {
  const [alice, bob] = [await userOf(service, 'alice'), await userOf(service, 'bob')]
  const kinds: PaymentKind[] = ['offer']
  if (await isServed(service.url, alice, 'POST /token-standard/transfers')) kinds.push('token')
  if (await isServed(service.url, alice, 'POST /transfer-preapproval/send')) {
    const made = await ask(service.url, bob, 'POST /transfer-preapproval')
    assert.ok([200, 409].includes(made.status), made.text)
    kinds.push('send')
  }
  const connected = await call(service.url, 'GET /v2/state/connected-synchronizers', { token: alice.token })
  const synchronizer = member(member(connected.json, 'connectedSynchronizers'), '0')
  const traffic = { receiver: (await userOf(service, 'operator')).party, synchronizerId: String(member(synchronizer, 'synchronizerId')) }
  return { users: [alice, bob], kinds, traffic }
}

async function userOf(service: Service, name: string): Promise<WalletUser> {
  const token = await service.token(name)
  return { token, party: String(member((await call(service.url, `GET ${WALLET}/user-status`, { token })).json, 'party_id')) }
}

/** The kill comes at a moment of the seed's choice, once payments are under way. */
async function payUntilKilled(service: Service, wallets: Wallets, round: number): Promise<Round> {
  const file = join(service.dataDir, `round-${round}.jsonl`)
  const task: WriterTask = { url: service.url, file, round, ...wallets }
  const writer = spawn(process.execPath, [WRITER, JSON.stringify(task)], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(writer, 'close')
  for (let tries = 0; tries < 1_000 && (await linesOf(file)).length < 20; tries += 1) await sleep(10)
  await sleep(createHash('sha256').update(`${SEED} ${round}`).digest().readUInt32BE() % MOMENTS_MS)
  await service.kill()
  await ended
  const lines = await linesOf(file)
  assert.deepEqual(lines.filter(({ state }) => state === 'refused').slice(0, 5), [], 'what was refused')
  return {
    acknowledged: lines.flatMap((line) => line.state === 'acknowledged' ? line.done : []),
    inFlight: lines.flatMap((line) => line.state === 'gone' ? line.inFlight : []),
  }
}

async function linesOf(file: string): Promise<WriterLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line.endsWith('}')).map((line): WriterLine => JSON.parse(line))
}

/** The audit of everything, and each acknowledged change of the rounds. */
async function assertAllThere({ store }: Place, rounds: readonly Round[]): Promise<Audit> {
  const rows = await readStore(store)
  const audit = assertSound(rows)
  assert.deepEqual(repeated(audit), [], 'made twice')
  const lost = rounds.flatMap(({ acknowledged }) => acknowledged).filter((done) => !isThere(done, audit, rows))
  assert.deepEqual(lost, [], 'acknowledged and gone')
  return audit
}

/** Tracking ids of token-standard transfers, which their descriptions repeat, of which there is more than one. */
function repeated({ lives }: Audit): string[] {
  const ids = [...lives.values()].filter(({ entity }) => entity === 'CoinTransferInstruction')
    .flatMap(({ payload }) => /"(r\d+-token\d-\d+)"/.exec(JSON.stringify(payload))?.[1] ?? [])
  return ids.filter((id, index) => ids.indexOf(id) !== index)
}

function isThere({ what, id, contractId }: Acknowledged, { lives }: Audit, rows: StoreRows): boolean {
  if (what === 'send') return sentTimes(rows, id) === 1
  const life = lives.get(contractId)
  if (what === 'token-accept') return life?.archivedBy === 'TransferInstruction_Accept'
  return life !== undefined || (what === 'token' && contractId === '')
}

/** In how many updates a payment in one step with this description happened. */
function sentTimes({ updates }: StoreRows, description: string): number {
  return updates.filter(({ body }) => body.includes('"TransferPreapproval_Send"') && body.includes(`"${description}"`)).length
}

/** Waits until every offer that was accepted has come to its end. */
async function settle({ url }: Service, { users: [alice, bob] }: Wallets): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; ; await sleep(100)) {
    const open = await Promise.all([alice, bob].map(async (user) =>
      Array.from(Object(member((await ask(url, user, 'GET /accepted-transfer-offers')).json, 'accepted_offers'))).length))
    if (open.every((count) => count === 0)) return
    assert.ok(Date.now() < deadline, `${String(open)} accepted offers are left`)
  }
}

/** Accepted offers were paid, all but those that nobody could pay. Answers how many requests of each round were done, but not answered. */
function assertEnded({ lives }: Audit, rounds: readonly Round[]): readonly number[] {
  for (const { what, id, contractId } of rounds.flatMap(({ acknowledged }) => acknowledged)) {
    if (what !== 'accept') continue
    assert.equal(lives.get(contractId)?.archivedBy.endsWith('_Complete'), !id.includes('-dear-'), id)
  }
  const trackingIds = new Set([...lives.values()].flatMap(({ keys }) => keys))
  const isCommitted = (request: string): boolean => /^(offer|traffic) /.test(request) && trackingIds.has(request.split(' ')[1] ?? '')
  return rounds.map(({ inFlight }) => inFlight.filter(isCommitted).length)
}

/** Balance, holdings and history, as the wallet shows them, say what the disk says. */
async function assertWalletsAgree({ url }: Service, { users }: Wallets, audit: Audit): Promise<void> {
  for (const user of users) {
    const entries: unknown[] = []
    for (let after: unknown; ; after = member(entries.at(-1), 'event_id')) {
      const { json, text } = await ask(url, user, 'POST /transactions', { page_size: 1_000, ...(after === undefined ? {} : { begin_after_id: after }) })
      const items = member(json, 'items')
      assert.ok(Array.isArray(items), text)
      entries.push(...items)
      if (items.length < 1_000) break
    }
    const balance = scaled(member((await ask(url, user, 'GET /balance')).json, 'effective_unlocked_qty'))
    const coins = Array.from(Object(member((await ask(url, user, 'GET /coins')).json, 'coins')))
    const held = coins.reduce((sum: bigint, coin) => sum + scaled(member(member(member(member(
      member(coin, 'contract'), 'contract'), 'payload'), 'amount'), 'initialAmount')), 0n)
    assert.deepEqual([balance, held], [historySum(entries, user.party), balance], user.party)
    assert.ok(audit.unlocked.has(user.party))
  }
}

function scaled(text: unknown): bigint {
  return BigInt(String(text).replace('.', ''))
}

/** Whoever did not hear the answer asks again, and nothing happens twice. */
async function assertRepeatable({ url }: Service, { users }: Wallets, done: readonly Acknowledged[]): Promise<void> {
  for (const { user, id, contractId } of done.filter(({ what }) => what === 'tap').slice(-5)) {
    const again = await ask(url, users[user] ?? users[0], 'POST /tap', { amount: '0.25', command_id: id })
    assert.equal(member(again.json, 'contract_id'), contractId, again.text)
  }
  for (const { user, id } of done.filter(({ what }) => what === 'send').slice(-5)) {
    const body = { receiver_party_id: users[1 - user]?.party, amount: '0.25', deduplication_id: id, description: id }
    const again = await ask(url, users[user] ?? users[0], 'POST /transfer-preapproval/send', body)
    assert.equal(again.status, 200, again.text)
  }
}

function report(storage: string, rounds: readonly Round[], unheard: readonly number[]): void {
  const counts = Object.entries(Object.groupBy(rounds.flatMap(({ acknowledged }) => acknowledged), ({ what }) => what))
  const landed = rounds.filter(({ inFlight }) => inFlight.length > 0).length
  const committed = unheard.filter((count) => count > 0).length
  console.log(`${storage}: acknowledged ${counts.map(([what, found]) => `${found.length} ${what}`).join(', ')}`)
  console.log(`${storage}: ${landed} of ${rounds.length} kills landed on requests in flight, `
    + `${committed} between a commit and its acknowledgement`)
  assert.ok(landed > rounds.length / 2, 'most kills must land on requests in flight')
}

function reportLedger(storage: string, { updates, lives }: Audit): void {
  const count = (matches: (life: Life) => boolean): number => [...lives.values()].filter(matches).length
  const opened = count(({ entity }) => entity === 'OpenMiningRound')
  const collected = count(({ entity, archived }) => /RewardCoupon|ActivityRecord/.test(entity) && archived !== 0)
  console.log(`${storage}: ${updates} updates, ${opened} rounds were opened, ${collected} coupons collected or expired`)
}
