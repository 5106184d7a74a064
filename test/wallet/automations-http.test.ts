// The automations of wallets as a configuration switches them on: offers from before the start are
// accepted and paid, and what then is too much is swept back. docs/automations.md, "sweeps" and
// "auto-accept"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { tempDir } from '../support/temp-dir.ts'

const WALLET = '/api/validator/v0/wallet'
const HOUR_MS = 3_600_000

const tokens = new Map<string, string>()

async function ask(service: Service, user: string, line: string, body?: object): Promise<unknown> {
  const token = tokens.get(user) ?? (await service.token(user))
  tokens.set(user, token)
  const { status, json, text } = await call(service.url, line.replace(' ', ` ${WALLET}`), {
    token,
    ...(body === undefined ? {} : { body }),
  })
  assert.equal(status, 200, text)
  return json
}

const partyOf = async (service: Service, user: string) =>
  String(member(await ask(service, user, 'GET /user-status'), 'party_id'))

test("what a configuration says of wallets is done without anybody's request", async () => {
  const { path: dataDir, remove } = await tempDir()
  let service = await startService({ dataDir, seeded: true })
  const [alice, bob] = [await partyOf(service, 'alice'), await partyOf(service, 'bob')]
  await ask(service, 'alice', 'POST /transfer-offers', {
    receiver_party_id: bob,
    amount: '4000.0',
    description: '',
    tracking_id: 'before',
    expires_at: (Date.now() + HOUR_MS) * 1_000,
  })
  await service.stop()
  const receivers = { [bob]: { fromParties: [alice] }, [alice]: { fromParties: [bob] } }
  // At 0.005 USD a coin bob has 100 USD, with alice's coins 120.
  const senders = { [bob]: { receiver: alice, maxBalanceUSD: '110.0', minBalanceUSD: '90.0' } }
  service = await startService({
    dataDir,
    seeded: true,
    config: { automations: { 'auto-accept': { receivers }, sweeps: { senders } } },
  })
  try {
    const coins = async (user: string) =>
      member(await ask(service, user, 'GET /balance'), 'effective_unlocked_qty')
    await retried(async () => assert.equal(await coins('bob'), '18000.0000000000'))
    assert.equal(
      member(await ask(service, 'alice', 'POST /transfer-offers/before/status'), 'status'),
      'completed',
    )
    assert.equal(await coins('alice'), '22000.0000000000')
  } finally {
    await service.stop()
    await remove()
  }
})
