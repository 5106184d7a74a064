// What is done through one server holds at the other one on the same PostgreSQL: rights and users
// within five seconds, and here at once; the network's rules, updates on streams and the end of
// offers right away. That a provider is deactivated elsewhere is tested in
// test/plugins/auth-jwt-http.test.ts. runtime/host/plugin.ts, AccessDirectory
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { commandsOf, createRules, path } from '../interfaces/ledger-kit.ts'
import { openStream } from '../interfaces/stream-client.ts'
import { eventually, withinOnce } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import type { Answer } from '../support/http.ts'
import { startServers } from '../support/servers.ts'
import type { Server, Servers } from '../support/servers.ts'
import { ask, offerBody, offerEnd, sendBody } from '../support/wallet-client.ts'

/** Milliseconds that others may take, and those of the question itself. */
const STATED_MS = 5_000 + 1_000
const ADMIN = { kind: { ParticipantAdmin: { value: {} } } }
const ALL_FIELDS = { unknownFields: { fields: {} } }

let servers: Servers
let here: Server
let there: Server
let admin = ''

before(async () => {
  servers = await startServers(2, { network: { traffic: { baseBurstBytes: 10_000_000_000 } } })
  const [first, second] = servers.all
  assert.ok(first && second)
  here = first
  there = second
  admin = await here.service.token('participant_admin')
})

after(() => servers.stop())

const asAdmin = async (request: string, body: object): Promise<void> => {
  const answer = await call(here.url, request, { token: admin, body })
  assert.equal(answer.status, 200, answer.text)
}

/** A user with a token of each server, and whether he may list users there. */
async function newUser(id: string, rights: readonly object[]) {
  await asAdmin('POST /v2/users', { user: { id }, rights })
  const tokens = await Promise.all([here, there].map(({ service }) => service.token(id)))
  const status = async ({ url }: Server, token = ''): Promise<number> =>
    (await call(url, 'GET /v2/users', { token })).status
  return { statusHere: () => status(here, tokens[0]), statusThere: () => status(there, tokens[1]) }
}

const CHANGES = {
  'a right that is granted': {
    rights: [],
    before: 403,
    after: 200,
    make: (id: string) => asAdmin(`POST /v2/users/${id}/rights`, { userId: id, rights: [ADMIN] }),
  },
  'a right that is revoked': {
    rights: [ADMIN],
    before: 200,
    after: 403,
    make: (id: string) => asAdmin(`PATCH /v2/users/${id}/rights`, { userId: id, rights: [ADMIN] }),
  },
  'a user who is deactivated': {
    rights: [ADMIN],
    before: 200,
    after: 403,
    make: (id: string) =>
      asAdmin(`PATCH /v2/users/${id}`, {
        user: { id, isDeactivated: true },
        updateMask: { paths: ['isDeactivated'], ...ALL_FIELDS },
      }),
  },
  'a user who is deleted': {
    rights: [ADMIN],
    before: 200,
    after: 403,
    make: async (id: string) =>
      assert.equal((await call(here.url, `DELETE /v2/users/${id}`, { token: admin })).status, 200),
  },
}

test('changes of users and rights hold at once here, and within five seconds there', async (t) => {
  let number = 0
  await Promise.all(
    Object.entries(CHANGES).map(([name, { rights, before: old, after: changed, make }]) =>
      t.test(name, () =>
        withinOnce(STATED_MS, async () => {
          const id = `user-${(number += 1)}`
          const { statusHere, statusThere } = await newUser(id, rights)
          // Whoever asked is remembered from now on.
          assert.deepEqual([await statusHere(), await statusThere()], [old, old])
          await make(id)
          const madeMs = performance.now()
          assert.equal(await statusHere(), changed)
          await eventually(changed, statusThere)
          return performance.now() - madeMs
        }),
      ),
    ),
  )
})

test('the network follows a vote at both servers at once', async () => {
  const rulesAt = async ({ asOperator }: Server): Promise<unknown> => {
    const answer = await asOperator('POST /api/scan/v0/coin-rules', {})
    assert.equal(answer.status, 200, answer.text)
    return path(answer.json, 'coin_rules_update', 'contract')
  }
  const [rules, rulesThere] = [await rulesAt(here), await rulesAt(there)]
  assert.equal(path(rules, 'contract_id'), path(rulesThere, 'contract_id'))
  const baseConfig = path(rules, 'payload', 'configSchedule', 'initialValue')
  const newConfig = { ...Object(baseConfig), transferPreapprovalFee: '0.0050000000' }
  const action = {
    tag: 'ARC_CoinRules',
    value: { coinRulesAction: { tag: 'CRARC_SetConfig', value: { newConfig, baseConfig } } },
  }
  const vote = await done(
    here.asOperator('POST /api/validator/v0/admin/network/votes', {
      action,
      reason: { url: '', body: 'try' },
    }),
  )
  const requestId = String(path(vote, 'vote_request_contract_id'))
  const closed = await done(
    there.asOperator(`POST /api/validator/v0/admin/network/votes/${requestId}/close`),
  )
  assert.equal(path(closed, 'outcome', 'tag'), 'VRO_Accepted', JSON.stringify(closed))
  for (const server of [here, there]) {
    const now = await rulesAt(server)
    assert.notEqual(path(now, 'contract_id'), path(rules, 'contract_id'))
    assert.equal(
      path(now, 'payload', 'configSchedule', 'initialValue', 'transferPreapprovalFee'),
      '0.0050000000',
    )
  }
})

test('a preapproval that is made here is paid to there at once', async () => {
  await done(ask(here.url, here.bob, 'POST /transfer-preapproval'))
  const payment = {
    kind: 'send',
    from: there.alice,
    to: there.bob,
    amount: '1',
    id: 'there',
  } as const
  await done(ask(there.url, there.alice, 'POST /transfer-preapproval/send', sendBody(payment)))
})

test('an id that is used here and there at once, for two payments, stands for one of them at both', async () => {
  const [one, other] = ['1', '2'].map((amount) =>
    sendBody({ kind: 'send', from: here.alice, to: here.bob, amount, id: 'used at both' }),
  )
  const pay = ({ url, alice }: Server, body?: object) =>
    ask(url, alice, 'POST /transfer-preapproval/send', body)
  const before = await coinsOfBob(there)
  const asked = [here, there, here, there].map((server, at) => ({
    body: at < 2 ? one : other,
    answer: pay(server, at < 2 ? one : other),
  }))
  const answers = await Promise.all(
    asked.map(async ({ body, answer }) => ({ body, status: (await answer).status })),
  )
  const paid = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body))
  assert.equal(paid.size, 1, JSON.stringify(answers))
  assert.ok(
    answers.every(({ status }) => [200, 409, 429].includes(status)),
    JSON.stringify(answers),
  )
  for (const server of [here, there]) {
    for (const body of [one, other])
      assert.equal(
        (await pay(server, body)).status,
        body !== undefined && paid.has(body) ? 200 : 409,
      )
  }
  assert.equal((await coinsOfBob(here)) - before, one !== undefined && paid.has(one) ? 1 : 2)
})

test('a stream shows what is committed at another server within a second', async () => {
  const user = { id: 'alice', party: here.alice.party, token: here.alice.token }
  const end = path(
    await done(call(there.url, 'GET /v2/state/ledger-end', { token: there.alice.token })),
    'offset',
  )
  const eventFormat = { filtersByParty: { [user.party]: {} } }
  const updateFormat = {
    includeTransactions: { transactionShape: 'TRANSACTION_SHAPE_ACS_DELTA', eventFormat },
  }
  const opened = await openStream(
    there.url,
    '/v2/updates',
    { beginExclusive: end, updateFormat },
    { token: there.alice.token },
  )
  assert.ok('elements' in opened, JSON.stringify(opened))
  let shown = 0
  await withinOnce(1_000, async () => {
    const body = commandsOf(user, createRules(user))
    const made = await done(
      call(here.url, 'POST /v2/commands/submit-and-wait', { token: user.token, body }),
    )
    const madeMs = performance.now()
    await opened.until((shown += 1))
    assert.equal(
      path(opened.elements[shown - 1], 'update', 'Transaction', 'value', 'offset'),
      path(made, 'completionOffset'),
    )
    return performance.now() - madeMs
  })
  await opened.close()
})

test('an offer that is made here and accepted there is paid, and both say so', async () => {
  const payment = {
    kind: 'offer',
    from: here.alice,
    to: here.bob,
    amount: '1',
    id: 'offered-here',
  } as const
  const offered = await done(ask(here.url, here.alice, 'POST /transfer-offers', offerBody(payment)))
  await done(
    ask(
      there.url,
      there.bob,
      `POST /transfer-offers/${String(path(offered, 'offer_contract_id'))}/accept`,
    ),
  )
  assert.deepEqual(await offerEnd(here.url, payment), { end: 'paid' })
  assert.deepEqual(await offerEnd(there.url, { from: there.alice, id: payment.id }), {
    end: 'paid',
  })
})

async function coinsOfBob({ url, bob }: Server): Promise<number> {
  return Number(path(await done(ask(url, bob, 'GET /balance')), 'effective_unlocked_qty'))
}

async function done(asked: Promise<Answer>): Promise<unknown> {
  const answer = await asked
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}
