// Votes as scan lists, finds, filters and counts them, with votes that the governance operations
// made.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { VoteResult, VoteResultFilter } from '../../generated/scan/types.gen.ts'
import { dsoRulesRequestVote } from '../../runtime/contracts/index.ts'
import { governanceHandlers } from '../../runtime/interfaces/validator/governance-handlers.ts'
import { timeText } from '../../runtime/participant/time.ts'
import { asked, bodyOf, DAY, SECOND, startScan, START } from './kit.ts'
import type { ScanNetwork } from './kit.ts'

const REASON = { url: 'https://example.org/why', body: 'because' }
const FEATURE = {
  tag: 'ARC_DsoRules',
  value: { dsoAction: { tag: 'SRARC_GrantFeaturedAppRight', value: { provider: 'app::12' } } },
} as const

let network: ScanNetwork
let results: readonly VoteResult[]

const governance = () => asked(governanceHandlers(network.economy))

async function request(): Promise<string> {
  const body = { action: FEATURE, reason: REASON }
  return bodyOf(await governance().requestNetworkVote({ body })).vote_request_contract_id
}

async function cast(contract_id: string, accept: boolean): Promise<string> {
  const made = await governance().castNetworkVote({
    path: { contract_id },
    body: { accept, reason: REASON },
  })
  return bodyOf(made).vote_request_contract_id
}

async function close(contract_id: string): Promise<void> {
  bodyOf(await governance().closeNetworkVote({ path: { contract_id } }))
}

/** A vote to its end, an hour after the one before. */
async function vote(how: 'accept' | 'reject' | 'expire' | 'later'): Promise<void> {
  network.pass(3_600n * SECOND)
  if (how === 'later') return closeLater()
  const id = await request()
  if (how !== 'expire') await close(await cast(id, how === 'accept'))
}

/** Accepted two days after it was requested, and effective then. */
async function closeLater(): Promise<void> {
  const { economy, clock } = network
  const { sv: requester } = economy.parties
  const rules = await economy.network.dsoRules()
  const now = clock.nowMicros()
  const { voteRequestCid: id } = await network.done([requester], (tx) =>
    tx.exercise(dsoRulesRequestVote, rules.id, {
      requester,
      action: FEATURE,
      reason: REASON,
      voteRequestTimeout: null,
      targetEffectiveAt: now + 2n * DAY,
      now,
    }),
  )
  network.pass(2n * DAY + SECOND)
  await close(id)
}

async function page(filter: VoteResultFilter, limit: number, pageToken?: number) {
  const body = { ...filter, limit, ...(pageToken === undefined ? {} : { pageToken }) }
  return network.scan.listVoteRequestResults({ body })
}

async function list(filter: VoteResultFilter, limit = 2): Promise<readonly VoteResult[]> {
  const all: VoteResult[] = []
  let token: number | undefined
  do {
    const { dso_rules_vote_results: found, next_page_token: next } = bodyOf(
      await page(filter, limit, token),
    )
    all.push(...found)
    token = next
  } while (token !== undefined)
  return all
}

async function count(filter: VoteResultFilter) {
  return network.scan.countVoteRequestResults({ body: filter })
}

function effectiveAt({ outcome, completedAt }: VoteResult): string {
  return outcome.tag === 'VRO_Accepted' ? outcome.value.effectiveAt : completedAt
}

describe('votes', () => {
  before(async () => {
    network = await startScan()
    for (const how of ['accept', 'reject', 'accept', 'expire', 'later'] as const) await vote(how)
    results = await list({})
  })

  test('closed votes are listed by effective date, latest first', () => {
    assert.deepEqual(
      results.map(({ outcome: { tag } }) => tag),
      ['VRO_Accepted', 'VRO_Accepted', 'VRO_Rejected', 'VRO_Accepted'],
    )
    const dates = results.map((result) => Date.parse(effectiveAt(result)))
    assert.deepEqual(
      dates,
      dates.toSorted((one, other) => other - one),
    )
    const [latest] = results
    assert.ok(latest)
    assert.equal(latest.request['requester'], 'sv-1')
    assert.deepEqual(latest.request['action'], FEATURE)
  })

  test('filters hold together, and counts are those of the lists', async () => {
    const times = [
      START,
      ...results.map((result) => BigInt(Date.parse(effectiveAt(result))) * 1_000n),
    ]
    const time = fc.constantFrom(
      ...times.flatMap((at) => [at - SECOND, at, at + SECOND]).map(timeText),
    )
    const filters = fc.record(
      {
        accepted: fc.boolean(),
        requester: fc.constantFrom('sv-1', 'sv-2'),
        actionName: fc.constantFrom(
          'ARC_DsoRules',
          'SRARC_GrantFeaturedAppRight',
          'SRARC_SetConfig',
        ),
        effectiveFrom: time,
        effectiveTo: time,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 5 }), async (filter, limit) => {
        const expected = results.filter((result) => {
          const date = Date.parse(effectiveAt(result))
          return (
            (filter.accepted === undefined ||
              filter.accepted === (result.outcome.tag === 'VRO_Accepted')) &&
            filter.requester !== 'sv-2' &&
            filter.actionName !== 'SRARC_SetConfig' &&
            (filter.effectiveFrom === undefined || date >= Date.parse(filter.effectiveFrom)) &&
            (filter.effectiveTo === undefined || date <= Date.parse(filter.effectiveTo))
          )
        })
        assert.deepEqual(await list(filter, limit), expected)
        assert.equal(bodyOf(await count(filter)).count, BigInt(expected.length))
      }),
      { numRuns: 60 },
    )
  })

  test('an open vote is found by its contract, and in lists also by the one it began with', async () => {
    const { scan } = network
    const first = await request()
    const second = await cast(first, false)
    const lookUp = async (id: string) =>
      scan.lookupDsoRulesVoteRequest({ path: { vote_request_contract_id: id } })
    assert.equal(bodyOf(await lookUp(second)).dso_rules_vote_request.contract_id, second)
    for (const id of [first, '', 'zz', '__proto__', '\0'])
      assert.equal((await lookUp(id)).status, 404)
    const open = bodyOf(await scan.listDsoRulesVoteRequests()).dso_rules_vote_requests
    assert.ok(open.some(({ contract_id: id }) => id === second))
    for (const [ids, expected] of [
      [[first], [second]],
      [[{ contract_id: second }], [second]],
      [[first, second, '00ff'], [second]],
      [['', '00ff'], []],
    ] as const) {
      const found = await scan.listVoteRequestsByTrackingCid({
        body: { vote_request_contract_ids: [...ids] },
      })
      assert.deepEqual(
        bodyOf(found).vote_requests.map(({ contract_id: id }) => id),
        expected,
      )
    }
  })

  test('dates and page tokens that are none are refused', async () => {
    for (const filter of [
      { effectiveFrom: 'soon' },
      { effectiveTo: '2027-13-01T00:00:00Z' },
      { effectiveFrom: '' },
    ]) {
      assert.equal((await count(filter)).status, 400)
      assert.equal((await page(filter, 1)).status, 400)
    }
    for (const token of [-1, 2 ** 60]) assert.equal((await page({}, 1, token)).status, 400)
    assert.deepEqual(bodyOf(await page({}, 1, 1_000)).dso_rules_vote_results, [])
  })

  test("every super validator's latest price is listed", async () => {
    const prices = async () =>
      bodyOf(await network.scan.listCoinPriceVotes()).coin_price_votes.map(
        ({ payload }) => payload['coinPrice'],
      )
    assert.deepEqual(await prices(), ['0.0050000000'])
    bodyOf(await governance().setCoinPriceVote({ body: { coin_price: '0.25' } }))
    assert.deepEqual(await prices(), ['0.2500000000'])
  })
})
