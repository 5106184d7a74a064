// Scan's operations on the network itself: who governs it, its rules, rounds and votes.
// docs/economy-rules.md, "Scan" and "Votes"; spec/scan.yaml
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import { coinPriceVote, voteRequest } from '../../contracts/index.ts'
import { contractToWire } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import { nextPage } from '../pages.ts'
import type { Context } from '../reply.ts'
import { answer, notFound, PlainError } from '../../economy/errors.ts'
import { contractIdOf } from '../../economy/parse.ts'
import { dsoInfo, instanceNames, relativeTo } from './governance.ts'
import { closedRounds, earliestAvailableRound, roundsForCache } from './rounds.ts'
import { openVoteRequests, pageOf, resultToWire, voteRequestsOf, voteResults } from './votes.ts'

const EARLIEST_ROUND_PATH =
  '/api/scan/v0/internal/reward-accounting-process/rounds/earliest-available'

/** Handlers of parties, rules and names. */
export function networkHandlers(
  economy: Pick<Economy, 'network' | 'parties' | 'settings'>,
) {
  const {
    network,
    parties: { dso },
  } = economy
  return {
    getDsoInfo: async () => answer(await dsoInfo(economy), (body) => body),
    getDsoPartyId: () => ({ status: 200, body: { dso_party_id: dso } }),
    getCoinRules: async ({ body }) => ({
      status: 200,
      body: {
        coin_rules_update: relativeTo(
          body.cached_coin_rules_contract_id,
          await network.coinRules(),
        ),
      },
    }),
    getAnsRules: async ({ body }) => ({
      status: 200,
      body: {
        ans_rules_update: relativeTo(body.cached_ans_rules_contract_id, await network.ansRules()),
      },
    }),
    getExternalPartyCoinRules: async ({ body }) => {
      const update = relativeTo(
        body.cached_external_party_coin_rules_contract_id,
        await network.externalPartyCoinRules(),
      )
      return { status: 200, body: { external_party_coin_rules_update: update } }
    },
    getNetworkInstanceNames: () => ({ status: 200, body: instanceNames(economy) }),
    featureSupport: () => ({ status: 200, body: {} }),
    getMigrationSchedule: () => ({ status: 404 }),
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of mining rounds. */
export function roundHandlers(
  economy: Pick<Economy, 'network' | 'parties' | 'reader' | 'settings'>,
) {
  return {
    getOpenAndIssuingMiningRounds: async ({ body }) =>
      answer(await roundsForCache(economy, body), (rounds) => rounds),
    getClosedRounds: async () => ({
      status: 200,
      body: { rounds: (await closedRounds(economy)).map(contractToWire) },
    }),
    getRewardAccountingEarliestAvailableRound: async () =>
      answer(await earliestAvailableRound(economy), (round) => ({ earliest_round: round })),
    getRewardAccountingEarliestAvailableRoundMoved: () => ({
      status: 308,
      headers: { Location: EARLIEST_ROUND_PATH },
    }),
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of votes. */
export function voteHandlers(economy: Pick<Economy, 'parties' | 'reader'>) {
  const { reader } = economy
  return {
    lookupDsoRulesVoteRequest: async ({ path }) => {
      const id = path.vote_request_contract_id
      const request = await reader.get(voteRequest, contractIdOf(id))
      return answer(request ?? notFound(`VoteRequest ${id} is not active`), (found) => ({
        dso_rules_vote_request: contractToWire(found),
      }))
    },
    listDsoRulesVoteRequests: async () => ({
      status: 200,
      body: { dso_rules_vote_requests: (await openVoteRequests(economy)).map(contractToWire) },
    }),
    listVoteRequestsByTrackingCid: async ({ body }) => {
      const found = await voteRequestsOf(economy, body.vote_request_contract_ids)
      return { status: 200, body: { vote_requests: found.map(contractToWire) } }
    },
    listVoteRequestResults: async ({ body }) => {
      const results = await voteResults(economy, body)
      const page =
        results instanceof PlainError ? results : pageOf(results, body.limit, body.pageToken)
      return answer(page, ({ results: shown, ...more }) => ({
        dso_rules_vote_results: shown.map(resultToWire),
        ...nextPage(more),
      }))
    },
    countVoteRequestResults: async ({ body }) =>
      answer(await voteResults(economy, body), (results) => ({ count: BigInt(results.length) })),
    listCoinPriceVotes: async () => ({
      status: 200,
      body: { coin_price_votes: (await reader.all(coinPriceVote)).map(contractToWire) },
    }),
  } satisfies Partial<Handlers<Context>>
}
