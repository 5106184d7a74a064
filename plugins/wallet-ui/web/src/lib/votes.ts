// Votes as the network page shows them: read from the contracts, their actions in words.
import { textAt, valueAt } from './payload.ts'

export interface Ballot {
  readonly voter: string
  /** Undefined: not yet. */
  readonly accepts: boolean | undefined
  readonly reason: string
}

export interface VoteRequest {
  readonly action: string
  readonly requester: string
  readonly reason: string
  /** The address that the reason names; '' where none. */
  readonly reasonUrl: string
  /** RFC 3339. */
  readonly voteBefore: string
  readonly ballots: readonly Ballot[]
}

/** A request with a ballot of each voter, those who have not voted among them. `voters` are names. */
export function voteRequestOf(payload: unknown, voters: readonly string[]): VoteRequest {
  const cast = castIn(payload)
  const missing = voters.filter((name) => !cast.some(({ voter }) => voter === name))
  return {
    action: actionText(valueAt(payload, 'action')), requester: textAt(payload, 'requester'), reason: textAt(payload, 'reason', 'body'),
    reasonUrl: textAt(payload, 'reason', 'url'), voteBefore: textAt(payload, 'voteBefore'),
    ballots: [...cast, ...missing.map((voter) => ({ voter, accepts: undefined, reason: '' }))],
  }
}

function castIn(payload: unknown): readonly Ballot[] {
  return pairsAt(payload, 'votes').map(([voter, vote]) => ({ voter, accepts: valueAt(vote, 'accept') === true, reason: textAt(vote, 'reason', 'body') }))
}

/** Names of the super validators, of the rules' payload. */
export function votersOf(rules: unknown): readonly string[] {
  return pairsAt(rules, 'svs').map(([, info]) => textAt(info, 'name'))
}

/** Maps with keys are lists of pairs on the wire. */
function pairsAt(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  const list = valueAt(value, name)
  return Array.isArray(list) ? list.map((pair: unknown) => [textAt(pair, '0'), valueAt(pair, '1')] as const) : []
}

/** `Feature the app of alice::1220…`; others by their tag. */
function actionText(action: unknown): string {
  const inner = valueAt(action, 'value', 'dsoAction') ?? valueAt(action, 'value', 'coinRulesAction')
  const tag = textAt(inner, 'tag')
  switch (tag) {
    case 'SRARC_GrantFeaturedAppRight': return `Feature the app of ${textAt(inner, 'value', 'provider')}`
    case 'SRARC_RevokeFeaturedAppRight': return `Feature an app no longer (right ${textAt(inner, 'value', 'rightCid')})`
    case 'SRARC_SetConfig': return 'Change the rules of the network'
    case 'CRARC_SetConfig': return 'Change the rules of the coin'
    default: return tag === '' ? 'An action' : tag
  }
}

export interface VoteResult extends VoteRequest {
  /** RFC 3339. */
  readonly completedAt: string
  readonly outcome: string
}

/** A vote that has ended. */
export function voteResultOf(result: unknown): VoteResult {
  return {
    ...voteRequestOf(valueAt(result, 'request'), []), completedAt: textAt(result, 'completedAt'),
    outcome: OUTCOMES[textAt(result, 'outcome', 'tag')] ?? textAt(result, 'outcome', 'tag'),
  }
}

const OUTCOMES: Readonly<Record<string, string>> = {
  VRO_Accepted: 'accepted', VRO_Rejected: 'rejected', VRO_Expired: 'expired', VRO_AcceptedButActionFailed: 'accepted, but it could not be done',
}
