// Sixty-four clients spend one party's coins over HTTP: what it can afford is paid, what it cannot
// is refused as documented, and the sum of all coins stays. docs/economy-rules.md, "Treasury"
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'

const CLIENTS = 64
const WALLET = '/api/validator/v0/wallet'

let service: Service
let alice = ''
let bob = ''
let bobParty: unknown

async function coins(token: string): Promise<number> {
  return Number(
    member(
      (await call(service.url, `GET ${WALLET}/balance`, { token })).json,
      'effective_unlocked_qty',
    ),
  )
}

async function pay(trackingId: string, amount: string): Promise<string> {
  const expires_at = (Date.now() + 600_000) * 1000
  const body = {
    receiver_party_id: bobParty,
    amount,
    description: '',
    expires_at,
    tracking_id: trackingId,
  }
  const offer = await call(service.url, `POST ${WALLET}/transfer-offers`, { token: alice, body })
  assert.equal(offer.status, 200, offer.text)
  const cid = String(member(offer.json, 'offer_contract_id'))
  const accepted = await call(service.url, `POST ${WALLET}/transfer-offers/${cid}/accept`, {
    token: bob,
  })
  assert.equal(accepted.status, 200, accepted.text)
  return retried(async () => {
    const { json, text } = await call(
      service.url,
      `POST ${WALLET}/transfer-offers/${trackingId}/status`,
      { token: alice },
    )
    const status = member(json, 'status')
    assert.ok(status === 'completed' || status === 'failed', text)
    return status
  })
}

const clients = (prefix: string, amount: string) =>
  Promise.all(Array.from({ length: CLIENTS }, (_, client) => pay(`${prefix}-${client}`, amount)))

for (const storage of storesFor('wallet concurrency')) {
  describe(`clients of one party on ${storage.name}`, () => {
    before(async () => {
      const network = { traffic: { baseBurstBytes: 1_000_000_000 } }
      service = await startService({
        config: { storage: await storage.section(), network },
        seeded: true,
      })
      alice = await service.token('alice')
      bob = await service.token('bob')
      bobParty = member(
        (await call(service.url, `GET ${WALLET}/user-status`, { token: bob })).json,
        'party_id',
      )
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('all of what the party can afford is paid', async () => {
      const [sender, receiver] = [await coins(alice), await coins(bob)]
      const ends = await clients('cheap', '1')
      assert.ok(
        ends.every((end) => end === 'completed'),
        ends.join(' '),
      )
      assert.equal(await coins(alice), sender - CLIENTS)
      assert.equal(await coins(bob), receiver + CLIENTS)
    })

    test('of what it cannot afford, as much as fits is paid and the rest is withdrawn', async () => {
      const [sender, receiver] = [await coins(alice), await coins(bob)]
      const ends = await clients('dear', '1000')
      const paid = ends.filter((end) => end === 'completed').length
      assert.equal(paid, Math.floor(sender / 1000), ends.join(' '))
      assert.equal(ends.filter((end) => end === 'failed').length, CLIENTS - paid)
      assert.equal(await coins(alice), sender - paid * 1000)
      assert.equal(await coins(bob), receiver + paid * 1000)
    })
  })
}
