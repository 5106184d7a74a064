// The results of operations with a deduplication id, so that a retry gets the same answer.
// docs/economy-rules.md, "Treasury"
import { hash } from 'node:crypto'
import { CoinOperationOutcome } from '../../../generated/contracts.gen.ts'
import type { CoinOperation } from '../../../generated/contracts.gen.ts'
import { member } from '../../host/member.ts'
import type { EarlierRequest } from '../wallets/request-ids.ts'
import type { TreasuryDone } from './outcome.ts'

/** The command id of a deduplicated operation: one for party, kind of operation and id. */
export function operationCommandId(
  party: string,
  { tag }: Pick<CoinOperation, 'tag'>,
  dedupId: string,
): string {
  return `wallet-operation-${hash('sha256', JSON.stringify([tag, party, dedupId]))}`
}

/**
 * The outcome of the one operation of a batch that was submitted for a deduplication id, out of the
 * batch's result.
 */
export function onlyOutcome(result: unknown): CoinOperationOutcome {
  return CoinOperationOutcome.decode(member(member(result, 'outcomes'), '0'))
}

interface EarlierOperation extends EarlierRequest {
  readonly done: TreasuryDone
}

/** The kept result of an operation; undefined if it was not done. */
export function earlierOperation(
  earlier: EarlierRequest | undefined,
): EarlierOperation | undefined {
  if (earlier === undefined) return undefined
  const outcome = onlyOutcome(earlier.result)
  if (outcome.tag === 'COO_Error') return undefined
  return { ...earlier, done: { ok: true, outcome, updateId: earlier.updateId, isRepeated: true } }
}
