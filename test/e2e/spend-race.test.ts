// Sixty-four clients in processes of their own spend one party's coins over HTTP, in every way that
// the wallet has, on both databases: what it can afford is paid, what it cannot is refused as
// documented, every holding is spent once, no coin comes or goes. CI size 3 payments a client, half
// of them on PostgreSQL; PAYMENTS=40 in full. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { assertSound } from '../support/audit.ts'
import type { Audit } from '../support/audit.ts'
import { kindsOf, userOf } from '../support/economy-load.ts'
import { call } from '../support/http.ts'
import type { PayerResult } from '../support/payer.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { STORAGES, storesFor } from '../support/storages.ts'
import { placeOf, readStore } from '../support/store-file.ts'
import type { StorePlace } from '../support/store-file.ts'
import type { Payment, PaymentKind, WalletUser } from '../support/wallet-client.ts'

const PAYMENTS = Number(process.env['PAYMENTS'] ?? 3)
const PROCESSES = 4
const LANES = 16
const CLIENTS = PROCESSES * LANES
const PAYER = fileURLToPath(new URL('../support/payer.ts', import.meta.url))
const ONE = 10_000_000_000n
/**
 * Coins are what is short here, not traffic, which is bought with the seed but applies only after a
 * while.
 */
const NETWORK = { traffic: { baseBurstBytes: 10_000_000_000 } }
/** A fast machine asks for more in one wallet's name than a user may by default. */
const QUOTAS = {
  submissionsPerSecond: 100_000,
  submissionBurst: 1_000_000,
  paymentsPerSecond: 100_000,
  paymentBurst: 1_000_000,
}

/** All clients wait for one wallet: on a busy machine longer than a request may by default. */
const SERVER = { requestTimeoutMs: 60_000 }

interface Network {
  readonly service: Service
  readonly place: StorePlace
  readonly alice: WalletUser
  readonly bob: WalletUser
  readonly carol: WalletUser
  readonly kinds: readonly PaymentKind[]
  /** Payments in each race. */
  readonly count: number
}

for (const storage of storesFor('spending races')) {
  test(`${CLIENTS} clients of one wallet on ${storage.name}`, async (t) => {
    const section = await storage.section()
    const service = await startService({
      config: { storage: section, network: NETWORK, quotas: QUOTAS, server: SERVER },
      seeded: true,
    })
    const payers = Array.from({ length: PROCESSES }, () => fork(PAYER))
    try {
      const network = await openWallets(service, placeOf(section, service.dataDir))
      await t.test('what it can afford is paid', () => affordable(network, payers))
      await t.test('what it cannot afford is refused, the rest is paid', () =>
        scarce(network, payers),
      )
    } finally {
      payers.forEach((payer) => payer.kill())
      await service.stop()
      await storage.release()
    }
  })
}

for (const name of ['sqlite', 'postgres'] as const) {
  test(`clients of one wallet on two servers of one database, ${name}`, async () => {
    const storage = STORAGES.find((one) => one.name === name)
    assert.ok(storage)
    const section = await storage.section()
    const start = (dataDir?: string): Promise<Service> =>
      startService({
        config: { storage: section, network: NETWORK, quotas: QUOTAS, server: SERVER },
        seeded: true,
        ...(dataDir === undefined ? {} : { dataDir }),
      })
    const first = await start()
    const servers = [first, await start(name === 'sqlite' ? first.dataDir : undefined)]
    const payers = servers.map(() => fork(PAYER))
    try {
      await twoServers(
        await Promise.all(
          servers.map((service) => openWallets(service, placeOf(section, service.dataDir))),
        ),
        payers,
      )
    } finally {
      payers.forEach((payer) => payer.kill())
      for (const service of servers) await service.stop()
      await storage.release()
    }
  })
}

/**
 * Nothing coordinates the servers but the commit: losers try other coins or say so, and what is
 * paid is paid once.
 */
async function twoServers(
  networks: readonly Network[],
  payers: readonly ChildProcess[],
): Promise<void> {
  const [first] = networks
  assert.ok(first)
  const before = assertSound(await readStore(first.place))
  const tasks = networks.map((network, at) => ({
    url: network.service.url,
    lanes: CLIENTS / 2,
    payments: paymentsOf({ ...network, count: CLIENTS / 2 }, `server${at}`, () => '1'),
  }))
  const results = await Promise.all(tasks.map((task, at) => assign(payers[at], task)))
  const ends = new Map(results.flatMap((result) => result.ends.map(({ id, end }) => [id, end])))
  const paid = tasks
    .flatMap(({ payments }) => payments)
    .filter(({ id }) => ends.get(id)?.end === 'paid')
  console.log(`two servers on ${'file' in first.place ? 'sqlite' : 'postgres'}: ${why(ends)}`)
  assert.deepEqual(
    [...ends.values()].filter(({ end }) => end === 'unclear'),
    [],
  )
  assertMoved(first, { before, after: assertSound(await readStore(first.place)), paid })
}

/** Bob has a preapproval, carol has none: both ways of a token-standard transfer are walked. */
async function openWallets(service: Service, place: StorePlace): Promise<Network> {
  const operator = await service.token('operator')
  const onboarded = await call(service.url, 'POST /api/validator/v0/admin/users', {
    token: operator,
    body: { name: 'carol' },
  })
  assert.equal(onboarded.status, 200, onboarded.text)
  const [alice, bob, carol] = await Promise.all(
    ['alice', 'bob', 'carol'].map((name) => userOf(service, name)),
  )
  assert.ok(alice && bob && carol)
  const kinds = await kindsOf(service, alice, bob)
  const count = CLIENTS * ('url' in place ? Math.ceil(PAYMENTS / 2) : PAYMENTS)
  return { service, place, alice, bob, carol, kinds, count }
}

async function affordable(network: Network, payers: readonly ChildProcess[]): Promise<void> {
  const payments = paymentsOf(network, 'cheap', (index) => `${1 + (index % 7)}.${index % 10}`)
  const { before, after, ends, millis } = await race(network, payers, payments)
  const paid = payments.filter(({ id }) => ends.get(id)?.end === 'paid')
  report(
    network,
    'affordable',
    `${paid.length} of ${payments.length} paid, ${perSecond(paid.length, millis)}`,
  )
  assert.ok(paid.length >= payments.length * 0.9, why(ends))
  assertMoved(network, { before, after, paid })
}

async function scarce(network: Network, payers: readonly ChildProcess[]): Promise<void> {
  const { unlocked } = assertSound(await readStore(network.place))
  const price =
    (unlocked.get(network.alice.party) ?? 0n) / ONE / ((BigInt(network.count) * 2n) / 5n)
  const payments = paymentsOf(network, 'dear', (index) =>
    index % 5 === 4 ? '1000000' : String(price),
  )
  const { before, after, ends, millis } = await race(network, payers, payments)
  const paid = payments.filter(({ id }) => ends.get(id)?.end === 'paid')
  const wanted = payments.filter(({ amount }) => amount === String(price)).length
  const fits = Number((before.unlocked.get(network.alice.party) ?? 0n) / (price * ONE))
  const best = Math.min(wanted, fits)
  assert.ok(fits < wanted, 'some must not fit')
  report(
    network,
    'scarce',
    `${paid.length} of ${best} that fit paid, ${payments.length - paid.length} refused, ${millis} ms`,
  )
  assert.ok(paid.length <= best && paid.length >= best * 0.9, why(ends))
  assertMoved(network, { before, after, paid })
}

function paymentsOf(
  { alice, bob, carol, kinds, count }: Network,
  name: string,
  amount: (index: number) => string,
): Payment[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] ?? 'offer'
    const to = kind !== 'send' && index % 2 === 1 ? carol : bob
    return { kind, from: alice, to, amount: amount(index), id: `${name}-${index}` }
  })
}

interface Race {
  readonly before: Audit
  readonly after: Audit
  readonly ends: ReadonlyMap<string, PayerResult['ends'][number]['end']>
  readonly millis: number
}

/**
 * All payments at once, spread over the processes; afterwards nothing is unclear and the ledger is
 * sound.
 */
async function race(
  { service, place }: Network,
  payers: readonly ChildProcess[],
  payments: readonly Payment[],
): Promise<Race> {
  const before = assertSound(await readStore(place))
  const begun = Date.now()
  const results = await Promise.all(
    payers.map((payer, at) =>
      assign(payer, {
        url: service.url,
        lanes: LANES,
        payments: payments.filter((_, index) => index % payers.length === at),
      }),
    ),
  )
  const millis = Date.now() - begun
  const ends = new Map(results.flatMap((result) => result.ends.map(({ id, end }) => [id, end])))
  assert.equal(ends.size, payments.length)
  assert.deepEqual(
    [...ends.values()].filter(({ end }) => end === 'unclear'),
    [],
    'refusals that no document has',
  )
  return { before, after: assertSound(await readStore(place)), ends, millis }
}

async function assign(payer: ChildProcess | undefined, task: object): Promise<PayerResult> {
  assert.ok(payer)
  const done = once(payer, 'message')
  payer.send(task)
  const [result]: PayerResult[] = await done
  assert.ok(result)
  return result
}

/** Asserts that the payments moved, to the last digit, and nothing else. */
function assertMoved(
  { alice, bob, carol }: Network,
  { before, after, paid }: Pick<Race, 'before' | 'after'> & { readonly paid: readonly Payment[] },
): void {
  const sumTo = (user?: WalletUser): bigint =>
    paid
      .filter(({ to }) => user === undefined || to.party === user.party)
      .reduce((sum, { amount }) => sum + tenths(amount) * (ONE / 10n), 0n)
  const change = ({ party }: WalletUser): bigint =>
    (after.unlocked.get(party) ?? 0n) - (before.unlocked.get(party) ?? 0n)
  assert.deepEqual(
    [change(alice), change(bob), change(carol)],
    [-sumTo(), sumTo(bob), sumTo(carol)],
  )
  assert.equal(after.supply, before.supply)
}

function tenths(amount: string): bigint {
  const [whole = '', fraction = '0'] = amount.split('.')
  return BigInt(whole + fraction)
}

function why(ends: Race['ends']): string {
  const counts = Map.groupBy(ends.values(), (end) =>
    end.end === 'paid'
      ? 'paid'
      : `${end.end} ${end.why.replaceAll(/[0-9a-f]{20,}|\d+(\.\d+)?/g, 'n')}`,
  )
  return [...counts]
    .map(([text, found]) => `${found.length} ${text}`)
    .join('; ')
    .slice(0, 2_000)
}

function report({ place, kinds }: Network, what: string, figures: string): void {
  console.log(`${'file' in place ? 'sqlite' : 'postgres'}, ${kinds.join('+')}, ${what}: ${figures}`)
}

function perSecond(count: number, millis: number): string {
  return `${Math.round((count * 1000) / millis)} payments/s`
}
