// Three servers on one PostgreSQL pay from one party's coins at once, also when the one dies whose
// turn it is. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import { assertSound } from '../support/audit.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { startServers } from '../support/servers.ts'
import type { Server, Servers } from '../support/servers.ts'
import { readStore } from '../support/store-file.ts'
import { ask, sendBody } from '../support/wallet-client.ts'
import type { Payment } from '../support/wallet-client.ts'

/** Coins are what is short here, not traffic; a busy machine may take its time. */
const CONFIG = {
  network: { traffic: { baseBurstBytes: 10_000_000_000 } },
  server: { requestTimeoutMs: 60_000 },
}

let servers: Servers

before(async () => {
  servers = await startServers(3, CONFIG)
  const [first] = servers.all
  assert.ok(first)
  assert.equal((await ask(first.url, first.bob, 'POST /transfer-preapproval')).status, 200)
})

after(() => servers.stop())

const audit = async () => assertSound(await readStore({ url: servers.databaseUrl }))

test('three servers that start at once on an empty database make one network', async () => {
  const seen = await Promise.all(
    servers.all.map(async ({ url, alice, bob, asOperator }) => ({
      alice: alice.party,
      bob: bob.party,
      coins: Number(member((await ask(url, alice, 'GET /balance')).json, 'effective_unlocked_qty')),
      dso: member((await asOperator('GET /api/scan/v0/dso-party-id')).json, 'dso_party_id'),
      participant: (await asOperator('GET /v2/parties/participant-id')).text,
      synchronizer: (await asOperator('GET /v2/state/connected-synchronizers')).text,
    })),
  )
  const [first] = seen
  assert.ok(first)
  assert.equal(first.coins, 20_000)
  assert.match(first.participant, /"participant::1220/)
  assert.match(first.synchronizer, /"global-domain::1220/)
  for (const other of seen) assert.deepEqual(other, first)
  const rules = await servers.query(
    `select template_id from contracts where archived_offset = 0 and template_id ~ ':(CoinRules|DsoRules|AnsRules)$'`,
  )
  assert.equal(rules.length, 3)
  await audit()
})

test('when the server dies that holds the lease, the others go on within seconds', async (t) => {
  const stopped = new AbortController()
  t.after(() => stopped.abort())
  const acknowledged: { readonly server: number; readonly atMs: number; readonly id: string }[] = []
  const lanes = servers.all.flatMap((server, place) =>
    [0, 1, 2, 3].map(async (lane) => {
      for (let number = 0; !stopped.signal.aborted; number += 1) {
        const id = `kill-${place}-${lane}-${number}`
        const isPaid = await send(server, id)
        if (isPaid) acknowledged.push({ server: place, atMs: performance.now(), id })
        else await sleep(20)
      }
    }),
  )
  await eventuallyHolds('all pay', () =>
    servers.all.every((_, place) => acknowledged.some(({ server }) => server === place)),
  )
  const victim = await holder()
  const killedMs = performance.now()
  servers.all[victim]?.service.process.kill('SIGKILL')
  await eventuallyHolds('the others pay', () =>
    servers.all.every(
      (_, place) =>
        place === victim ||
        acknowledged.filter(({ server, atMs }) => server === place && atMs > killedMs + 100)
          .length > 4,
    ),
  )
  stopped.abort()
  await Promise.all(lanes)
  const times = [
    killedMs,
    ...acknowledged
      .filter(({ server, atMs }) => server !== victim && atMs > killedMs)
      .map(({ atMs }) => atMs),
  ]
  const gapMs = Math.max(...times.slice(1).map((atMs, at) => atMs - (times[at] ?? atMs)))
  console.log(
    `the server that held the lease was killed: others paid after ${(gapMs / 1_000).toFixed(2)} s`,
  )
  assert.ok(gapMs < 20_000, `${gapMs} ms`)
  const { facts } = await readStore({ url: servers.databaseUrl })
  assert.ok(
    facts.filter(({ kind }) => kind.startsWith('wallet.request')).length >= acknowledged.length,
  )
  await audit()
})

async function send({ url, alice, bob }: Server, id: string): Promise<boolean> {
  const payment: Payment = { kind: 'send', from: alice, to: bob, amount: '0.1', id }
  try {
    return (
      (await ask(url, alice, 'POST /transfer-preapproval/send', sendBody(payment))).status === 200
    )
  } catch {
    return false
  }
}

/** The place of the server that holds the party's lease. */
async function holder(): Promise<number> {
  let place = -1
  await eventuallyHolds('somebody holds the lease', async () => {
    const [row] = await servers.query(
      'select holder from leases where name = $1',
      `treasury ${servers.all[0]?.alice.party}`,
    )
    place = servers.all.findIndex(
      ({ service }) => String(row?.['holder']).split(' ')[1] === String(service.process.pid),
    )
    return place >= 0
  })
  return place
}
