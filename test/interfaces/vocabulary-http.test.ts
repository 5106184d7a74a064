// One implementation, two vocabularies: the service under the names of the network's public
// documents, called by clients generated from these, through what a wallet, an operator, a
// reader of scan and a client of the ledger do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { call } from '../support/http.ts'
import { scripts } from '../support/script.ts'
import type { Scripts } from '../support/script.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { newHolder } from '../support/topology-reference.ts'
import { generate, signedTopology, submissionOf, readToSign } from '../external/kit.ts'
import { list, path } from './ledger-kit.ts'
import { asLedgerClient } from './vocabulary-ledger.ts'
import { missing, PRESET, upstreamClients } from './vocabulary-kit.ts'
import type { Fault, Upstream } from './vocabulary-kit.ts'

const VALIDATOR = '/api/validator'
const SCAN = '/api/scan'
const HOUR_MICROS = 3_600_000_000n

/** Answers that differ from the public document of 0.6.1 on purpose. */
const DEMANDED: readonly Demanded[] = [
  {
    document: 'scan',
    line: /v0\/(?:state\/acs|holdings\/state)$/,
    status: 200,
    what: /^\/next_page_token type$/,
    reason: "the last page says null, as that network's server does against its document",
  },
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

/** What clients ask for, and what they know. */
export interface World extends Scripts {
  readonly upstream: Upstream
  readonly url: string
  readonly operator: string
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
    await asLedgerClient(world)
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
  const users = ['operator', 'alice', 'bob', 'participant_admin']
  const tokens = new Map<string, string>()
  for (const user of users) tokens.set(user, await service.token(user))
  const made = scripts({
    places: {
      validator: VALIDATOR,
      wallet: `${VALIDATOR}/v0/wallet`,
      transfers: `${VALIDATOR}/v0/wallet/token-standard/transfers`,
      admin: `${VALIDATOR}/v0/admin`,
      external: `${VALIDATOR}/v0/admin/external-party`,
      proxy: `${VALIDATOR}/v0/scan-proxy`,
      scan: SCAN,
      ledger: '/v2',
    },
    send: (user, line, sent) =>
      upstream.ask(service.url, line, { ...sent, token: tokens.get(user) }),
  })
  const { known, run } = made
  for (const user of ['operator', 'alice', 'bob']) {
    await run(`status = ${user} GET wallet/user-status`)
    known.set(user, member(known.get('status'), 'party_id'))
  }
  known.set('soon', BigInt(Date.now()) * 1000n + HOUR_MICROS)
  return {
    ...made,
    upstream,
    url: service.url,
    operator: tokens.get('operator') ?? '',
  }
}

async function asWallet(world: World): Promise<void> {
  const { run, answered, upstream } = world
  await run(`
    alice POST wallet/tap {amount: '100.0'}
    coins = alice GET wallet/coins
    alice GET wallet/balance
  `)
  const coin = upstream.wire('Coin')
  assert.match(
    String(answered('coins', upstream.wire('coins'), '0', 'contract', 'contract', 'template_id')),
    new RegExp(String.raw`:\w+\.${coin}:${coin}$`),
  )
  const offer = "receiver_party_id: $bob, amount: '1.5', description: coin, expires_at: $soon"
  for (const [id, user, end] of [
    ['a', 'bob', 'accept'],
    ['r', 'bob', 'reject'],
    ['w', 'alice', 'withdraw'],
  ])
    await run(`
      made = alice POST wallet/transfer-offers {${offer}, tracking_id: ${id}}
      bob GET wallet/transfer-offers
      alice POST wallet/transfer-offers/{tracking_id=${id}}/status
      ${user} POST wallet/transfer-offers/{contract_id=$made.offer_contract_id}/${end}
    `)
  await run(`
    bob GET wallet/accepted-transfer-offers
    until alice POST wallet/transfer-offers/{tracking_id=a}/status => {status: completed}
    409 alice POST wallet/transfer-offers
      {receiver_party_id: $bob, amount: '2', description: '', expires_at: $soon, tracking_id: a}
    404 alice POST wallet/transfer-offers/{tracking_id=none}/status
    bob POST wallet/transfer-preapproval
    alice POST wallet/transfer-preapproval/send
      {receiver_party_id: $bob, amount: '2', deduplication_id: d1, description: coin}
  `)
  await asTokenHolder(world)
  await asAllocator(world)
  await asSubscriber(world)
  await run('history = alice POST wallet/transactions {page_size: 50n}')
  const items = list(answered('history', 'items'))
  const choices = items.map((item) => path(item, 'transaction_subtype', 'choice'))
  assert.ok(choices.includes(upstream.wire('CoinRules_DevNet_Tap')), choices.join(' '))
  assert.ok(
    items.some((item) => member(item, 'description') === 'coin'),
    'texts of people stay as they are',
  )
  await run('rules = alice GET proxy/coin-rules')
  world.known.set('domain', answered('rules', upstream.wire('coin_rules'), 'domain_id'))
  await run(`
    alice POST wallet/buy-traffic-requests
      {receiving_validator_party_id: $operator, domain_id: $domain, traffic_amount: 200000n,
       tracking_id: b1, expires_at: $soon}
    until alice POST wallet/buy-traffic-requests/{tracking_id=b1}/status => {status: completed}
  `)
}

async function asTokenHolder({ run }: World): Promise<void> {
  for (const [id, user, end] of [
    ['t1', 'alice', 'accept'],
    ['t2', 'alice', 'reject'],
    ['t3', 'bob', 'withdraw'],
  ])
    await run(`
      made = bob POST transfers {receiver_party_id: $alice, amount: '1', description: x,
        tracking_id: ${id}, expires_at: $soon}
      alice GET transfers
      ${user} POST transfers/{contract_id=$made.output.transfer_instruction_cid}/${end}
    `)
}

/** The operations by which a deployment sees that the service is well. */
async function asProbe({ run }: World): Promise<void> {
  await run(`
    operator GET validator/livez
    operator GET validator/readyz
    operator GET scan/livez
    operator GET scan/readyz
    operator GET scan/status
    operator GET scan/version
  `)
}

async function asAllocator({ run, known, answered }: World): Promise<void> {
  known.set('now', BigInt(Date.now()) * 1000n)
  await run(`
    made = alice POST validator/v0/allocations {
      settlement: {executor: $bob, settlement_ref: {id: trade}, requested_at: $now,
        allocate_before: $soon, settle_before: $soon},
      transfer_leg_id: leg0, transfer_leg: {receiver: $bob, amount: '1'}}
    all = alice GET validator/v0/allocations
    alice POST validator/v0/allocations/{contract_id=$made.output.allocation_cid}/withdraw
    alice GET wallet/token-standard/allocation-requests
    404 alice POST wallet/token-standard/allocation-requests/{contract_id=00}/reject
  `)
  assert.equal(list(answered('all', 'allocations')).length, 1)
}

/** Asks for a name, pays for it, and finds it; a second one is rejected. */
async function asSubscriber({ run, answered }: World): Promise<void> {
  const entry = "url: '', description: coin"
  await run(`
    wanted = alice POST validator/v0/entry/create {name: alice.unverified.nns, ${entry}}
    unwanted = alice POST validator/v0/entry/create {name: al.unverified.nns, ${entry}}
    asked = alice GET wallet/subscription-requests
    alice GET wallet/subscription-requests/{contract_id=$unwanted.subscriptionRequestCid}
    alice POST wallet/subscription-requests/{contract_id=$unwanted.subscriptionRequestCid}/reject
    alice POST wallet/subscription-requests/{contract_id=$wanted.subscriptionRequestCid}/accept
    alice GET wallet/subscription-initial-payments
  `)
  assert.equal(list(answered('asked', 'subscription_requests')).length, 2)
  await eventuallyHolds('the name is paid', async () => {
    await run('own = alice GET wallet/subscriptions')
    return answered('own', 'subscriptions', '0') !== undefined
  })
  await run('names = alice GET validator/v0/entry/all')
  assert.equal(list(answered('names', 'entries')).length, 1)
  for (const at of ['scan/v0', 'proxy'])
    await run(`
      bob GET ${at}/ans-entries ?{name_prefix: a, page_size: 5}
      bob GET ${at}/ans-entries/by-name/{name=alice.unverified.nns}
      bob GET ${at}/ans-entries/by-party/{party=$alice}
    `)
  await run(`
    alice DELETE wallet/subscription-requests/{contract_id=$own.subscriptions.0.state.idle.contract_id}
    alice GET wallet/app-payment-requests
    alice GET wallet/accepted-app-payments
    404 alice GET wallet/app-payment-requests/{contract_id=00}
    404 alice POST wallet/app-payment-requests/{contract_id=00}/accept
    404 alice POST wallet/app-payment-requests/{contract_id=00}/reject
  `)
}

async function asHolderOfCoupons({ run }: World): Promise<void> {
  await run(`
    alice POST wallet/self-grant-feature-app-right {}
    operator GET wallet/app-reward-coupons
    operator GET wallet/validator-reward-coupons
    operator GET wallet/validator-faucet-coupons
    operator GET wallet/validator-liveness-activity-records
    operator GET wallet/sv-reward-coupons
    operator GET wallet/development-fund-coupons
    operator GET wallet/minting-delegation-proposals
    operator GET wallet/minting-delegations
    operator GET wallet/development-fund-coupons/history ?{limit: 10}
    alice DELETE wallet/cancel-featured-app-rights
    400 operator POST wallet/development-fund-coupons/allocate
      {beneficiary: 'a::12', amount: '1', expiresAt: $soon, reason: x}
    any operator POST wallet/development-fund-coupons/{contract_id=00ff}/withdraw {reason: x}
    any operator POST wallet/minting-delegation-proposals/{contract_id=00ff}/accept
    any operator POST wallet/minting-delegation-proposals/{contract_id=00ff}/reject
    any operator POST wallet/minting-delegations/{contract_id=00ff}/reject
  `)
}

async function asOperator(world: World): Promise<void> {
  await world.run(`
    operator GET validator/v0/validator-user
    operator GET validator/v0/feature-support
    alice POST validator/v0/register
    operator POST admin/users {name: carol}
    operator GET admin/users
    operator POST admin/users/offboard ?{username: carol}
    403 alice GET admin/users
    operator GET admin/transfer-preapprovals
    operator GET admin/transfer-preapprovals/by-party/{receiver-party=$bob}
    operator GET proxy/transfer-preapprovals/by-party/{party=$bob}
    operator GET scan/v0/transfer-preapprovals/by-party/{party=$bob}
  `)
  await asExternalParty(world)
  await world.run('operator DELETE admin/transfer-preapprovals/by-party/{receiver-party=$bob}')
}

/** The steps of an external party, asked for by the clients. */
async function asExternalParty({ run, known, answered }: World): Promise<void> {
  const done = async (user: string, line: string, body?: unknown): Promise<unknown> => {
    known.set('body', body)
    await run(`done = ${user} ${line.replace(' /', ' validator/')} $body`)
    return answered('done')
  }
  const holder = newHolder('EC_CURVE25519')
  const generated = await generate({ done }, 'dora', holder)
  const { party } = generated
  known.set('dora', party)
  known.set('topology', signedTopology(generated, holder))
  const toSubmit = (name: string): void => {
    const signed = submissionOf({ party, holder }, readToSign(answered(name)))
    known.set(`signed_${name}`, signed)
  }
  await run(`
    operator POST external/topology/submit $topology
    proposal = operator POST external/setup-proposal {user_party_id: $dora}
    operator GET external/setup-proposal
    accept = operator POST external/setup-proposal/prepare-accept
      {contract_id: $proposal.contract_id, user_party_id: $dora, verbose_hashing: false}
  `)
  toSubmit('accept')
  known.set('later', new Date(Date.now() + 3_600_000).toISOString())
  await run(`
    operator POST external/setup-proposal/submit-accept $signed_accept
    alice POST wallet/transfer-preapproval/send
      {receiver_party_id: $dora, amount: '12.5', deduplication_id: d2, description: ''}
    operator GET external/balance ?{party_id: $dora}
    order = operator POST external/transfer-preapproval/prepare-send
      {sender_party_id: $dora, receiver_party_id: $dora, amount: 1, nonce: 0n,
       verbose_hashing: false, expires_at: $later}
  `)
  toSubmit('order')
  await run(`
    operator POST external/transfer-preapproval/submit-send $signed_order
    operator GET scan/v2/updates/hash/{hash=$order.tx_hash}
    operator GET scan/v0/transfer-command/status ?{sender: $dora, nonce: 0n}
    operator GET proxy/transfer-command/status ?{sender: $dora, nonce: 0n}
    operator GET scan/v0/transfer-command-counter/{party=$dora}
    operator GET proxy/transfer-command-counter/{party=$dora}
  `)
}

async function asReader(world: World): Promise<void> {
  const { run, known, answered, upstream } = world
  const { wire } = upstream
  await run(`
    dso = alice GET scan/v0/dso
    alice GET scan/v0/dso-party-id
    alice GET scan/v0/closed-rounds
    alice GET scan/v0/featured-apps
    alice GET scan/v0/admin/validator/licenses
    alice GET scan/v0/network-instance-names
    alice GET scan/v0/coin-price/votes
    alice GET scan/v0/admin/sv/voterequests
    alice GET scan/v0/feature-support
    alice GET scan/v0/unclaimed-development-fund-coupons
    alice GET scan/v0/scans
    alice GET scan/v0/dso-sequencers
    alice GET scan/v0/sv-bft-sequencers
    alice GET scan/v0/roll-forward-lsu
    alice GET scan/v0/backfilling/status
    alice POST scan/v0/backfilling/migration-info {migration_id: 0n}
    alice GET proxy/dso-party-id
    alice GET proxy/dso
    alice GET proxy/coin-rules
    alice GET proxy/open-and-issuing-mining-rounds
    alice GET proxy/unclaimed-development-fund-coupons
    rounds = alice POST scan/v0/open-and-issuing-mining-rounds
      {cached_open_mining_round_contract_ids: [], cached_issuing_round_contract_ids: []}
  `)
  const rules = answered('dso', wire('coin_rules'), 'contract', 'payload')
  assert.ok(JSON.stringify(rules).includes(`"${wire('coinToIssuePerYear')}"`))
  assert.ok(
    JSON.stringify(answered('rounds')).includes(`"${wire('coinPrice')}"`),
    'a round has its price under the name of the wire',
  )
  for (const name of ['coin-rules', 'external-party-coin-rules', 'ans-rules']) {
    const key = name.replaceAll('-', '_')
    await run(`first = alice POST scan/v0/${name} {}`)
    known.set('cached', {
      [wire(`cached_${key}_contract_id`)]: answered(
        'first',
        wire(`${key}_update`),
        'contract',
        'contract_id',
      ),
      [wire(`cached_${key}_domain_id`)]: answered('first', wire(`${key}_update`), 'domain_id'),
    })
    await run(`second = alice POST scan/v0/${name} $cached`)
    assert.equal(
      answered('second', wire(`${key}_update`), 'contract'),
      undefined,
      'the id of the cached contract was read',
    )
  }
  await run(`
    alice POST proxy/ans-rules {}
    alice GET scan/v0/featured-apps/{provider_party_id=$alice}
    alice GET scan/v0/featured-apps/by-provider/{provider_party_id=$alice}
    alice GET scan/v0/featured-apps/by-contract-id/{contract_id=00ff}
    alice GET proxy/featured-apps/{provider_party_id=$alice}
    hosted = alice GET scan/v0/domains/{domain_id=$domain}/parties/{party_id=$alice}/participant-id
    alice GET scan/v1/domains/{domain_id=$domain}/parties/{party_id=$alice}/participant-id
    any alice GET scan/v0/domains/{domain_id=$domain}/members/{member_id=$hosted.participant_id}/traffic-status
  `)
  known.set('validators', [known.get('operator')])
  await run('alice GET scan/v0/validators/validator-faucets ?{validator_ids: $validators}')
  await readHistory(world)
  await run(`
    alice POST scan/v0/voterequest {vote_request_contract_ids: []}
    404 alice GET scan/v0/voterequests/{vote_request_contract_id=00ff}
    alice POST scan/v0/admin/sv/voteresults {limit: 10}
    any alice GET scan/v0/migrations/schedule
    any alice GET scan/v0/reward-accounting-process/rounds/earliest-available
  `)
}

async function readHistory({ run, answered, upstream }: World): Promise<void> {
  const coin = upstream.wire('Coin')
  const template = `${upstream.wire('network-coin')}:${upstream.wire('Network')}.${coin}:${coin}`
  const at = 'migration_id: 0n, record_time: $taken.record_time, record_time_match: exact'
  const encoding = upstream.named('property', 'value_encoding')
  await run(`
    taken = operator POST scan/v0/state/acs/force
    alice GET scan/v0/state/acs/snapshot-timestamp ?{before: '2999-01-01T00:00:00Z', migration_id: 0n}
    alice GET scan/v0/state/acs/snapshot-timestamp-after
      ?{after: '2000-01-01T00:00:00Z', migration_id: 0n}
    alice POST scan/v0/state/acs {${at}, page_size: 5, templates: ['${template}']}
    alice POST scan/v0/holdings/state {${at}, page_size: 5, owner_party_ids: [$alice]}
    alice POST scan/v1/state/acs {${at}, page_size: 5, templates: ['${template}']}
    alice POST scan/v1/holdings/state {${at}, page_size: 5, owner_party_ids: [$alice]}
    alice POST scan/v0/holdings/summary {${at}, owner_party_ids: [$alice]}
    alice POST proxy/holdings/summary {${at}, owner_party_ids: [$alice]}
    updates = alice POST scan/v2/updates {page_size: 100}
    400 alice POST scan/v2/updates {page_size: 1, ${encoding}: protobuf_json}
    alice POST scan/v0/updates {page_size: 100}
    alice POST scan/v1/updates {page_size: 100}
    alice POST scan/v0/events {page_size: 100}
  `)
  for (const name of ['v0/updates', 'v1/updates', 'v2/updates', 'v0/events'])
    await run(`alice GET scan/${name}/{update_id=$updates.transactions.0.update_id}`)
  assert.ok(answered('updates', 'transactions', '0'))
}

/** Totals of rounds: the clock is moved until some of them are over. */
async function readTotals({ run, known, answered, url, operator }: World): Promise<void> {
  await eventuallyHolds('a round is added up', async () => {
    await call(url, 'POST /api/validator/v0/admin/clock', {
      token: operator,
      body: { advance_microseconds: 600_000_000 },
    })
    return (await fetch(`${url}${SCAN}/v0/round-of-latest-data`)).status === 200
  })
  await run(`
    latest = alice GET scan/v0/round-of-latest-data
    aggregated = alice GET scan/v0/aggregated-rounds
  `)
  const [first, last] = [
    Number(answered('aggregated', 'start')),
    Number(answered('latest', 'round')),
  ]
  known.set('first', BigInt(first))
  known.set('round', BigInt(last))
  // Nobody need have had a share in the last of them.
  for (const name of ['round-totals', 'round-party-totals']) {
    await run(`totals = alice POST scan/v0/${name} {start_round: $first, end_round: $round}`)
    const closed = Number(answered('totals', 'entries', '0', 'closed_round'))
    assert.ok(closed >= first && closed <= last, `${name}: ${closed}`)
  }
  await run(`
    alice GET scan/v0/coin-config-for-round ?{round: $round}
    alice GET scan/v0/rewards-collected ?{round: $round}
    alice GET scan/v0/top-providers-by-app-rewards ?{round: $round, limit: 5}
    alice GET scan/v0/top-validators-by-validator-rewards ?{round: $round, limit: 5}
    alice GET scan/v0/top-validators-by-purchased-traffic ?{round: $round, limit: 5}
    alice GET scan/v0/top-validators-by-validator-faucets ?{limit: 5}
    activities = alice POST scan/v0/activities {page_size: 50n}
    alice POST scan/v0/transactions {page_size: 50n}
  `)
  assert.ok(list(answered('activities', 'activities')).length > 5)
}
