// An external party costs the operator no right: a node hosts more of them than a user may have
// rights, and the operator does for each what it did for the first. docs/authority.md R7
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventually } from '../support/eventually.ts'
import { storesFor } from '../support/storages.ts'
import {
  exerciseAs,
  fund,
  hosted,
  order,
  setUp,
  startExternal,
  statusesOf,
  unlockedOf,
} from './kit.ts'
import type { External, ExternalNetwork } from './kit.ts'

const MAX_RIGHTS = 10
const PARTIES = Number(process.env['PARTIES'] ?? MAX_RIGHTS + 2)
const PREAPPROVAL = '#network-coin:Network.CoinRules:TransferPreapproval'

for (const storage of storesFor('external parties: many')) {
  describe(`${PARTIES} external parties on ${storage.name}`, () => {
    let network: ExternalNetwork
    let first: External
    let last: External
    let rights: string
    const rightsOfOperator = async (): Promise<string> =>
      (await network.ask('participant_admin', 'GET /v2/users/operator/rights')).text
    const read = async (user: string, { party }: External): Promise<number> => {
      const eventFormat = { filtersByParty: { [party]: {} } }
      const body = { activeAtOffset: 0, eventFormat }
      return (await network.ask(user, 'POST /v2/state/active-contracts', body)).status
    }

    before(async () => {
      network = await startExternal(storage, {}, { ledger: { maxRightsPerUser: MAX_RIGHTS } })
      rights = await rightsOfOperator()
      first = await setUp(network, 'first')
      for (let at = 2; at < PARTIES; at += 1) await hosted(network, `party-${at}`)
      last = await setUp(network, 'last')
    })
    after(() => network.stop())

    test('give the operator no right', async () => {
      assert.equal(await rightsOfOperator(), rights)
    })

    test('are paid, pay and are read by the operator, and by no other administrator', async () => {
      for (const [payer, receiver] of [
        [first, last],
        [last, first],
      ] as const) {
        await fund(network, payer, '10')
        await order(network, payer, { to: receiver.party, amount: 4, nonce: 0 })
        await eventually([{ status: 'sent' }], () => statusesOf(network, payer, 0))
        assert.equal(await read('operator', payer), 200)
        assert.equal(await read('participant_admin', payer), 403)
      }
      assert.equal(await unlockedOf(network, last.party), '10.0000000000')
    })

    test('have prepared and executed what they sign, with a right of before or without', async () => {
      await network.done('participant_admin', 'POST /v2/users/operator/rights', {
        userId: 'operator',
        identityProviderId: '',
        rights: [{ kind: { CanActAs: { value: { party: first.party } } } }],
      })
      for (const external of [first, last]) {
        const line = `GET /v0/admin/transfer-preapprovals/by-party/${encodeURIComponent(external.party)}`
        const shown = member(await network.done('operator', line), 'transfer_preapproval')
        await exerciseAs(network, external, {
          templateId: PREAPPROVAL,
          contractId: member(member(shown, 'contract'), 'contract_id'),
          choice: 'TransferPreapproval_Cancel',
          choiceArgument: { p: external.party },
        })
        assert.equal((await network.ask('operator', line)).status, 404)
      }
    })
  })
}
