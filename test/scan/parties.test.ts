// What scan says of parties, providers, validators and the network's rules, with data that choices
// and tasks produced. spec/scan.yaml; docs/economy-rules.md, "Scan" and "Development fund"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  coin,
  dsoRulesCreateTransferCommandCounter,
  externalPartyCoinRulesCreateTransferCommand,
  featuredAppRight,
  transferCommand,
  transferCommandCounter,
  transferCommandExpire,
  transferCommandSend,
  transferCommandWithdraw,
  transferPreapproval,
  unclaimedDevelopmentFundCoupon,
  validatorLicense,
} from '../../runtime/contracts/index.ts'
import { decimalOf } from '../../runtime/engine/index.ts'
import { contractToWire } from '../../runtime/interfaces/contract-wire.ts'
import { scanProxyHandlers } from '../../runtime/interfaces/validator/scan-proxy-handlers.ts'
import { asked, bodyOf, DAY, SECOND, startScan, TICK } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

const STRANGE = ['', '\0', '\ud800', 'x'.repeat(5_000), '__proto__', 'nobody::12']

test('governance, rules and names; rules that the caller holds are left out', async () => {
  const {
    scan,
    economy: { parties, network, node },
  } = await startScan({ network: { coinName: 'Thaler', coinNameAcronym: 'THL' } })
  const info = bodyOf(await scan.getDsoInfo())
  assert.deepEqual(
    [info.sv_user, info.sv_party_id, info.dso_party_id, info.voting_threshold, info.initial_round],
    ['operator', parties.sv, parties.dso, 1, '0'],
  )
  assert.deepEqual(info.latest_mining_round.contract.payload['round'], { number: '2' })
  assert.equal(bodyOf(await scan.getDsoPartyId()).dso_party_id, parties.dso)
  const names = bodyOf(await scan.getNetworkInstanceNames())
  assert.deepEqual(
    [names.coin_name, names.coin_name_acronym, names.network_name],
    ['Thaler', 'THL', 'Network'],
  )
  const [rules, ans, factory] = [
    await network.coinRules(),
    await network.ansRules(),
    await network.externalPartyCoinRules(),
  ]
  const here = { domain_id: node.synchronizerId }
  for (const [cached, isHeld] of [
    [undefined, false],
    [{ contract_id: rules.id }, true],
    [ans.id, false],
    ['\0', false],
  ] as const) {
    const body = cached === undefined ? {} : { cached_coin_rules_contract_id: cached }
    const { coin_rules_update: update } = bodyOf(await scan.getCoinRules({ body }))
    assert.deepEqual(update, isHeld ? here : { contract: contractToWire(rules), ...here })
  }
  const ansUpdate = bodyOf(
    await scan.getAnsRules({ body: { cached_ans_rules_contract_id: ans.id } }),
  )
  assert.deepEqual(ansUpdate, { ans_rules_update: here })
  const update = bodyOf(
    await scan.getExternalPartyCoinRules({ body: {} }),
  ).external_party_coin_rules_update
  assert.equal(update.contract?.contract_id, factory.id)
  assert.deepEqual(bodyOf(await scan.featureSupport()), {})
  assert.deepEqual(await scan.getMigrationSchedule(), { status: 404 })
  assert.equal((await scan.getRewardAccountingEarliestAvailableRoundMoved()).status, 308)
})

test('featured apps: all, of a provider, by contract', async () => {
  const {
    scan,
    economy: {
      parties: { operator },
    },
    only,
  } = await startScan()
  const right = await only(featuredAppRight)
  const query = { limit: 10 }
  assert.deepEqual(bodyOf(await scan.listFeaturedAppRights({ query })).featured_apps, [
    contractToWire(right),
  ])
  const of = async (provider: string) => {
    const input = { path: { provider_party_id: provider } }
    const { featured_app_right: found } = bodyOf(await scan.lookupFeaturedAppRight(input))
    const { featured_apps: all } = bodyOf(
      await scan.listFeaturedAppRightsByProvider({ ...input, query }),
    )
    return [found?.contract_id, ...all.map(({ contract_id: id }) => id)]
  }
  assert.deepEqual(await of(operator), [right.id, right.id])
  for (const stranger of STRANGE) assert.deepEqual(await of(stranger), [undefined])
  for (const [id, found] of [
    [right.id, right.id],
    ['00ff', undefined],
    ['\0', undefined],
  ] as const) {
    const shown = bodyOf(
      await scan.lookupFeaturedAppRightByContractId({ path: { contract_id: id } }),
    )
    assert.equal(shown.featured_app_right?.contract_id, found)
  }
})

test('a party is hosted by this participant or another one; strangers are by nobody', async () => {
  const network = await startScan()
  const {
    scan,
    economy: {
      node,
      parties: { member },
    },
  } = network
  const hostOf = async (party: string, domain = node.synchronizerId) =>
    scan.getPartyToParticipant({ path: { domain_id: domain, party_id: party } })
  assert.equal(bodyOf(await hostOf(await network.partyOf('alice'))).participant_id, member)
  for (const [party, ...hosts] of [
    ['one::12', 'p1::12'],
    ['two::12', 'p1::12', 'p2::12'],
  ] as const) {
    const topology = JSON.stringify({
      participants: hosts.map((participantUid) => ({ participantUid })),
    })
    await network.store.parties.allocate(
      { party, isLocal: true, identityProviderId: '', annotations: {}, topology },
      undefined,
    )
  }
  assert.equal(bodyOf(await hostOf('one::12')).participant_id, 'PAR::p1::12')
  assert.equal((await hostOf('two::12')).status, 409)
  for (const stranger of STRANGE) assert.equal((await hostOf(stranger)).status, 404)
  assert.equal((await hostOf(await network.partyOf('alice'), 'elsewhere::12')).status, 404)
})

test('licences page by page, newest first; liveness of those that have one', async () => {
  const network = await startScan()
  const {
    scan,
    economy: {
      parties: { dso, sv, operator },
    },
    clock,
  } = network
  for (let ticks = 0; ticks < 3; ticks += 1) {
    await network.work('rounds', 'liveness')
    network.pass(TICK)
  }
  const others = ['v1::12', 'v2::12', 'v3::12']
  for (const validator of others) {
    const licence = {
      validator,
      sponsor: sv,
      dso,
      faucetState: null,
      metadata: null,
      lastActiveAt: clock.nowMicros(),
    }
    await network.done([dso], (tx) => tx.create(validatorLicense, licence))
  }
  const found: unknown[] = []
  let after: bigint | undefined
  do {
    const query = { limit: 3, ...(after === undefined ? {} : { after }) }
    const page = bodyOf(await scan.listValidatorLicenses({ query }))
    found.push(...page.validator_licenses.map(({ payload }) => payload['validator']))
    after = page.next_page_token
  } while (after !== undefined)
  assert.deepEqual(found, [...others.toReversed(), operator])
  assert.equal((await scan.listValidatorLicenses({ query: { limit: 3, after: -1n } })).status, 400)
  const query = { validator_ids: [operator, ...others, ...STRANGE, operator] }
  const { validatorsReceivedFaucets: faucets } = bodyOf(
    await scan.getValidatorFaucetsByValidator({ query }),
  )
  assert.deepEqual(faucets, [
    {
      validator: operator,
      numRoundsCollected: 4n,
      numRoundsMissed: 0n,
      firstCollectedInRound: 0n,
      lastCollectedInRound: 3n,
    },
  ])
})

test('traffic: what the seed bought, its limit and what is consumed', async () => {
  const network = await startScan({ network: { traffic: { baseBurstBytes: 0 } } })
  const {
    scan,
    economy: {
      node,
      parties: { member },
    },
  } = network
  const status = async (memberId: string, domain = node.synchronizerId) =>
    scan.getMemberTrafficStatus({ path: { domain_id: domain, member_id: memberId } })
  const bought = bodyOf(await status(member)).traffic_status
  assert.deepEqual(bought, {
    actual: { total_consumed: 0n, total_limit: 1_000_000_000n },
    target: { total_purchased: 1_000_000_000n },
  })
  network.pass(60n * SECOND)
  await network.work('traffic')
  await network.work('liveness')
  const applied = bodyOf(await status(member)).traffic_status
  assert.equal(applied.actual.total_limit, applied.target.total_purchased)
  assert.ok(applied.actual.total_consumed > 0n)
  for (const id of [
    'PAR::other::12',
    'MED::mediator::12',
    `PAR::${'x'.repeat(5_000)}::12`,
    'PAR::\0::12',
  ]) {
    assert.equal((await status(id)).status, 404)
  }
  assert.equal((await status(member, 'elsewhere::12')).status, 404)
})

test("closed rounds and the development fund's coupons, while they are there", async () => {
  const network = await startScan()
  const closed: unknown[] = []
  for (let ticks = 0; ticks < 5; ticks += 1) {
    network.pass(TICK)
    await network.work('rounds', 'rewards', 'liveness')
    const { rounds } = bodyOf(await network.scan.getClosedRounds())
    closed.push(...rounds)
  }
  const coupons = await network.economy.reader.all(unclaimedDevelopmentFundCoupon)
  const shown = bodyOf(await network.scan.listUnclaimedDevelopmentFundCoupons())[
    'unclaimed-development-fund-coupons'
  ]
  assert.ok(coupons.length > 0)
  assert.deepEqual(
    shown.map(({ contract }) => contract),
    coupons.map(contractToWire),
  )
  assert.deepEqual(closed, [], 'the task settles a closed round at once')
})

async function transferParties(network: ScanNetwork) {
  const {
    economy: {
      parties: { dso, operator },
      clock,
    },
  } = network
  const [alice, bob] = [await network.partyOf('alice'), await network.partyOf('bob')]
  const until = clock.nowMicros() + 90n * DAY
  const validFrom = clock.nowMicros()
  const preapprovalCid = await network.done([dso, bob, operator], (tx) =>
    tx.create(transferPreapproval, {
      dso,
      receiver: bob,
      provider: operator,
      validFrom,
      lastRenewedAt: validFrom,
      expiresAt: until,
    }),
  )
  return { alice, bob, preapprovalCid }
}

test('transfer commands: every one of a nonce with what became of it, for a day', async () => {
  const network = await startScan()
  const { scan, economy, clock } = network
  const {
    parties: { dso, operator },
  } = economy
  const { alice, bob, preapprovalCid } = await transferParties(network)
  const factory = await economy.network.externalPartyCoinRules()
  const order = async (nonce = 0n, seconds = 600n) =>
    network.done(
      [alice],
      (tx) =>
        tx.exercise(externalPartyCoinRulesCreateTransferCommand, factory.id, {
          sender: alice,
          receiver: bob,
          delegate: operator,
          amount: decimalOf(1n),
          expiresAt: clock.nowMicros() + seconds * SECOND,
          nonce,
          description: null,
          expectedDso: dso,
        }).transferCommandCid,
    )
  const [sent, failed, withdrawn, expired] = [
    await order(),
    await order(),
    await order(),
    await order(0n, 30n),
  ]
  const counterOf = async () => scan.lookupTransferCommandCounterByParty({ path: { party: alice } })
  assert.equal((await counterOf()).status, 404)
  const [rules, { id: dsoRulesCid }] = [
    await economy.network.coinRules(),
    await economy.network.dsoRules(),
  ]
  await network.done([dso], (tx) =>
    tx.exercise(dsoRulesCreateTransferCommandCounter, dsoRulesCid, { sender: alice }),
  )
  const open = await economy.network.earliestRound()
  const send = async (id: string) => {
    const [money] = await economy.reader.active(coin, { owner: alice }, { limit: 1 })
    const { id: transferCounterCid, record } = await network.only(transferCommandCounter)
    const context = {
      openMiningRound: open?.id ?? '',
      issuingMiningRounds: [],
      validatorRights: [],
      featuredAppRight: null,
    }
    await network.done(
      [operator, alice],
      (tx) =>
        tx.exercise(transferCommandSend, id, {
          context: { coinRules: rules.id, context },
          inputs: [{ tag: 'InputCoin', value: money?.id ?? '' }],
          transferPreapprovalCid: preapprovalCid,
          transferCounterCid,
        }),
      [record],
    )
  }
  await send(sent)
  await send(failed)
  await network.done([alice], (tx) => tx.exercise(transferCommandWithdraw, withdrawn, {}))
  network.pass(30n * SECOND)
  await network.done([dso], (tx) => tx.exercise(transferCommandExpire, expired, { actor: dso }))
  const waiting = await order()
  await order(1n)
  const statuses = async (nonce: bigint, sender = alice) =>
    scan.lookupTransferCommandStatus({ query: { sender, nonce } })
  const { transfer_commands_by_contract_id: found } = bodyOf(await statuses(0n))
  const brief = Object.fromEntries(
    Object.entries(found).map(([id, { status }]) => [
      id,
      status.status === 'failed' ? status.failure_kind : status.status,
    ]),
  )
  assert.deepEqual(brief, {
    [sent]: 'sent',
    [failed]: 'failed',
    [withdrawn]: 'withdrawn',
    [expired]: 'expired',
    [waiting]: 'created',
  })
  for (const [id, { contract }] of Object.entries(found))
    assert.deepEqual([contract.contract_id, contract.payload['nonce']], [id, '0'])
  assert.equal(
    bodyOf(await counterOf()).transfer_command_counter.contract.payload['nextNonce'],
    '1',
  )
  assert.equal((await statuses(2n)).status, 404)
  assert.equal((await statuses(-1n)).status, 404)
  for (const stranger of STRANGE) assert.equal((await statuses(0n, stranger)).status, 404)
  assert.equal((await statuses(0n)).status, 200)
  network.pass(DAY + 1n)
  assert.equal((await statuses(0n)).status, 404)
  assert.ok((await network.payloads(transferCommand)).length > 0)
})

test('the scan proxy says the same, in full', async () => {
  const network = await startScan()
  const { scan, economy } = network
  const proxy = asked(scanProxyHandlers(economy))
  const { alice, bob, preapprovalCid } = await transferParties(network)
  const ofBob = { path: { party: bob } }
  const preapproval = bodyOf(await proxy.lookupTransferPreapprovalByPartyFromScan(ofBob))
  assert.equal(preapproval.transfer_preapproval.contract.contract_id, preapprovalCid)
  assert.deepEqual(preapproval, bodyOf(await scan.lookupTransferPreapprovalByParty(ofBob)))
  for (const party of [alice, ...STRANGE]) {
    const input = { path: { party } }
    assert.equal((await proxy.lookupTransferPreapprovalByPartyFromScan(input)).status, 404)
    assert.equal((await proxy.lookupTransferCommandCounterByParty(input)).status, 404)
  }
  const rules = bodyOf(await proxy.getCoinRules()).coin_rules
  assert.deepEqual(rules, bodyOf(await scan.getCoinRules({ body: {} })).coin_rules_update)
  assert.deepEqual(bodyOf(await proxy.getDsoInfo()), bodyOf(await scan.getDsoInfo()))
  const rounds = bodyOf(await proxy.getOpenAndIssuingMiningRounds())
  assert.deepEqual(
    rounds.open_mining_rounds.map(({ contract: { payload } }) => payload['round']),
    ['0', '1', '2'].map((number) => ({ number })),
  )
  bodyOf(await scan.forceAcsSnapshotNow())
  const body = {
    migration_id: 0n,
    record_time: '2999-01-01T00:00:00Z',
    record_time_match: 'at_or_before' as const,
    owner_party_ids: [alice],
  }
  const summary = bodyOf(await proxy.getHoldingsSummaryAt({ body }))
  assert.deepEqual(summary, bodyOf(await scan.getHoldingsSummaryAt({ body })))
  assert.equal(summary.summaries[0]?.total_unlocked_coin, '20000.0000000000')
  const input = { path: { provider_party_id: economy.parties.operator } }
  assert.ok(bodyOf(await proxy.lookupFeaturedAppRight(input)).featured_app_right)
})
