// Votes of the super validators: requests, results by filters, prices. docs/economy-rules.md,
// "Votes" and "Scan"
import { VoteRequest as VoteRequestType } from '../../../generated/contracts.gen.ts'
import type {
  ActionRequiringConfirmation,
  VoteRequest,
  VoteRequestOutcome,
  VoteResult,
} from '../../../generated/contracts.gen.ts'
import type {
  ContractIdInput,
  VoteOutcome,
  VoteResultFilter,
  VoteResult as WireResult,
} from '../../../generated/scan/types.gen.ts'
import { voteRequest, voteResult } from '../../contracts/index.ts'
import type { Contract } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'
import { timeText } from '../../participant/time.ts'
import { badRequest, PlainError } from '../../economy/errors.ts'
import { contractIdOf, instant } from '../../economy/parse.ts'

/** All requests that are being voted on. */
export async function openVoteRequests({
  reader,
  parties: { dso },
}: Pick<Economy, 'parties' | 'reader'>): Promise<readonly Contract<VoteRequest>[]> {
  return reader.all(voteRequest, { dso })
}

/**
 * Those with one of the ids, be it their own or the one that they began with: each vote makes a new
 * contract.
 */
export async function voteRequestsOf(
  economy: Pick<Economy, 'parties' | 'reader'>,
  ids: readonly ContractIdInput[],
): Promise<readonly Contract<VoteRequest>[]> {
  const asked = new Set(ids.map(contractIdOf))
  const open = await openVoteRequests(economy)
  return open.filter(
    ({ id, payload: { trackingCid } }) =>
      asked.has(id) || (trackingCid !== null && asked.has(trackingCid)),
  )
}

/**
 * Results that match all filters given, by effective date, latest first; 400 for a date that is
 * none.
 */
export async function voteResults(
  { reader, parties: { dso } }: Pick<Economy, 'parties' | 'reader'>,
  filter: VoteResultFilter,
): Promise<readonly VoteResult[] | PlainError> {
  const from =
    filter.effectiveFrom === undefined ? undefined : instant('effectiveFrom', filter.effectiveFrom)
  if (from instanceof PlainError) return from
  const to =
    filter.effectiveTo === undefined ? undefined : instant('effectiveTo', filter.effectiveTo)
  if (to instanceof PlainError) return to
  const all = await reader.all(voteResult, { dso })
  const found = all
    .map(({ payload }) => payload)
    .filter((result) => matches(result, filter) && isWithin(effectiveDate(result), from, to))
  return found.sort((one, other) => compare(effectiveDate(other), effectiveDate(one)))
}

interface ResultPage {
  readonly results: readonly VoteResult[]
  /** Absent on the last page. */
  readonly next: number | undefined
}

/** A page of results; `pageToken` is the number of results before it. */
export function pageOf(
  results: readonly VoteResult[],
  limit: number,
  pageToken = 0,
): ResultPage | PlainError {
  if (!Number.isSafeInteger(pageToken) || pageToken < 0)
    return badRequest('pageToken is not a next_page_token')
  const end = pageToken + limit
  return { results: results.slice(pageToken, end), next: end < results.length ? end : undefined }
}

/** A result as answers show it: the request in the ledger's encoding. */
export function resultToWire({
  request,
  completedAt,
  offboardedVoters,
  abstainingSvs,
  outcome,
}: VoteResult): WireResult {
  const encoded = VoteRequestType.payload.encode(request)
  return {
    request: typeof encoded === 'object' && encoded !== null ? { ...encoded } : {},
    completedAt: timeText(completedAt),
    offboardedVoters: [...offboardedVoters],
    abstainingSvs: [...abstainingSvs],
    outcome: outcomeToWire(outcome),
  }
}

function outcomeToWire(outcome: VoteRequestOutcome): VoteOutcome {
  switch (outcome.tag) {
    case 'VRO_Accepted':
      return { tag: outcome.tag, value: { effectiveAt: timeText(outcome.value.effectiveAt) } }
    case 'VRO_AcceptedButActionFailed':
      return { tag: outcome.tag, value: { description: outcome.value.description } }
    case 'VRO_Rejected':
      return { tag: outcome.tag, value: {} }
    case 'VRO_Expired':
      return { tag: outcome.tag, value: {} }
  }
}

/** The time when an accepted vote takes effect, else when it was closed. */
function effectiveDate({ outcome, completedAt }: VoteResult): bigint {
  return outcome.tag === 'VRO_Accepted' ? outcome.value.effectiveAt : completedAt
}

function matches(
  { outcome, request }: VoteResult,
  { actionName, accepted, requester }: VoteResultFilter,
): boolean {
  return (
    (accepted === undefined || accepted === (outcome.tag === 'VRO_Accepted')) &&
    (requester === undefined || requester === request.requester) &&
    (actionName === undefined || actionNames(request.action).includes(actionName))
  )
}

function actionNames(action: ActionRequiringConfirmation): readonly string[] {
  return [
    action.tag,
    action.tag === 'ARC_DsoRules' ? action.value.dsoAction.tag : action.value.coinRulesAction.tag,
  ]
}

function isWithin(time: bigint, from: bigint | undefined, to: bigint | undefined): boolean {
  return (from === undefined || time >= from) && (to === undefined || time <= to)
}

function compare(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
