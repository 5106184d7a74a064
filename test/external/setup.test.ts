// Setting an external party up: the operator pays once, the party signs once, and what anybody else
// signs changes nothing. docs/external-parties.md; docs/economy-rules.md, "Preapprovals" and
// "External parties"; docs/hashing.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { readPrepared } from '../interfaces/hashing-oracle.ts'
import { eventually } from '../support/eventually.ts'
import type { Answer } from '../support/http.ts'
import { storesFor } from '../support/storages.ts'
import {
  assertRefused,
  EXTERNAL,
  exerciseAs,
  fund,
  hosted,
  prepareAccept,
  propose,
  setUp,
  startExternal,
  submissionOf,
  unlockedOf,
} from './kit.ts'
import type { ExternalNetwork, ToSign } from './kit.ts'

const DAY_SECONDS = 86_400
const PROPOSAL = '#network-coin:Network.CoinRules:ExternalPartySetupProposal'
const NOBODY = 'nobody::1220'

for (const storage of storesFor('external parties: setup')) {
  describe(`setting external parties up on ${storage.name}`, () => {
    let network: ExternalNetwork
    const ask = (line: string, body?: object): Promise<Answer> =>
      network.ask('operator', line.replace(' ', ` ${EXTERNAL}`), body)
    const accept = (body: object): Promise<Answer> =>
      ask('POST /setup-proposal/submit-accept', body)
    const proposals = async (): Promise<unknown[]> => {
      const contracts = member((await ask('GET /setup-proposal')).json, 'contracts')
      assert.ok(Array.isArray(contracts))
      return contracts.map((each: unknown) => member(member(each, 'contract'), 'contract_id'))
    }
    const preapprovalOf = (party: string): Promise<Answer> =>
      network.ask(
        'operator',
        `GET /v0/admin/transfer-preapprovals/by-party/${encodeURIComponent(party)}`,
      )
    const command = (given: object): Promise<Answer> =>
      network.ask('operator', 'POST /v2/commands/submit-and-wait', {
        commandId: `command-${Math.random()}`,
        actAs: [network.party('operator')],
        commands: [given],
      })

    before(async () => {
      network = await startExternal(storage)
    })
    after(() => network.stop())

    test('from the proposal by one signature to a party that is paid', async () => {
      const external = await hosted(network, 'dora')
      const cid = await propose(network, external)
      assert.deepEqual(await proposals(), [cid])
      const prepared = await prepareAccept(network, external, cid)
      assert.equal(hashOf(prepared), prepared.tx_hash, 'the hash is that of the page')
      const accepted = await accept(submissionOf(external, prepared))
      assert.equal(accepted.status, 200, accepted.text)
      const shown = member((await preapprovalOf(external.party)).json, 'transfer_preapproval')
      assert.equal(
        member(member(shown, 'contract'), 'contract_id'),
        member(accepted.json, 'transfer_preapproval_contract_id'),
      )
      assert.deepEqual(await proposals(), [])
      const found = await network.ask('operator', 'POST /v2/updates/update-by-id', {
        updateId: member(accepted.json, 'update_id'),
        updateFormat: {
          includeTransactions: {
            transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA',
            eventFormat: { filtersByParty: { [external.party]: {} }, verbose: true },
          },
        },
      })
      assert.match(found.text, /ValidatorRight/)
      assert.equal(await unlockedOf(network, external.party), '0.0000000000')
      await fund(network, external, '12.5')
      assert.equal(await unlockedOf(network, external.party), '12.5000000000')
    })

    test('details of the hash are told to those who ask', async () => {
      const external = await hosted(network, 'details')
      const body = { contract_id: await propose(network, external), user_party_id: external.party }
      const plain = await ask('POST /setup-proposal/prepare-accept', {
        ...body,
        verbose_hashing: false,
      })
      assert.deepEqual(Object.keys(Object(plain.json)).toSorted(), ['transaction', 'tx_hash'])
      for (const contract_id of [
        body.contract_id,
        { contract_id: body.contract_id },
        { contractId: body.contract_id },
      ]) {
        const verbose = (
          await ask('POST /setup-proposal/prepare-accept', {
            ...body,
            contract_id,
            verbose_hashing: true,
          })
        ).json
        assert.match(
          String(member(verbose, 'hashing_details')),
          new RegExp(String(member(verbose, 'tx_hash'))),
        )
      }
    })

    test('of many proposals at once one is made and paid', async () => {
      const { party } = await hosted(network, 'many')
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => ask('POST /setup-proposal', { user_party_id: party })),
      )
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [
        200,
        ...Array.from({ length: 7 }, () => 409),
      ])
      await assertRefused(
        network,
        409,
        () => ask('POST /setup-proposal', { user_party_id: party }),
        /setup proposal/,
      )
    })

    test('who is unknown, signs here or is set up gets no proposal', async () => {
      const done = await setUp(network, 'done')
      await assertRefused(
        network,
        409,
        () => ask('POST /setup-proposal', { user_party_id: done.party }),
        /transfer preapproval/,
      )
      await assertRefused(network, 404, () =>
        ask('POST /setup-proposal', { user_party_id: NOBODY }),
      )
      await assertRefused(network, 404, () => ask('POST /setup-proposal', { user_party_id: 'a\0' }))
      await assertRefused(network, 400, () =>
        ask('POST /setup-proposal', { user_party_id: network.party('alice') }),
      )
    })

    test("only the party's own proposal is prepared", async () => {
      const [erin, frank, nobody] = [
        await hosted(network, 'erin'),
        await hosted(network, 'frank'),
        await hosted(network, 'none'),
      ]
      const [ofErin, ofFrank] = [await propose(network, erin), await propose(network, frank)]
      const prepare = (contract_id: unknown, user_party_id: string) => () =>
        ask('POST /setup-proposal/prepare-accept', { contract_id, user_party_id })
      await assertRefused(network, 400, prepare(ofFrank, erin.party), new RegExp(ofErin))
      await assertRefused(network, 400, prepare('00ff', erin.party))
      await assertRefused(network, 404, prepare(ofErin, nobody.party))
      await assertRefused(network, 404, prepare(ofErin, NOBODY))
    })

    test('after a proposal was withdrawn or rejected there can be another', async () => {
      const judy = await hosted(network, 'judy')
      const first = await propose(network, judy)
      const stale = await prepareAccept(network, judy, first)
      const withdrawn = await command({
        ExerciseCommand: {
          templateId: PROPOSAL,
          contractId: first,
          choice: 'ExternalPartySetupProposal_Withdraw',
          choiceArgument: {},
        },
      })
      assert.equal(withdrawn.status, 200, withdrawn.text)
      await assertRefused(network, 404, () =>
        ask('POST /setup-proposal/prepare-accept', {
          contract_id: first,
          user_party_id: judy.party,
        }),
      )
      await assertRefused(network, 404, () => accept(submissionOf(judy, stale)))
      const second = await propose(network, judy)
      await exerciseAs(network, judy, {
        templateId: PROPOSAL,
        contractId: second,
        choice: 'ExternalPartySetupProposal_Reject',
      })
      const third = await propose(network, judy)
      assert.equal(new Set([first, second, third]).size, 3)
      assert.equal(
        (await accept(submissionOf(judy, await prepareAccept(network, judy, third)))).status,
        200,
      )
    })

    test('a proposal that nobody accepted ends with the time that it was for', async () => {
      const karl = await hosted(network, 'karl')
      const first = await propose(network, karl)
      await network.advance(91 * DAY_SECONDS)
      const late = await ask('POST /setup-proposal/prepare-accept', {
        contract_id: first,
        user_party_id: karl.party,
      })
      assert.equal(late.status, 404, late.text)
      await eventually(false, async () => (await proposals()).includes(first))
      assert.notEqual(await propose(network, karl), first)
    })
  })
}

for (const storage of storesFor('external parties: funds')) {
  test('an operator without funds proposes nothing, and says what is missing', async () => {
    const lifetime = { transferPreapproval: { preapprovalLifetimeSeconds: 190 * DAY_SECONDS } }
    const network = await startExternal(storage, lifetime, { seeded: false })
    try {
      const dora = await hosted(network, 'dora')
      const ask = (): Promise<Answer> =>
        network.ask('operator', `POST ${EXTERNAL}/setup-proposal`, { user_party_id: dora.party })
      // A hundred days beyond those that are free, at 0.00274 USD a day and 0.005 USD a coin.
      await assertRefused(network, 400, ask, /out of funds \(missing 54.8000000000 CC\)/)
      await network.done('operator', 'POST /v0/wallet/tap', { amount: '0.3' })
      assert.equal((await ask()).status, 200)
      assert.equal(
        member(await network.done('operator', 'GET /v0/wallet/balance'), 'effective_unlocked_qty'),
        '5.2000000000',
      )
    } finally {
      await network.stop()
    }
  })
}

function hashOf({ transaction }: Pick<ToSign, 'transaction'>): string {
  return Buffer.from(readPrepared(transaction).hash).toString('hex')
}
