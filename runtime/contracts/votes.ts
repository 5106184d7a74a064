// Votes of the super validators: requested, cast, closed. Closing one that is accepted carries out
// its action in the same transaction. docs/economy-rules.md, "Votes"
import { DsoRules, VoteRequest, VoteResult } from '../../generated/contracts.gen.ts'
import type { Reason, VoteRequestOutcome } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { dsoRules, svOf } from './dso-rules.ts'
import { takeNow } from './now.ts'
import { carryOut } from './vote-actions.ts'
import { requireParty, timeText } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

/** Rank: when voting ends. */
export const voteRequest = defineTemplate(VoteRequest, {
  ...ofNetwork,
  rank: (request) => request.voteBefore,
})

/** Rank: completion. */
export const voteResult = defineTemplate(VoteResult, {
  signatories: ({ request }) => [request.dso],
  issuer: ({ request }) => request.dso,
  keys: ({ request }) => request,
  rank: (result) => result.completedAt,
})

/** A super validator asks for an action, and accepts it by that. */
export const dsoRulesRequestVote = choice(dsoRules, DsoRules.choices.DsoRules_RequestVote, {
  controllers: (_rules, { requester }) => [requester],
  run: (
    tx: Tx,
    { payload: rules },
    { requester, action, reason, voteRequestTimeout, targetEffectiveAt, now },
  ) => {
    const { name } = svOf(tx, rules, requester)
    takeNow(tx, now)
    requireReason(tx, rules, reason)
    const timeout = voteRequestTimeout ?? rules.config.voteRequestTimeout
    tx.require(timeout > 0n, 'voting lasts longer than 0 µs', () => `${timeout} µs`)
    tx.require(
      targetEffectiveAt === null || targetEffectiveAt > now,
      `the action takes effect after ${timeText(now)}`,
      () => timeText(targetEffectiveAt ?? now),
    )
    const voteRequestCid = tx.create(voteRequest, {
      dso: rules.dso,
      requester: name,
      action,
      reason,
      voteBefore: now + timeout,
      votes: [[name, { sv: requester, accept: true, reason, optCastAt: now }]],
      targetEffectiveAt,
    })
    return { voteRequestCid }
  },
})

/** A super validator's vote, which takes the place of an earlier one; before voting ends. */
export const dsoRulesCastVote = choice(dsoRules, DsoRules.choices.DsoRules_CastVote, {
  controllers: (_rules, { vote }) => [vote.sv],
  run: (tx, { payload: rules }, { requestCid, vote, now }) => {
    const { name } = svOf(tx, rules, vote.sv)
    const request = requestOf(tx, rules, requestCid)
    takeNow(tx, now)
    tx.before(request.voteBefore)
    requireReason(tx, rules, vote.reason)
    const earlier = request.votes.find(([voter]) => voter === name)?.[1].optCastAt
    tx.notBefore((earlier ?? 0n) + (rules.config.voteCooldownTime ?? 0n))
    tx.archive(voteRequest, requestCid)
    const votes = new Map([...request.votes, [name, { ...vote, optCastAt: now }]])
    const trackingCid = request.trackingCid ?? requestCid
    return {
      voteRequestCid: tx.create(voteRequest, { ...request, votes: [...votes], trackingCid }),
    }
  },
})

/**
 * As soon as votes decide, or when voting is over; an accepted action waits for the time that the
 * request says.
 */
export const dsoRulesCloseVoteRequest = choice(
  dsoRules,
  DsoRules.choices.DsoRules_CloseVoteRequest,
  {
    controllers: (_rules, { sv }) => [sv],
    run: (tx, self, { requestCid, sv, coinRulesCid, now }) => {
      const rules = self.payload
      svOf(tx, rules, sv)
      const request = requestOf(tx, rules, requestCid)
      takeNow(tx, now)
      const verdict = verdictOf(tx, rules, request, now)
      tx.archive(voteRequest, requestCid)
      const failure =
        verdict.tag === 'VRO_Accepted'
          ? carryOut(tx, self, request.action, coinRulesCid)
          : undefined
      const outcome = failure === undefined ? verdict : failed(failure)
      const voteResultCid = tx.create(voteResult, {
        request,
        completedAt: now,
        ...absentees(rules, request),
        outcome,
      })
      return { voteResultCid, outcome }
    },
  },
)

/**
 * How many of `count` super validators must accept: `ceil((n + f + 1) / 2)` with `f = floor((n - 1)
 * / 3)`.
 */
export function votingThreshold(count: number): number {
  const faulty = Math.floor((count - 1) / 3)
  return Math.ceil((count + faulty + 1) / 2)
}

function verdictOf(tx: Tx, rules: DsoRules, request: VoteRequest, now: bigint): VoteRequestOutcome {
  const voters = rules.svs.map(
    ([, { name }]) => request.votes.find(([voter]) => voter === name)?.[1],
  )
  const accepts = voters.filter((vote) => vote?.accept === true).length
  const rejects = voters.filter((vote) => vote?.accept === false).length
  const threshold = votingThreshold(voters.length)
  if (accepts >= threshold) return accepted(tx, request, now)
  if (voters.length - rejects < threshold) return { tag: 'VRO_Rejected', value: {} }
  tx.notBefore(request.voteBefore)
  return { tag: 'VRO_Expired', value: {} }
}

function accepted(tx: Tx, { targetEffectiveAt }: VoteRequest, now: bigint): VoteRequestOutcome {
  const target = targetEffectiveAt ?? now
  tx.notBefore(target)
  return { tag: 'VRO_Accepted', value: { effectiveAt: target > now ? target : now } }
}

function failed(description: string): VoteRequestOutcome {
  return { tag: 'VRO_AcceptedButActionFailed', value: { description } }
}

/** Votes of who is not a super validator any more, and super validators who did not vote. */
function absentees(
  rules: DsoRules,
  request: VoteRequest,
): Pick<VoteResult, 'offboardedVoters' | 'abstainingSvs'> {
  const names = rules.svs.map(([, { name }]) => name)
  const voters = request.votes.map(([voter]) => voter)
  return {
    offboardedVoters: voters.filter((voter) => !names.includes(voter)),
    abstainingSvs: names.filter((name) => !voters.includes(name)),
  }
}

function requestOf(tx: Tx, { dso }: DsoRules, contractId: string): VoteRequest {
  const request = tx.fetch(voteRequest, contractId)
  requireParty(tx, 'the network party of the request', request.dso, dso)
  return request
}

function requireReason(
  tx: Tx,
  { config: { maxTextLength } }: DsoRules,
  { url, body }: Reason,
): void {
  const isShort = [url, body].every((text) => BigInt(text.length) <= maxTextLength)
  tx.require(
    isShort,
    `url and body of the reason have at most ${maxTextLength} characters`,
    () => `${url.length} and ${body.length}`,
  )
}
