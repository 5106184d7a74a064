// How the operator of a development network governs it: votes, price, moves of contracts. All are
// choices of the super validator, which the operator also is, or moves of the engine.
// docs/economy-rules.md, "Votes" and "Development fund"; docs/ledger-rules.md, "Assignment"
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import {
  ActionRequiringConfirmation,
  VoteRequestOutcome,
} from '../../../generated/contracts.gen.ts'
import type { Vote } from '../../../generated/contracts.gen.ts'
import {
  coinPriceVote,
  dsoRulesCastVote,
  dsoRulesRequestVote,
  dsoRulesUpdateCoinPriceVote,
  voteRequest,
} from '../../contracts/index.ts'
import type { Tx } from '../../engine/index.ts'
import { parseDecimal } from '../../engine/index.ts'
import type { ContractRecord } from '../../store/store.ts'
import type { Economy } from '../../economy/economy.ts'
import type { Context } from '../reply.ts'
import { timeOf } from '../../participant/time.ts'
import {
  answer,
  badRequest,
  notFound,
  PlainError,
  refusalReply,
  rejectionError,
} from '../../economy/errors.ts'
import { contractIdOf } from '../../economy/parse.ts'
import { networkSubmission } from '../../economy/network/commands.ts'
import { networkChange } from '../../economy/network/state.ts'
import { closingVote } from '../../economy/network/vote-closing.ts'

/** Handlers of the network's government, which of several nodes the first one's operator is. */
export function governanceHandlers(economy: Economy) {
  const governed = governing(economy)
  return {
    requestNetworkVote: governed(async ({ body }) =>
      answer(await requestVote(economy, body), ({ voteRequestCid }) => ({
        vote_request_contract_id: voteRequestCid,
      })),
    ),
    castNetworkVote: governed(async ({ path, body }) =>
      answer(
        await castVote(economy, contractIdOf(path.contract_id), body),
        ({ voteRequestCid }) => ({ vote_request_contract_id: voteRequestCid }),
      ),
    ),
    closeNetworkVote: governed(async ({ path }) =>
      answer(
        await closeVote(economy, contractIdOf(path.contract_id)),
        ({ voteResultCid, outcome }) => ({
          vote_result_contract_id: voteResultCid,
          outcome: jsonObject(VoteRequestOutcome.encode(outcome)),
        }),
      ),
    ),
    setCoinPriceVote: governed(async ({ body }) =>
      answer(await votePrice(economy, body.coin_price), ({ coinPriceVoteCid }) => ({
        coin_price_vote_contract_id: coinPriceVoteCid,
      })),
    ),
    reassignContract: governed(async ({ path, body }) =>
      answer(
        await reassign(economy, contractIdOf(path.contract_id), body.synchronizer_id),
        ({ updateId }) => ({ update_id: updateId }),
      ),
    ),
  } satisfies Partial<Handlers<Context>>
}

/** A handler where the network is governed; elsewhere whoever asks is told where that is. */
function governing({ node }: Economy) {
  const refuse = () =>
    refusalReply(new PlainError(403, 'The network is governed at its first node.'))
  return <I, R>(handler: (input: I) => Promise<R>) =>
    async (input: I) =>
      node.key === '' ? await handler(input) : refuse()
}

interface VoteWish {
  readonly action: unknown
  readonly reason: Vote['reason']
  readonly vote_before?: string
}

async function requestVote(
  economy: Pick<Economy, 'clock' | 'engine' | 'network' | 'parties'>,
  { action: given, reason, vote_before: until }: VoteWish,
) {
  const action = readAction(given)
  if (action instanceof PlainError) return action
  const now = economy.clock.nowMicros()
  const voteBefore = until === undefined ? undefined : timeOf(until)
  if (until !== undefined && (voteBefore === undefined || voteBefore <= now))
    return badRequest('vote_before must be in the future')
  const {
    network,
    parties: { sv: requester },
  } = economy
  const rules = await network.dsoRules()
  return bySv(economy, [], (tx) =>
    tx.exercise(dsoRulesRequestVote, rules.id, {
      requester,
      action,
      reason,
      voteRequestTimeout: voteBefore === undefined ? null : voteBefore - now,
      targetEffectiveAt: null,
      now,
    }),
  )
}

function readAction(given: unknown): ActionRequiringConfirmation | PlainError {
  try {
    return ActionRequiringConfirmation.decode(given, 'action')
  } catch (error) {
    return badRequest(error instanceof Error ? error.message : 'action is not an action')
  }
}

async function castVote(
  economy: Economy,
  contractId: string,
  { accept, reason }: Pick<Vote, 'accept' | 'reason'>,
) {
  const {
    reader,
    network,
    clock,
    parties: { sv },
  } = economy
  const [request, rules] = await Promise.all([
    reader.get(voteRequest, contractId),
    network.dsoRules(),
  ])
  if (request === undefined) return notFound(`Vote request ${contractId} is not active`)
  const now = clock.nowMicros()
  const vote = { sv, accept, reason, optCastAt: now }
  return bySv(economy, [request.record], (tx) =>
    tx.exercise(dsoRulesCastVote, rules.id, { requestCid: request.id, vote, now }),
  )
}

async function closeVote(economy: Economy, contractId: string) {
  const request = await economy.reader.get(voteRequest, contractId)
  if (request === undefined) return notFound(`Vote request ${contractId} is not active`)
  const { disclosedContracts, run } = await closingVote(economy, request)
  return bySv(economy, disclosedContracts, run)
}

async function votePrice(economy: Economy, text: string) {
  const {
    reader,
    network,
    clock,
    parties: { sv },
  } = economy
  const coinPrice = parseDecimal(text)
  if (coinPrice === undefined || coinPrice <= 0n)
    return badRequest('the price must be a positive decimal')
  const [rules, [last]] = await Promise.all([
    network.dsoRules(),
    reader.active(coinPriceVote, { sv }, { limit: 1 }),
  ])
  const argument = { sv, coinPrice, optCoinPriceVoteCid: last?.id ?? null, now: clock.nowMicros() }
  return bySv(economy, [], (tx) => tx.exercise(dsoRulesUpdateCoinPriceVote, rules.id, argument))
}

async function reassign(
  { engine, node }: Pick<Economy, 'engine' | 'node'>,
  contractId: string,
  to: string | null,
) {
  if (to !== null && to !== node.synchronizerId)
    return badRequest(`this node is connected to ${node.synchronizerId} only`)
  const moved = await engine.reassign({ contractId, to: to ?? undefined })
  if (!moved.ok)
    return moved.kind === 'invalid'
      ? new PlainError(409, moved.reason)
      : rejectionError(moved, contractId)
  // Moves have no projection: what is remembered of the network may be about this contract.
  const changed = networkChange(moved.updateId)
  await engine.recordFacts([changed], () => [changed])
  return moved
}

/**
 * Submits for the super validator, at the network's expense; the refusal as it goes out where there
 * is one.
 */
async function bySv<R>(
  economy: Pick<Economy, 'engine' | 'parties'>,
  disclosed: readonly ContractRecord[],
  run: (tx: Tx) => R,
): Promise<R | PlainError> {
  const outcome = await economy.engine.submit(
    networkSubmission({ actAs: [economy.parties.sv], disclosedContracts: disclosed, run }),
  )
  return outcome.ok ? outcome.result : rejectionError(outcome)
}

function jsonObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
