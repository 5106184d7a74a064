// What others may plant on somebody: bounded for each who is planted on, shared by those who plant,
// for every kind of contract. docs/configuration.md, Quotas
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventually } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { ask, WALLET } from '../support/wallet-client.ts'
import type { WalletUser } from '../support/wallet-client.ts'

const LIMIT = 12
const USERS = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'] as const
type Name = (typeof USERS)[number]

for (const storage of storesFor('quotas')) {
  describe(`contracts of others on ${storage.name}`, () => {
    let service: Service
    const users = new Map<Name, WalletUser>()
    const as = (name: Name): WalletUser => users.get(name) ?? assert.fail(name)
    let number = 0

    /** An offer of coin, of either kind. */
    const offer = (from: Name, to: Name, kind: 'transfer-offers' | 'token-standard/transfers') =>
      call(service.url, `POST ${WALLET}/${kind}`, {
        token: as(from).token,
        body: {
          receiver_party_id: as(to).party,
          amount: '0.1',
          description: '',
          tracking_id: `planted-${(number += 1)}`,
          expires_at: (Date.now() + 3_600_000) * 1_000,
        },
      })

    /** The number taken before one is refused, and that answer. */
    async function untilFull(from: Name, to: Name, kind: Parameters<typeof offer>[2]) {
      for (let taken = 0; ; taken += 1) {
        const answer = await offer(from, to, kind)
        if (answer.status !== 200) return { taken, refused: answer }
        assert.ok(taken <= LIMIT, 'no end')
      }
    }

    function assertFull({ status, text, headers }: Answer, kind: string): void {
      assert.equal(status, 429, text)
      assert.match(
        text,
        new RegExp(`party carol.*12 open contracts of the kind ${kind} made by others`, 'u'),
      )
      assert.equal(headers.get('retry-after'), '1')
    }

    before(async () => {
      service = await startService({
        config: { storage: await storage.section(), quotas: { plantedContracts: LIMIT } },
      })
      for (const name of USERS) {
        const token = await service.token(name)
        const registered = await call(service.url, 'POST /api/validator/v0/register', {
          token,
          body: {},
        })
        const user = { token, party: String(member(registered.json, 'party_id')) }
        users.set(name, user)
        await ask(service.url, user, 'POST /tap', { amount: '100' })
      }
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test('one alone has half, also by one command, and the other half is for those who have none', async () => {
      for (const [from, most] of [
        ['alice', 6],
        ['bob', 1],
        ['dave', 1],
        ['erin', 1],
      ] as const) {
        const { taken, refused } = await untilFull(from, 'carol', 'transfer-offers')
        assert.equal(taken, most, from)
        assertFull(refused, 'TransferOffer')
      }
    })

    test('one command cannot open more than one request after another', async () => {
      const dso = member(
        (await call(service.url, 'GET /api/scan/v0/dso-party-id')).json,
        'dso_party_id',
      )
      const offers = (count: number) =>
        call(service.url, 'POST /v2/commands/submit-and-wait', {
          token: as('alice').token,
          body: {
            commandId: crypto.randomUUID(),
            actAs: [as('alice').party],
            readAs: [],
            commands: Array.from({ length: count }, () => ({
              CreateCommand: {
                templateId: '#network-wallet:Network.Wallet.TransferOffer:TransferOffer',
                createArguments: {
                  sender: as('alice').party,
                  receiver: as('frank').party,
                  dso,
                  amount: { amount: '0.1', unit: 'CoinUnit' },
                  description: '',
                  expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
                  trackingId: `planted-${(number += 1)}`,
                },
              },
            })),
          },
        })
      const refused = await offers(7)
      assert.equal(refused.status, 429, refused.text)
      const taken = await offers(6)
      assert.equal(taken.status, 200, taken.text)
    })

    test('another kind, another receiver, and what carol offers herself have room', async () => {
      const { taken, refused } = await untilFull('alice', 'carol', 'token-standard/transfers')
      assert.equal(taken, 6)
      assertFull(refused, 'CoinTransferInstruction')
      assert.equal((await offer('alice', 'bob', 'transfer-offers')).status, 200)
      assert.equal((await offer('carol', 'bob', 'transfer-offers')).status, 200)
    })

    test('who rejects makes room', async () => {
      const listed = await call(service.url, `GET ${WALLET}/transfer-offers`, {
        token: as('carol').token,
      })
      const offers = member(listed.json, 'offers')
      assert.ok(Array.isArray(offers))
      for (const one of offers.slice(0, 3)) {
        const rejected = await call(
          service.url,
          `POST ${WALLET}/transfer-offers/${String(member(one, 'contract_id'))}/reject`,
          { token: as('carol').token },
        )
        assert.equal(rejected.status, 200, rejected.text)
      }
      await eventually(200, async () => (await offer('frank', 'carol', 'transfer-offers')).status)
    })
  })
}
