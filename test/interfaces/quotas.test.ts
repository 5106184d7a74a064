// What one user may take, so that the others keep working: submissions, traffic, contracts that
// others have to look at. Whoever is beyond it is told whose quota it is and when it ends.
// docs/decisions/0011-floods.md
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { assertRefused, refusal } from '../support/documented.ts'
import { retried } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { storesFor } from '../support/storages.ts'
import { commandsOf, createRules, list, path } from './ledger-kit.ts'
import type { LedgerUser } from './ledger-kit.ts'

const WAIT = 'POST /v2/commands/submit-and-wait'
const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
const PROPOSAL = '#network-wallet:Network.Wallet.TransferPreapproval:TransferPreapprovalProposal'
const MERGE_PROPOSAL =
  '#network-util-token-standard-wallet:Network.Util.Token.Wallet.MergeDelegation:MergeDelegationProposal'
const COIN_RULES = '#network-coin:Network.CoinRules:CoinRules'
const UNKNOWN = `00${'ab'.repeat(48)}`
const NAMES = ['operator', 'alice', 'bob', 'carol', 'dave', 'erin'] as const
const [OPEN, BURST] = [20, 60]
const QUOTAS = {
  openContracts: OPEN,
  openedPerMinute: 60,
  submissionBurst: BURST,
  submissionsPerSecond: 0.1,
}

/** Answers after how many seconds it may be tried again. */
function assertOver(answer: Answer, cause: RegExp): number {
  const seconds = Number(answer.headers.get('retry-after'))
  const retryInfo = seconds === 1 ? '1 second' : `${seconds} seconds`
  assertRefused(answer, refusal(2, 'PARTICIPANT_BACKPRESSURE', { status: 429, cause, retryInfo }))
  return seconds
}

for (const storage of storesFor('quotas')) {
  describe(`quotas on ${storage.name}`, () => {
    let service: Service
    const users = new Map<string, LedgerUser>()
    const as = (name: (typeof NAMES)[number]): LedgerUser => users.get(name) ?? assert.fail(name)
    const ask = (user: LedgerUser, request: string, body?: unknown): Promise<Answer> =>
      call(service.url, request, { token: user.token, ...(body === undefined ? {} : { body }) })
    const dso = async (): Promise<unknown> =>
      path((await call(service.url, 'GET /api/scan/v0/dso-party-id')).json, 'dso_party_id')
    const offerOf = (name: 'alice' | 'bob', id: string): Promise<Answer> =>
      ask(as(name), 'POST /api/validator/v0/wallet/transfer-offers', {
        receiver_party_id: as('operator').party,
        amount: '1',
        description: '',
        tracking_id: id,
        expires_at: (Date.now() + 600_000) * 1_000,
      })

    /** Self-granted featured rights of bob's party, which the development network allows. */
    const featured = async (times: number): Promise<Answer> => {
      const bob = as('bob')
      const found = await ask(bob, 'GET /api/validator/v0/scan-proxy/coin-rules')
      const rules = path(found.json, 'coin_rules')
      const contractId = path(rules, 'contract', 'contract_id')
      const createdEventBlob = path(rules, 'contract', 'created_event_blob')
      const command = {
        ExerciseCommand: {
          templateId: COIN_RULES,
          contractId,
          choice: 'CoinRules_DevNet_FeatureApp',
          choiceArgument: { provider: bob.party },
        },
      }
      return ask(bob, WAIT, {
        ...commandsOf(bob, ...Array.from({ length: times }, () => command)),
        disclosedContracts: [
          {
            templateId: path(rules, 'contract', 'template_id'),
            contractId,
            createdEventBlob,
            synchronizerId: path(rules, 'domain_id'),
          },
        ],
      })
    }

    before(async () => {
      service = await startService({
        config: {
          storage: await storage.section(),
          quotas: QUOTAS,
          automations: { preapprovals: false },
          validator: { pollMs: 3_600_000 },
        },
      })
      const tokens = await Promise.all(NAMES.map((name) => service.token(name)))
      for (const [at, id] of NAMES.entries()) {
        const [token = '', operator = ''] = [tokens[at], tokens[0]]
        const onboarded = await call(service.url, 'POST /api/validator/v0/admin/users', {
          token: operator,
          body: { name: id },
        })
        users.set(id, { id, token, party: String(member(onboarded.json, 'party_id')) })
      }
    })
    after(async () => {
      await service.stop()
      await storage.release()
    })

    test("contracts that others have to look at: one party's are bounded, and room that is made can be used", async () => {
      const [carol, network] = [as('carol'), await dso()]
      const proposal = {
        CreateCommand: {
          templateId: PROPOSAL,
          createArguments: {
            receiver: carol.party,
            provider: as('bob').party,
            expectedDso: network,
          },
        },
      }
      const made = await ask(carol, SHOW, {
        commands: commandsOf(carol, ...Array.from({ length: OPEN }, () => proposal)),
      })
      assert.equal(made.status, 200, made.text)
      const refused = await ask(carol, WAIT, commandsOf(carol, proposal))
      assert.equal(
        assertOver(
          refused,
          new RegExp(`the party ${carol.party}.*${OPEN} open .*TransferPreapprovalProposal`),
        ),
        1,
      )
      const first = path(
        list(path(made.json, 'transaction', 'events'))[0],
        'CreatedEvent',
        'contractId',
      )
      const archive = {
        ExerciseCommand: {
          templateId: PROPOSAL,
          contractId: first,
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      assert.equal((await ask(carol, WAIT, commandsOf(carol, archive))).status, 200)
      await retried(async () =>
        assert.equal((await ask(carol, WAIT, commandsOf(carol, proposal))).status, 200),
      )
    })

    test('contracts that an automation ends as soon as they are there are bounded in time, also of many requests at once', async () => {
      const bob = as('bob')
      const delegation = { operator: as('operator').party, owner: bob.party, meta: { values: {} } }
      const propose = (count: number): Promise<Answer> => {
        const createArguments = { delegation }
        const proposal = { CreateCommand: { templateId: MERGE_PROPOSAL, createArguments } }
        return ask(bob, WAIT, commandsOf(bob, ...Array.from({ length: count }, () => proposal)))
      }
      const answers = await Promise.all(Array.from({ length: 8 }, () => propose(OPEN / 4)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 4)
      const refused = await retried(async () => {
        const answer = await propose(OPEN)
        assert.match(answer.text, /60 new contracts a minute of the kind MergeDelegationProposal/)
        return answer
      })
      assert.ok(assertOver(refused, new RegExp(`quota of the party ${bob.party}`)) > 1)
    })

    test('rights of featured apps that a provider gives itself are bounded too', async () => {
      assertOver(await featured(OPEN + 1), new RegExp(`${OPEN} open contracts.*FeaturedAppRight`))
      const few = await featured(2)
      assert.equal(few.status, 200, few.text)
    })

    test("submissions: one user's are bounded on all interfaces together, another's and reads are not", async () => {
      const erin = as('erin')
      const lost = {
        ExerciseCommand: {
          templateId: PROPOSAL,
          contractId: UNKNOWN,
          choice: 'Archive',
          choiceArgument: {},
        },
      }
      const statuses: number[] = []
      // One more every ten seconds: a slow machine has time for a few.
      while (statuses.at(-1) !== 429 && statuses.length < 2 * BURST)
        statuses.push((await ask(erin, WAIT, commandsOf(erin, lost))).status)
      assert.deepEqual([statuses[0], statuses.at(-1)], [404, 429])
      assert.ok(statuses.length > BURST, `refused after ${statuses.length}`)
      const refused = await ask(erin, WAIT, commandsOf(erin, lost))
      assert.ok(assertOver(refused, /the user erin.*submissions a second/) >= 5)
      const inWallet = await ask(erin, 'POST /api/validator/v0/wallet/transfer-preapproval')
      assert.deepEqual([inWallet.status, inWallet.headers.has('retry-after')], [429, true])
      assert.match(String(member(inWallet.json, 'error')), /the user erin/)
      for (const [request, status, body] of [
        ['GET /balance', 200],
        ['POST /transactions', 200, { page_size: 1 }],
        ['POST /transfer-offers/never-made/status', 404],
        ['POST /buy-traffic-requests/never-made/status', 404],
      ] as const) {
        const read = await ask(erin, request.replace(' ', ' /api/validator/v0/wallet'), body)
        assert.equal(read.status, status, `${request}: ${read.text}`)
      }
      assert.equal((await ask(as('bob'), WAIT, commandsOf(as('bob'), lost))).status, 404)
    })

    test('traffic: a user who takes all there is leaves the wallets theirs, and the operator is not held up', async () => {
      const alice = as('alice')
      const much = (user: LedgerUser) =>
        commandsOf(user, ...Array.from({ length: 45 }, () => createRules(user)))
      const answers = []
      for (let tries = 0; tries < BURST; tries += 1) {
        const answer = await ask(alice, WAIT, much(alice))
        answers.push(answer)
        if (answer.status !== 200) break
      }
      const refused = answers.at(-1) ?? assert.fail('nothing was asked')
      assert.ok(
        assertOver(refused, /quota of (the user alice|the party alice.*|all users) is used up/) > 1,
      )
      const end = (await ask(alice, 'GET /v2/state/ledger-end')).json
      assert.equal((await ask(alice, WAIT, much(alice))).status, 429)
      assert.deepEqual((await ask(alice, 'GET /v2/state/ledger-end')).json, end)
      // What is left is more than dave's share: he has used nothing yet.
      const dave = as('dave')
      const others: Answer[] = []
      while (others.length < 4 && others.at(-1)?.status !== 429)
        others.push(await ask(dave, WAIT, much(dave)))
      assertOver(
        others.at(-1) ?? assert.fail('nothing was asked'),
        /quota of all users is used up: the traffic that is not kept for wallets/,
      )
      const paid = await offerOf('bob', 'bob-1')
      assert.equal(paid.status, 200, paid.text)
      const operator = as('operator')
      const admin = await ask(operator, WAIT, commandsOf(operator, createRules(operator)))
      assert.equal(admin.status, 200, admin.text)
    })
  })
}
