// Votes on the real engine: who may vote, when a vote is decided, what an accepted one does.
// docs/economy-rules.md, "Votes"
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type {
  ActionRequiringConfirmation,
  CoinConfig,
  DsoRulesConfig,
} from '../../generated/contracts.gen.ts'
import {
  coinPriceVote,
  dsoRulesUpdateCoinPriceVote,
  medianPrice,
} from '../../runtime/contracts/coin-price.ts'
import { coinRules, configOf } from '../../runtime/contracts/coin-rules.ts'
import { coinRulesSetConfig } from '../../runtime/contracts/config.ts'
import {
  dsoRules,
  dsoRulesGrantFeaturedAppRight,
  dsoRulesSetConfig,
} from '../../runtime/contracts/dso-rules.ts'
import { featuredAppRight } from '../../runtime/contracts/featured-app.ts'
import {
  dsoRulesCastVote,
  dsoRulesCloseVoteRequest,
  dsoRulesRequestVote,
  voteRequest,
  voteResult,
  votingThreshold,
} from '../../runtime/contracts/votes.ts'
import {
  assertRequires,
  DSO,
  GENESIS,
  refused,
  startNetwork,
  succeeded,
  sv,
  assertKind,
} from './network-fixture.ts'
import type { NetworkUnderTest } from './network-fixture.ts'
import { DAY, dec, HOUR, sampleConfig, TICK } from './sample-config.ts'

const APP = 'app::1220dd'
const ALICE = 'alice::1220ee'
const reason = { url: 'https://example.org', body: 'it is time' }

function ofDso(
  dsoAction: Extract<ActionRequiringConfirmation, { tag: 'ARC_DsoRules' }>['value']['dsoAction'],
) {
  return { tag: 'ARC_DsoRules', value: { dsoAction } } satisfies ActionRequiringConfirmation
}

const feature = ofDso({ tag: 'SRARC_GrantFeaturedAppRight', value: { provider: APP } })

function coinConfig(newConfig: CoinConfig, baseConfig: CoinConfig): ActionRequiringConfirmation {
  return {
    tag: 'ARC_CoinRules',
    value: { coinRulesAction: { tag: 'CRARC_SetConfig', value: { newConfig, baseConfig } } },
  }
}

interface Ask {
  readonly action?: ActionRequiringConfirmation
  readonly targetEffectiveAt?: bigint
  readonly voteRequestTimeout?: bigint
}

async function ask(
  network: NetworkUnderTest,
  { action = feature, targetEffectiveAt, voteRequestTimeout }: Ask = {},
  requester = sv(1),
) {
  return network.submit(requester, dsoRulesRequestVote, await network.dsoRulesId(), {
    requester,
    action,
    reason,
    voteRequestTimeout: voteRequestTimeout ?? null,
    targetEffectiveAt: targetEffectiveAt ?? null,
    now: network.now(),
  })
}

async function asked(network: NetworkUnderTest, of: Ask = {}): Promise<string> {
  return succeeded(await ask(network, of)).result.voteRequestCid
}

async function cast(
  network: NetworkUnderTest,
  requestCid: string,
  party: string,
  accept: boolean,
  actAs = party,
) {
  const vote = { sv: party, accept, reason, optCastAt: null }
  return network.submit(actAs, dsoRulesCastVote, await network.dsoRulesId(), {
    requestCid,
    vote,
    now: network.now(),
  })
}

/** Votes of several super validators in turn; answers the request's id after the last. */
async function castAll(
  network: NetworkUnderTest,
  requestCid: string,
  votes: readonly (readonly [number, boolean])[],
): Promise<string> {
  let cid = requestCid
  for (const [number, accept] of votes)
    cid = succeeded(await cast(network, cid, sv(number), accept)).result.voteRequestCid
  return cid
}

async function close(network: NetworkUnderTest, requestCid: string, actAs = sv(1), party = actAs) {
  const argument = {
    requestCid,
    sv: party,
    coinRulesCid: await network.coinRulesId(),
    now: network.now(),
  }
  return network.submit(actAs, dsoRulesCloseVoteRequest, await network.dsoRulesId(), argument)
}

async function outcomeOf(network: NetworkUnderTest, requestCid: string): Promise<string> {
  return succeeded(await close(network, requestCid)).result.outcome.tag
}

test('more than two thirds, roughly: the threshold for one to ten super validators', () => {
  const thresholds = Array.from({ length: 10 }, (_, index) => votingThreshold(index + 1))
  assert.deepEqual(thresholds, [1, 2, 2, 3, 4, 4, 5, 6, 6, 7])
})

test('an accepted vote does in one transaction what it asked for, and leaves its result', async () => {
  const network = await startNetwork({ svs: 4 })
  const request = await asked(network)
  const decided = await castAll(network, request, [
    [2, true],
    [3, true],
  ])
  const {
    result: { voteResultCid },
  } = succeeded(await close(network, decided))
  const [right] = await network.reader.active(featuredAppRight, { provider: APP })
  assert.deepEqual(right?.payload, { dso: DSO, provider: APP, activityWeight: null })
  const result = await network.payload(voteResult, voteResultCid)
  assert.deepEqual(result.outcome, { tag: 'VRO_Accepted', value: { effectiveAt: GENESIS } })
  assert.equal(result.completedAt, GENESIS)
  assert.deepEqual(result.abstainingSvs, ['sv-4'])
  assert.deepEqual(result.offboardedVoters, [])
  assert.equal(result.request.trackingCid, request)
  assert.equal((await network.reader.active(voteRequest)).length, 0)
  assert.equal((await network.reader.active(voteResult, { requester: 'sv-1' })).length, 1)
})

test('asking is accepting; a vote that is not decided stays open until its end, then it has expired', async () => {
  const network = await startNetwork({ svs: 4 })
  const request = await asked(network, { voteRequestTimeout: HOUR })
  const { voteBefore, votes } = await network.payload(voteRequest, request)
  assert.equal(voteBefore, GENESIS + HOUR)
  assert.deepEqual(
    votes.map(([name, { accept }]) => [name, accept]),
    [['sv-1', true]],
  )
  network.setTime(voteBefore - 1n)
  assert.deepEqual(await close(network, request), {
    ok: false,
    kind: 'too-early',
    notBefore: voteBefore,
  })
  const second = succeeded(await cast(network, request, sv(2), true)).result.voteRequestCid
  network.setTime(voteBefore)
  assertKind(await cast(network, second, sv(3), true), 'too-late')
  assert.equal(await outcomeOf(network, second), 'VRO_Expired')
  assert.equal((await network.reader.active(featuredAppRight)).length, 0)
})

test('a vote is rejected as soon as acceptance is out of reach', async () => {
  const network = await startNetwork({ svs: 4 })
  const one = await castAll(network, await asked(network), [[2, false]])
  assertKind(await close(network, one), 'too-early')
  const two = await castAll(network, one, [[3, false]])
  assert.equal(await outcomeOf(network, two), 'VRO_Rejected')
  assert.equal((await network.reader.active(featuredAppRight)).length, 0)
})

test('a super validator may change its mind; its last vote counts, once', async () => {
  const network = await startNetwork({ svs: 4 })
  const changed = await castAll(network, await asked(network), [
    [2, true],
    [3, true],
    [1, false],
    [3, true],
  ])
  assert.equal((await network.payload(voteRequest, changed)).votes.length, 3)
  assertKind(await close(network, changed), 'too-early')
})

test('an accepted action waits for the time that the request says', async () => {
  const network = await startNetwork()
  const targetEffectiveAt = GENESIS + DAY
  const request = await asked(network, { targetEffectiveAt })
  network.setTime(targetEffectiveAt - 1n)
  assert.deepEqual(await close(network, request), {
    ok: false,
    kind: 'too-early',
    notBefore: targetEffectiveAt,
  })
  network.setTime(targetEffectiveAt)
  const {
    result: { outcome },
  } = succeeded(await close(network, request))
  assert.deepEqual(outcome, { tag: 'VRO_Accepted', value: { effectiveAt: targetEffectiveAt } })
  assertRequires(
    await ask(network, { targetEffectiveAt: network.now() }),
    /takes effect after 2026-01-02T00:00:00.000Z; given: /,
  )
})

test('only super validators ask, vote and close, each for itself; only the network does what votes do', async () => {
  const network = await startNetwork({ svs: 4 })
  const request = await asked(network)
  const rules = await network.dsoRulesId()
  assertRequires(await ask(network, {}, ALICE), /super validator/)
  assertRequires(await cast(network, request, ALICE, true), /super validator/)
  assertRequires(await close(network, request, ALICE), /super validator/)
  const denied = [
    await cast(network, request, sv(2), true, ALICE),
    await cast(network, request, sv(2), true, sv(3)),
    await close(network, request, ALICE, sv(1)),
    await network.submit(sv(1), dsoRulesGrantFeaturedAppRight, rules, { provider: APP }),
    await network.submit(ALICE, dsoRulesSetConfig, rules, {
      newConfig: await dsoConfig(network),
      baseConfig: null,
    }),
    await network.submit(sv(1), coinRulesSetConfig, await network.coinRulesId(), {
      newConfig: { ...sampleConfig, tickDuration: 1n },
      baseConfig: sampleConfig,
    }),
    await network.refusalOfCreate(sv(1), voteRequest, await network.payload(voteRequest, request)),
  ]
  assert.deepEqual(
    denied.map((outcome) => refused(outcome).kind),
    Array(denied.length).fill('unauthorised'),
  )
  assert.equal((await network.payload(voteRequest, request)).votes.length, 1)
})

async function dsoConfig(network: NetworkUnderTest): Promise<DsoRulesConfig> {
  return (await network.payload(dsoRules, await network.dsoRulesId())).config
}

test('a featured right is revoked by a vote', async () => {
  const network = await startNetwork()
  await outcomeOf(network, await asked(network))
  const [right] = await network.reader.active(featuredAppRight)
  const revoke = ofDso({
    tag: 'SRARC_RevokeFeaturedAppRight',
    value: { rightCid: right?.id ?? '' },
  })
  assert.equal(await outcomeOf(network, await asked(network, { action: revoke })), 'VRO_Accepted')
  assert.equal((await network.reader.active(featuredAppRight)).length, 0)
})

test("a change of the coin's configuration leaves what others changed meanwhile", async () => {
  const network = await startNetwork()
  const longer = coinConfig({ ...sampleConfig, tickDuration: 2n * TICK }, sampleConfig)
  const { transferConfig } = sampleConfig
  const fewer = coinConfig(
    { ...sampleConfig, transferConfig: { ...transferConfig, maxNumInputs: 50n } },
    sampleConfig,
  )
  const managed = coinConfig({ ...sampleConfig, optDevelopmentFundManager: ALICE }, sampleConfig)
  const requests: string[] = []
  for (const action of [longer, fewer, managed]) requests.push(await asked(network, { action }))
  for (const request of requests) assert.equal(await outcomeOf(network, request), 'VRO_Accepted')
  const { configSchedule } = await network.payload(coinRules, await network.coinRulesId())
  assert.deepEqual(configSchedule, {
    initialValue: {
      ...sampleConfig,
      tickDuration: 2n * TICK,
      transferConfig: { ...transferConfig, maxNumInputs: 50n },
      optDevelopmentFundManager: ALICE,
    },
    futureValues: [],
  })
})

test("a configuration that charges fees, or that rounds could not live with, fails as the vote's outcome", async () => {
  const network = await startNetwork()
  const { transferConfig, issuanceCurve } = sampleConfig
  const { initialValue } = issuanceCurve
  const bad: readonly CoinConfig[] = [
    { ...sampleConfig, transferConfig: { ...transferConfig, createFee: { fee: 1n } } },
    {
      ...sampleConfig,
      transferConfig: {
        ...transferConfig,
        transferFee: { initialRate: 0n, steps: [[dec('100'), 1n]] },
      },
    },
    { ...sampleConfig, tickDuration: 0n },
    {
      ...sampleConfig,
      issuanceCurve: {
        ...issuanceCurve,
        initialValue: { ...initialValue, appRewardPercentage: dec('0.96') },
      },
    },
    {
      ...sampleConfig,
      issuanceCurve: {
        ...issuanceCurve,
        initialValue: { ...initialValue, featuredAppRewardCap: dec('0.5') },
      },
    },
  ]
  for (const newConfig of bad) {
    const request = await asked(network, { action: coinConfig(newConfig, sampleConfig) })
    assert.equal(await outcomeOf(network, request), 'VRO_AcceptedButActionFailed')
    const direct = { newConfig, baseConfig: sampleConfig }
    await network.denied('aborted', DSO, coinRulesSetConfig, await network.coinRulesId(), direct)
  }
  assert.deepEqual(
    configOf(await network.payload(coinRules, await network.coinRulesId())),
    sampleConfig,
  )
})

test("the super validators' own configuration changes by a vote; its limits hold for reasons", async () => {
  const network = await startNetwork()
  const newConfig = { ...(await dsoConfig(network)), maxTextLength: 5n, voteCooldownTime: HOUR }
  const action = ofDso({ tag: 'SRARC_SetConfig', value: { newConfig, baseConfig: null } })
  assert.equal(await outcomeOf(network, await asked(network, { action })), 'VRO_Accepted')
  assert.deepEqual(await dsoConfig(network), newConfig)
  assertRequires(await ask(network), /at most 5 characters/)
})

test("a configuration without room for a reason fails as the vote's outcome", async () => {
  const network = await startNetwork()
  const baseConfig = await dsoConfig(network)
  const value = { newConfig: { ...baseConfig, maxTextLength: 0n }, baseConfig }
  const request = await asked(network, { action: ofDso({ tag: 'SRARC_SetConfig', value }) })
  assert.equal(await outcomeOf(network, request), 'VRO_AcceptedButActionFailed')
  assert.deepEqual(await dsoConfig(network), baseConfig)
})

test('who voted, or said a price, waits for the cooldown before the next, to the microsecond', async () => {
  const network = await startNetwork({ svs: 4 })
  const newConfig = { ...(await dsoConfig(network)), voteCooldownTime: HOUR }
  await network.exercise(DSO, dsoRulesSetConfig, await network.dsoRulesId(), {
    newConfig,
    baseConfig: null,
  })
  const rules = await network.dsoRulesId()
  const say = (optCoinPriceVoteCid: string | null) =>
    network.submit(sv(1), dsoRulesUpdateCoinPriceVote, rules, {
      sv: sv(1),
      coinPrice: dec('0.01'),
      optCoinPriceVoteCid,
      now: network.now(),
    })
  const request = await asked(network)
  const said = succeeded(await say(null))
  network.setTime(GENESIS + HOUR - 1n)
  assertKind(await say(said.result.coinPriceVoteCid), 'too-early')
  assertKind(await cast(network, request, sv(1), false), 'too-early')
  const other = succeeded(await cast(network, request, sv(2), false)).result.voteRequestCid
  network.setTime(GENESIS + HOUR)
  succeeded(await say(said.result.coinPriceVoteCid))
  succeeded(await cast(network, other, sv(1), false))
})

test('every super validator has its own idea of the price, and says it for itself alone', async () => {
  const network = await startNetwork({ svs: 3 })
  const rules = await network.dsoRulesId()
  const say = (
    coinPrice: bigint,
    optCoinPriceVoteCid: string | null,
    party = sv(1),
    actAs = party,
  ) =>
    network.submit(actAs, dsoRulesUpdateCoinPriceVote, rules, {
      sv: party,
      coinPrice,
      optCoinPriceVoteCid,
      now: network.now(),
    })
  const {
    result: { coinPriceVoteCid: first },
  } = succeeded(await say(dec('0.006'), null))
  assertKind(await say(dec('0.007'), first, sv(1), ALICE), 'unauthorised')
  assertRequires(
    await say(dec('0.007'), first, sv(2)),
    /the super validator of the vote is sv-2.*; given: sv-1/,
  )
  assertRequires(await say(dec('0.007'), null, ALICE), /super validator/)
  assertRequires(await say(0n, first), /above 0/)
  succeeded(await say(dec('0.007'), first))
  const votes = await network.reader.active(coinPriceVote, { sv: sv(1) })
  assert.deepEqual(
    votes.map(({ payload }) => payload.coinPrice),
    [dec('0.007')],
  )
})

test('the price of a round is the median, of an even number the mean of the middle two', () => {
  assert.equal(medianPrice([]), undefined)
  assert.equal(medianPrice([dec('3')]), dec('3'))
  assert.equal(medianPrice([dec('9'), dec('1'), dec('3')]), dec('3'))
  assert.equal(medianPrice([dec('0.005'), dec('0.0050000001')]), dec('0.005'))
  assert.equal(medianPrice([dec('4'), dec('10'), dec('2'), dec('1')]), dec('3'))
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { minLength: 1, maxLength: 9 }),
      (prices) => {
        const median = medianPrice(prices) ?? assert.fail('no median')
        const below = prices.filter((price) => price < median).length
        const above = prices.filter((price) => price > median + 1n).length
        assert.ok(2 * below <= prices.length && 2 * above <= prices.length)
        assert.equal(medianPrice(prices.toReversed()), median)
      },
    ),
  )
})

test('an action is carried out only with enough accepts, whoever votes how', async () => {
  const ballots = fc.array(fc.constantFrom('accept', 'reject', 'none'), {
    minLength: 1,
    maxLength: 7,
  })
  await fc.assert(
    fc.asyncProperty(ballots, async (others) => {
      const count = others.length + 1
      const network = await startNetwork({ svs: count })
      const votes = others.flatMap((ballot, index): [number, boolean][] =>
        ballot === 'none' ? [] : [[index + 2, ballot === 'accept']],
      )
      const request = await castAll(network, await asked(network), votes)
      const accepts = 1 + votes.filter(([, accept]) => accept).length
      network.setTime((await network.payload(voteRequest, request)).voteBefore)
      const outcome = await outcomeOf(network, request)
      const needed = Math.ceil((count + Math.floor((count - 1) / 3) + 1) / 2)
      assert.equal(
        outcome === 'VRO_Accepted',
        accepts >= needed,
        `${outcome} with ${accepts} of ${count}`,
      )
      assert.equal(
        (await network.reader.active(featuredAppRight)).length,
        accepts >= needed ? 1 : 0,
      )
    }),
    { numRuns: 25 },
  )
})
