// One implementation, two vocabularies: the service under the names of the network's public
// documents, called by clients generated from these, through what a wallet, an operator, a
// reader of scan and a client of the ledger do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { newHolder } from '../support/topology-reference.ts'
import { generate, signedTopology, submissionOf, readToSign } from '../external/kit.ts'
import { asLedgerClient } from './vocabulary-ledger.ts'
import { missing, PRESET, upstreamClients } from './vocabulary-kit.ts'
import type { Asking, Fault, Upstream } from './vocabulary-kit.ts'

const VALIDATOR = '/api/validator'
const SCAN = '/api/scan'
const FAR = '2999-01-01T00:00:00Z'
const HOUR_MICROS = 3_600_000_000

/** Answers that differ from the public document of 0.6.1 on purpose. */
const DEMANDED: readonly Demanded[] = [
  {
    document: 'wallet-internal',
    line: /token-standard\/transfers(?:\/\{contract_id\}\/accept)?$/,
    status: 200,
    what: /^\/output oneOf$/,
    reason:
      'one variant of the output needs no member there, so that every other one is it as well',
  },
  {
    document: 'wallet-internal',
    line: /POST \/api\/validator\/v0\/allocations$/,
    status: 200,
    what: /^\/output oneOf$/,
    reason:
      'one variant of the output needs no member there, so that every other one is it as well',
  },
  {
    document: 'validator-internal',
    line: /admin\/users$/,
    status: 403,
    what: /not declared/,
    reason: 'refusals are not declared there',
  },
  {
    document: 'scan',
    line: /rounds\/earliest-available$/,
    status: 308,
    what: /not declared/,
    reason: 'the path has moved since 0.6.1; the old one says where to',
  },
]

interface Demanded {
  readonly document: string
  readonly line: RegExp
  readonly status: number
  readonly what: RegExp
  readonly reason: string
}

interface World {
  readonly upstream: Upstream
  readonly tokens: ReadonlyMap<string, string>
  readonly url: string
  /** The JSON of a 200. */
  done(user: string, line: string, asking?: Omit<Asking, 'token'>): Promise<unknown>
  /** The status alone. */
  status(user: string, line: string, asking?: Omit<Asking, 'token'>): Promise<number>
}

test(
  'clients of the public documents are served',
  { skip: missing, timeout: 120_000 },
  async (t) => {
    const config = {
      clock: 'simulated',
      validator: { pollMs: 50 },
      vocabulary: { preset: PRESET },
    }
    const [service, upstream] = await Promise.all([
      startService({ config, seeded: true }),
      upstreamClients(),
    ])
    t.after(async () => {
      upstream.release()
      await service.stop()
    })
    const world = await worldOf(service, upstream)
    await asWallet(world)
    await asHolderOfCoupons(world)
    await asOperator(world)
    await asReader(world)
    await asProbe(world)
    await asLedgerClient(service, upstream)
    await readTotals(world)
    const { counts, called, faults } = upstream
    const left = faults.filter((fault) => !DEMANDED.some((one) => isOf(one, fault)))
    t.diagnostic(
      `${counts.served} of ${counts.all} public operations served, ${called.size} called`,
    )
    assert.deepEqual([...new Set(left.map((fault) => JSON.stringify(fault)))], [])
    assert.deepEqual(upstream.uncalled(), [])
    assert.deepEqual(
      DEMANDED.filter((one) => !faults.some((fault) => isOf(one, fault))),
      [],
      'differences that are none any more',
    )
  },
)

function isOf({ document, line, status, what }: Demanded, fault: Fault): boolean {
  return (
    document === fault.document &&
    line.test(fault.line) &&
    status === fault.status &&
    what.test(fault.what)
  )
}

async function worldOf(service: Service, upstream: Upstream): Promise<World> {
  const users = ['operator', 'alice', 'bob']
  const tokens = new Map(
    await Promise.all(
      users.map(async (user): Promise<[string, string]> => [user, await service.token(user)]),
    ),
  )
  const ask = (user: string, line: string, asking: Omit<Asking, 'token'> = {}) => {
    return upstream.ask(service.url, line, { ...asking, token: tokens.get(user) })
  }
  return {
    upstream,
    tokens,
    url: service.url,
    done: async (user, line, asking) => {
      const { status, json } = await ask(user, line, asking)
      assert.equal(status, 200, `${line}: ${JSON.stringify(json)}`)
      return json
    },
    status: async (user, line, asking) => (await ask(user, line, asking)).status,
  }
}

async function partyOf({ done }: World, user: string): Promise<string> {
  return String(member(await done(user, `GET ${VALIDATOR}/v0/wallet/user-status`), 'party_id'))
}

function listAt(json: unknown, key: string): readonly unknown[] {
  const value = member(json, key)
  assert.ok(Array.isArray(value), key)
  return value
}

function path(json: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>(member, json)
}

async function asWallet(world: World): Promise<void> {
  const { done, status, upstream } = world
  const wallet = `${VALIDATOR}/v0/wallet`
  const [alice, bob] = [await partyOf(world, 'alice'), await partyOf(world, 'bob')]
  await done('alice', `POST ${wallet}/tap`, { body: { amount: '100.0' } })
  const coins = await done('alice', `GET ${wallet}/coins`)
  const [position] = listAt(coins, upstream.wire('coins'))
  assert.match(
    String(path(position, 'contract', 'contract', 'template_id')),
    new RegExp(String.raw`:\w+\.${upstream.wire('Coin')}:${upstream.wire('Coin')}$`),
  )
  await done('alice', `GET ${wallet}/balance`)
  const offer = (tracking_id: string): Asking => ({
    body: {
      receiver_party_id: bob,
      amount: '1.5',
      description: 'coin',
      tracking_id,
      expires_at: BigInt(Date.now()) * 1000n + BigInt(HOUR_MICROS),
    },
  })
  for (const [id, user, end] of [
    ['a', 'bob', 'accept'],
    ['r', 'bob', 'reject'],
    ['w', 'alice', 'withdraw'],
  ] as const) {
    const made = await done('alice', `POST ${wallet}/transfer-offers`, offer(id))
    await done('bob', `GET ${wallet}/transfer-offers`)
    await done('alice', `POST ${wallet}/transfer-offers/{tracking_id}/status`, { path: [id] })
    await done(user, `POST ${wallet}/transfer-offers/{contract_id}/${end}`, {
      path: [String(member(made, 'offer_contract_id'))],
    })
  }
  await done('bob', `GET ${wallet}/accepted-transfer-offers`)
  await eventuallyHolds('the offer is completed', async () => {
    return (
      member(
        await done('alice', `POST ${wallet}/transfer-offers/{tracking_id}/status`, { path: ['a'] }),
        'status',
      ) === 'completed'
    )
  })
  assert.equal(await status('alice', `POST ${wallet}/transfer-offers`, offer('a')), 409)
  assert.equal(
    await status('alice', `POST ${wallet}/transfer-offers/{tracking_id}/status`, {
      path: ['none'],
    }),
    404,
  )
  await done('bob', `POST ${wallet}/transfer-preapproval`)
  await done('alice', `POST ${wallet}/transfer-preapproval/send`, {
    body: { receiver_party_id: bob, amount: '2', deduplication_id: 'd1', description: 'coin' },
  })
  await asTokenHolder(world, alice)
  await asAllocator(world, bob)
  await asSubscriber(world, alice)
  const history = await done('alice', `POST ${wallet}/transactions`, { body: { page_size: 50n } })
  const choices = listAt(history, 'items').map((item) =>
    path(item, 'transaction_subtype', 'choice'),
  )
  assert.ok(choices.includes(upstream.wire('CoinRules_DevNet_Tap')), choices.join(' '))
  const description = listAt(history, 'items')
    .map((item) => member(item, 'description'))
    .filter((one) => one === 'coin')
  assert.ok(description.length > 0, 'texts of people stay as they are')
  await buyTraffic(world)
}

async function asTokenHolder({ done }: World, alice: string): Promise<void> {
  const transfers = `${VALIDATOR}/v0/wallet/token-standard/transfers`
  for (const [id, user, end] of [
    ['t1', 'alice', 'accept'],
    ['t2', 'alice', 'reject'],
    ['t3', 'bob', 'withdraw'],
  ] as const) {
    const made = await done('bob', `POST ${transfers}`, {
      body: {
        receiver_party_id: alice,
        amount: '1',
        description: 'x',
        tracking_id: id,
        expires_at: BigInt(Date.now()) * 1000n + BigInt(HOUR_MICROS),
      },
    })
    await done('alice', `GET ${transfers}`)
    const instruction = path(made, 'output', 'transfer_instruction_cid')
    await done(user, `POST ${transfers}/{contract_id}/${end}`, { path: [String(instruction)] })
  }
}

/** The operations by which a deployment sees that the service is well. */
async function asProbe({ status }: World): Promise<void> {
  const scan = ['livez', 'readyz', 'status', 'version'].map((name) => `${SCAN}/${name}`)
  for (const line of [`${VALIDATOR}/livez`, `${VALIDATOR}/readyz`, ...scan])
    assert.equal(await status('operator', `GET ${line}`), 200, line)
}

async function asAllocator({ done, status }: World, receiver: string): Promise<void> {
  const requests = `${VALIDATOR}/v0/wallet/token-standard/allocation-requests`
  const allocations = `${VALIDATOR}/v0/allocations`
  const now = BigInt(Date.now()) * 1000n
  const made = await done('alice', `POST ${allocations}`, {
    body: {
      settlement: {
        executor: receiver,
        settlement_ref: { id: 'trade' },
        requested_at: now,
        allocate_before: now + BigInt(HOUR_MICROS),
        settle_before: now + BigInt(HOUR_MICROS),
      },
      transfer_leg_id: 'leg0',
      transfer_leg: { receiver, amount: '1' },
    },
  })
  assert.equal(listAt(await done('alice', `GET ${allocations}`), 'allocations').length, 1)
  await done('alice', `POST ${allocations}/{contract_id}/withdraw`, {
    path: [String(path(made, 'output', 'allocation_cid'))],
  })
  await done('alice', `GET ${requests}`)
  assert.equal(
    await status('alice', `POST ${requests}/{contract_id}/reject`, { path: ['00'] }),
    404,
  )
}

/** Asks for a name, pays for it, and finds it; a second one is rejected. */
async function asSubscriber({ done, status }: World, alice: string): Promise<void> {
  const [wallet, entries] = [`${VALIDATOR}/v0/wallet`, `${VALIDATOR}/v0/entry`]
  const requests = `${wallet}/subscription-requests`
  const asked = async (name: string) => {
    const body = { name, url: '', description: 'coin' }
    const made = await done('alice', `POST ${entries}/create`, { body })
    return String(member(made, 'subscriptionRequestCid'))
  }
  const [wanted, unwanted] = [await asked('alice.unverified.nns'), await asked('al.unverified.nns')]
  assert.equal(listAt(await done('alice', `GET ${requests}`), 'subscription_requests').length, 2)
  await done('alice', `GET ${requests}/{contract_id}`, { path: [unwanted] })
  await done('alice', `POST ${requests}/{contract_id}/reject`, { path: [unwanted] })
  await done('alice', `POST ${requests}/{contract_id}/accept`, { path: [wanted] })
  await done('alice', `GET ${wallet}/subscription-initial-payments`)
  const own = async () =>
    listAt(await done('alice', `GET ${wallet}/subscriptions`), 'subscriptions')[0]
  await eventuallyHolds('the name is paid', async () => (await own()) !== undefined)
  assert.equal(listAt(await done('alice', `GET ${entries}/all`), 'entries').length, 1)
  for (const at of [`${SCAN}/v0`, `${VALIDATOR}/v0/scan-proxy`]) {
    const names = `${at}/ans-entries`
    await done('bob', `GET ${names}`, { query: { name_prefix: 'a', page_size: 5 } })
    await done('bob', `GET ${names}/by-name/{name}`, { path: ['alice.unverified.nns'] })
    await done('bob', `GET ${names}/by-party/{party}`, { path: [alice] })
  }
  const idle = String(path(await own(), 'state', 'idle', 'contract_id'))
  await done('alice', `DELETE ${requests}/{contract_id}`, { path: [idle] })
  for (const at of ['app-payment-requests', 'accepted-app-payments'])
    await done('alice', `GET ${wallet}/${at}`)
  const payment = `${wallet}/app-payment-requests/{contract_id}`
  for (const line of [`GET ${payment}`, `POST ${payment}/accept`, `POST ${payment}/reject`])
    assert.equal(await status('alice', line, { path: ['00'] }), 404)
}

async function buyTraffic(world: World): Promise<void> {
  const { done } = world
  const requests = `${VALIDATOR}/v0/wallet/buy-traffic-requests`
  const rules = await done('alice', `GET ${VALIDATOR}/v0/scan-proxy/coin-rules`)
  await done('alice', `POST ${requests}`, {
    body: {
      receiving_validator_party_id: await partyOf(world, 'operator'),
      domain_id: String(path(rules, world.upstream.wire('coin_rules'), 'domain_id')),
      traffic_amount: 200_000n,
      tracking_id: 'b1',
      expires_at: BigInt(Date.now()) * 1000n + BigInt(HOUR_MICROS),
    },
  })
  await eventuallyHolds('traffic is bought', async () => {
    return (
      member(
        await done('alice', `POST ${requests}/{tracking_id}/status`, { path: ['b1'] }),
        'status',
      ) === 'completed'
    )
  })
}

async function asHolderOfCoupons({ done, status }: World): Promise<void> {
  const wallet = `${VALIDATOR}/v0/wallet`
  await done('alice', `POST ${wallet}/self-grant-feature-app-right`, { body: {} })
  for (const name of [
    'app-reward-coupons',
    'validator-reward-coupons',
    'validator-faucet-coupons',
    'validator-liveness-activity-records',
    'sv-reward-coupons',
    'development-fund-coupons',
    'minting-delegation-proposals',
    'minting-delegations',
  ])
    await done('operator', `GET ${wallet}/${name}`)
  await done('operator', `GET ${wallet}/development-fund-coupons/history`, { query: { limit: 10 } })
  await done('alice', `DELETE ${wallet}/cancel-featured-app-rights`)
  assert.equal(
    await status('operator', `POST ${wallet}/development-fund-coupons/allocate`, {
      body: {
        beneficiary: 'a::12',
        amount: '1',
        expiresAt: BigInt(Date.now()) * 2000n,
        reason: 'x',
      },
    }),
    400,
  )
  for (const line of [
    `${wallet}/development-fund-coupons/{contract_id}/withdraw`,
    `${wallet}/minting-delegation-proposals/{contract_id}/accept`,
    `${wallet}/minting-delegation-proposals/{contract_id}/reject`,
    `${wallet}/minting-delegations/{contract_id}/reject`,
  ])
    await status('operator', `POST ${line}`, {
      path: ['00ff'],
      ...(line.includes('withdraw') ? { body: { reason: 'x' } } : {}),
    })
}

async function asOperator(world: World): Promise<void> {
  const { done, status } = world
  const admin = `${VALIDATOR}/v0/admin`
  await done('operator', `GET ${VALIDATOR}/v0/validator-user`)
  await done('operator', `GET ${VALIDATOR}/v0/feature-support`)
  await done('alice', `POST ${VALIDATOR}/v0/register`)
  await done('operator', `POST ${admin}/users`, { body: { name: 'carol' } })
  await done('operator', `GET ${admin}/users`)
  await done('operator', `POST ${admin}/users/offboard`, { query: { username: 'carol' } })
  assert.equal(await status('alice', `GET ${admin}/users`), 403)
  await done('operator', `GET ${admin}/transfer-preapprovals`)
  const bob = await partyOf(world, 'bob')
  await done('operator', `GET ${admin}/transfer-preapprovals/by-party/{receiver-party}`, {
    path: [bob],
  })
  await done('operator', `GET ${VALIDATOR}/v0/scan-proxy/transfer-preapprovals/by-party/{party}`, {
    path: [bob],
  })
  await done('operator', `GET ${SCAN}/v0/transfer-preapprovals/by-party/{party}`, { path: [bob] })
  await asExternalParty(world)
  await done('operator', `DELETE ${admin}/transfer-preapprovals/by-party/{receiver-party}`, {
    path: [bob],
  })
}

/** The steps of an external party, asked for by the clients. */
async function asExternalParty(world: World): Promise<void> {
  const external = `${VALIDATOR}/v0/admin/external-party`
  const asked = {
    done: (user: string, line: string, body?: unknown) =>
      world.done(user, line.replace(' ', ` ${VALIDATOR}`), { body }),
  }
  const holder = newHolder('EC_CURVE25519')
  const generated = await generate(asked, 'dora', holder)
  await world.done('operator', `POST ${external}/topology/submit`, {
    body: signedTopology(generated, holder),
  })
  const { party } = generated
  const proposal = await world.done('operator', `POST ${external}/setup-proposal`, {
    body: { user_party_id: party },
  })
  await world.done('operator', `GET ${external}/setup-proposal`)
  const prepared = readToSign(
    await world.done('operator', `POST ${external}/setup-proposal/prepare-accept`, {
      body: {
        contract_id: member(proposal, 'contract_id'),
        user_party_id: party,
        verbose_hashing: false,
      },
    }),
  )
  await world.done('operator', `POST ${external}/setup-proposal/submit-accept`, {
    body: submissionOf({ party, holder }, prepared),
  })
  await world.done('alice', `POST ${VALIDATOR}/v0/wallet/transfer-preapproval/send`, {
    body: { receiver_party_id: party, amount: '12.5', deduplication_id: 'd2', description: '' },
  })
  await world.done('operator', `GET ${external}/balance`, { query: { party_id: party } })
  const order = readToSign(
    await world.done('operator', `POST ${external}/transfer-preapproval/prepare-send`, {
      body: {
        sender_party_id: party,
        receiver_party_id: party,
        amount: 1,
        nonce: 0n,
        verbose_hashing: false,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      },
    }),
  )
  await world.done('operator', `POST ${external}/transfer-preapproval/submit-send`, {
    body: submissionOf({ party, holder }, order),
  })
  await world.done('operator', `GET ${SCAN}/v2/updates/hash/{hash}`, { path: [order.tx_hash] })
  const query = { sender: party, nonce: 0n }
  for (const place of [SCAN, `${VALIDATOR}/v0/scan-proxy`]) {
    const base = place === SCAN ? `${SCAN}/v0` : place
    await world.done('operator', `GET ${base}/transfer-command/status`, { query })
    await world.done('operator', `GET ${base}/transfer-command-counter/{party}`, { path: [party] })
  }
}

async function asReader(world: World): Promise<void> {
  const {
    done,
    status,
    upstream: { wire },
  } = world
  const dso = await done('alice', `GET ${SCAN}/v0/dso`)
  const rules = path(dso, wire('coin_rules'), 'contract', 'payload')
  assert.ok(JSON.stringify(rules).includes(`"${wire('coinToIssuePerYear')}"`))
  for (const name of [
    'dso-party-id',
    'closed-rounds',
    'featured-apps',
    'admin/validator/licenses',
    'network-instance-names',
    'coin-price/votes',
    'admin/sv/voterequests',
    'feature-support',
    'unclaimed-development-fund-coupons',
    'scans',
    'dso-sequencers',
    'sv-bft-sequencers',
    'roll-forward-lsu',
    'backfilling/status',
  ])
    await done('alice', `GET ${SCAN}/v0/${name}`)
  await done('alice', `POST ${SCAN}/v0/backfilling/migration-info`, { body: { migration_id: 0n } })
  for (const name of [
    'dso-party-id',
    'dso',
    'coin-rules',
    'open-and-issuing-mining-rounds',
    'unclaimed-development-fund-coupons',
  ]) {
    await done('alice', `GET ${VALIDATOR}/v0/scan-proxy/${name}`)
  }
  const rounds = await done('alice', `POST ${SCAN}/v0/open-and-issuing-mining-rounds`, {
    body: { cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: [] },
  })
  assert.ok(
    JSON.stringify(rounds).includes(`"${wire('coinPrice')}"`),
    'a round has its price under the name of the wire',
  )
  for (const name of ['coin-rules', 'external-party-coin-rules', 'ans-rules']) {
    const key = name.replaceAll('-', '_')
    const first = await done('alice', `POST ${SCAN}/v0/${name}`, { body: {} })
    const id = path(first, wire(`${key}_update`), 'contract', 'contract_id')
    const cached = {
      [wire(`cached_${key}_contract_id`)]: id,
      [wire(`cached_${key}_domain_id`)]: path(first, wire(`${key}_update`), 'domain_id'),
    }
    const second = await done('alice', `POST ${SCAN}/v0/${name}`, { body: cached })
    assert.equal(
      path(second, wire(`${key}_update`), 'contract'),
      undefined,
      'the id of the cached contract was read',
    )
  }
  await done('alice', `POST ${VALIDATOR}/v0/scan-proxy/ans-rules`, { body: {} })
  await readParties(world, dso)
  await readHistory(world)
  await readVotes(world)
  await status('alice', `GET ${SCAN}/v0/migrations/schedule`)
  await status('alice', `GET ${SCAN}/v0/reward-accounting-process/rounds/earliest-available`)
}

async function readParties(world: World, dso: unknown): Promise<void> {
  const { done, status } = world
  const alice = await partyOf(world, 'alice')
  const domain = String(path(dso, world.upstream.wire('coin_rules'), 'domain_id'))
  await done('alice', `GET ${SCAN}/v0/featured-apps/{provider_party_id}`, { path: [alice] })
  await done('alice', `GET ${SCAN}/v0/featured-apps/by-provider/{provider_party_id}`, {
    path: [alice],
  })
  await done('alice', `GET ${SCAN}/v0/featured-apps/by-contract-id/{contract_id}`, {
    path: ['00ff'],
  })
  await done('alice', `GET ${VALIDATOR}/v0/scan-proxy/featured-apps/{provider_party_id}`, {
    path: [alice],
  })
  const domains = `${SCAN}/v0/domains/{domain_id}`
  const participant = await done('alice', `GET ${domains}/parties/{party_id}/participant-id`, {
    path: [domain, alice],
  })
  await done('alice', `GET ${SCAN}/v1/domains/{domain_id}/parties/{party_id}/participant-id`, {
    path: [domain, alice],
  })
  const member_id = String(member(participant, 'participant_id'))
  await status('alice', `GET ${domains}/members/{member_id}/traffic-status`, {
    path: [domain, member_id],
  })
  const validator = await partyOf(world, 'operator')
  await done('alice', `GET ${SCAN}/v0/validators/validator-faucets`, {
    query: { validator_ids: [validator] },
  })
}

async function readHistory(world: World): Promise<void> {
  const {
    done,
    status,
    upstream: { wire },
  } = world
  const taken = await done('operator', `POST ${SCAN}/v0/state/acs/force`)
  await done('alice', `GET ${SCAN}/v0/state/acs/snapshot-timestamp`, {
    query: { before: FAR, migration_id: 0n },
  })
  await done('alice', `GET ${SCAN}/v0/state/acs/snapshot-timestamp-after`, {
    query: { after: '2000-01-01T00:00:00Z', migration_id: 0n },
  })
  const alice = await partyOf(world, 'alice')
  const at = {
    migration_id: 0n,
    record_time: member(taken, 'record_time'),
    record_time_match: 'exact',
  }
  const coin = wire('Coin')
  const template = `${wire('network-coin')}:${wire('Network')}.${coin}:${coin}`
  await done('alice', `POST ${SCAN}/v1/state/acs`, {
    body: { ...at, page_size: 5, templates: [template] },
  })
  await done('alice', `POST ${SCAN}/v1/holdings/state`, {
    body: { ...at, page_size: 5, owner_party_ids: [alice] },
  })
  const summary = { ...at, owner_party_ids: [alice] }
  await done('alice', `POST ${SCAN}/v0/holdings/summary`, { body: summary })
  await done('alice', `POST ${VALIDATOR}/v0/scan-proxy/holdings/summary`, { body: summary })
  const updates = await done('alice', `POST ${SCAN}/v2/updates`, { body: { page_size: 100 } })
  const [first] = listAt(updates, 'transactions')
  const encoding = world.upstream.named('property', 'value_encoding')
  const other = { page_size: 1, [encoding]: 'protobuf_json' }
  assert.equal(await status('alice', `POST ${SCAN}/v2/updates`, { body: other }), 400)
  const id = String(member(first, 'update_id'))
  for (const name of ['v0/updates', 'v1/updates', 'v0/events'])
    await done('alice', `POST ${SCAN}/${name}`, { body: { page_size: 100 } })
  for (const name of ['v0/updates', 'v1/updates', 'v2/updates', 'v0/events'])
    await done('alice', `GET ${SCAN}/${name}/{update_id}`, { path: [id] })
}

/** Totals of rounds: the clock is moved until some of them are over. */
async function readTotals({ done, url, tokens }: World): Promise<void> {
  const latest = `${SCAN}/v0/round-of-latest-data`
  await eventuallyHolds('a round is added up', async () => {
    await call(url, 'POST /api/validator/v0/admin/clock', {
      token: tokens.get('operator') ?? '',
      body: { advance_microseconds: 600_000_000 },
    })
    return (await fetch(`${url}${latest}`)).status === 200
  })
  const round = BigInt(Number(member(await done('alice', `GET ${latest}`), 'round')))
  const first = member(await done('alice', `GET ${SCAN}/v0/aggregated-rounds`), 'start')
  // Nobody need have had a share in the last of them.
  const body = { start_round: BigInt(Number(first)), end_round: round }
  for (const name of ['round-totals', 'round-party-totals']) {
    const json = await done('alice', `POST ${SCAN}/v0/${name}`, { body })
    const closed = Number(member(listAt(json, 'entries')[0], 'closed_round'))
    assert.ok(closed >= Number(first) && closed <= Number(round), `${name}: ${closed}`)
  }
  await done('alice', `GET ${SCAN}/v0/coin-config-for-round`, { query: { round } })
  await done('alice', `GET ${SCAN}/v0/rewards-collected`, { query: { round } })
  for (const name of ['providers-by-app-rewards', 'validators-by-validator-rewards'])
    await done('alice', `GET ${SCAN}/v0/top-${name}`, { query: { round, limit: 5 } })
  await done('alice', `GET ${SCAN}/v0/top-validators-by-purchased-traffic`, {
    query: { round, limit: 5 },
  })
  await done('alice', `GET ${SCAN}/v0/top-validators-by-validator-faucets`, { query: { limit: 5 } })
  const page = { body: { page_size: 50n } }
  const activities = await done('alice', `POST ${SCAN}/v0/activities`, page)
  assert.ok(listAt(activities, 'activities').length > 5)
  await done('alice', `POST ${SCAN}/v0/transactions`, page)
}

async function readVotes(world: World): Promise<void> {
  const { done, status } = world
  await done('alice', `POST ${SCAN}/v0/voterequest`, { body: { vote_request_contract_ids: [] } })
  assert.equal(
    await status('alice', `GET ${SCAN}/v0/voterequests/{vote_request_contract_id}`, {
      path: ['00ff'],
    }),
    404,
  )
  await done('alice', `POST ${SCAN}/v0/admin/sv/voteresults`, { body: { limit: 10 } })
}
