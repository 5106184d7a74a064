// Votes as the network page shows them: read from the contracts, their actions in words.
import { textAt, valueAt } from './payload.ts'
import { t } from './language.ts'

export interface Ballot {
  readonly voter: string
  /** Undefined: not yet. */
  readonly accepts: boolean | undefined
  readonly reason: string
}

/** A vote's action in words, and whom or what it is about. */
export interface VoteAction {
  readonly text: string
  /** A party or a contract; '' where there is none. */
  readonly about: string
}

export interface VoteRequest {
  readonly action: VoteAction
  readonly requester: string
  readonly reason: string
  /** The address that the reason names; '' where none. */
  readonly reasonUrl: string
  /** RFC 3339. */
  readonly voteBefore: string
  readonly ballots: readonly Ballot[]
}

/**
 * A request with a ballot of each voter, those who have not voted among them. `voters` are names.
 */
export function voteRequestOf(payload: unknown, voters: readonly string[]): VoteRequest {
  const cast = castIn(payload)
  const missing = voters.filter((name) => !cast.some(({ voter }) => voter === name))
  return {
    action: actionOf(valueAt(payload, 'action')),
    requester: textAt(payload, 'requester'),
    reason: textAt(payload, 'reason', 'body'),
    reasonUrl: textAt(payload, 'reason', 'url'),
    voteBefore: textAt(payload, 'voteBefore'),
    ballots: [...cast, ...missing.map((voter) => ({ voter, accepts: undefined, reason: '' }))],
  }
}

function castIn(payload: unknown): readonly Ballot[] {
  return pairsAt(payload, 'votes').map(([voter, vote]) => ({
    voter,
    accepts: valueAt(vote, 'accept') === true,
    reason: textAt(vote, 'reason', 'body'),
  }))
}

/** Names of the super validators, of the rules' payload. */
export function votersOf(rules: unknown): readonly string[] {
  return pairsAt(rules, 'svs').map(([, info]) => textAt(info, 'name'))
}

/** Maps with keys are lists of pairs on the wire. */
function pairsAt(value: unknown, name: string): readonly (readonly [string, unknown])[] {
  const list = valueAt(value, name)
  return Array.isArray(list)
    ? list.map((pair: unknown) => [textAt(pair, '0'), valueAt(pair, '1')] as const)
    : []
}

/** The action of a vote; one without words is called by its tag. */
function actionOf(action: unknown): VoteAction {
  const inner = valueAt(action, 'value', 'dsoAction') ?? valueAt(action, 'value', 'coinRulesAction')
  const tag = textAt(inner, 'tag')
  switch (tag) {
    case 'SRARC_GrantFeaturedAppRight':
      return { text: t('Feature the app of'), about: textAt(inner, 'value', 'provider') }
    case 'SRARC_RevokeFeaturedAppRight':
      return {
        text: t('Revoke the featured app right'),
        about: textAt(inner, 'value', 'rightCid'),
      }
    case 'SRARC_SetConfig':
      return { text: t('Change the rules of the network'), about: '' }
    case 'CRARC_SetConfig':
      return { text: t('Change the rules of the coin'), about: '' }
    default:
      return { text: tag === '' ? t('An action') : tag, about: '' }
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
    ...voteRequestOf(valueAt(result, 'request'), []),
    completedAt: textAt(result, 'completedAt'),
    outcome: OUTCOMES[textAt(result, 'outcome', 'tag')] ?? textAt(result, 'outcome', 'tag'),
  }
}

const OUTCOMES: Readonly<Record<string, string>> = {
  VRO_Accepted: t('accepted'),
  VRO_Rejected: t('rejected'),
  VRO_Expired: t('expired'),
  VRO_AcceptedButActionFailed: t('accepted, but it failed'),
}
