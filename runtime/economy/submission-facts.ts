// What a completion tells of a submission and its update does not: kept by the day of the commit,
// so that a whole day can be forgotten. domain/ledger.md §7.4
import type { Projector } from '../engine/submission.ts'
import type { Transaction } from '../engine/transaction.ts'
import { DAY_MICROS } from '../engine/durations.ts'
import { member } from '../host/member.ts'
import type { Store } from '../store/store.ts'

export interface KeptSubmission {
  readonly submissionId: string
  /** Microseconds. */
  readonly deduplicationMicros: bigint
}

/** The kind of the facts of a day. */
export const submissionKind = (day: bigint): string => `submission/${day}`

type Committed = Pick<Transaction, 'updateId' | 'effectiveAt'>

/** What is kept of a submission; nothing where it has no id. */
export function keepSubmission({ submissionId, deduplicationMicros }: KeptSubmission): {
  readonly project?: Projector
} {
  if (submissionId === '') return {}
  const body = JSON.stringify({ submissionId, deduplicationMicros: String(deduplicationMicros) })
  return {
    project: ({ updateId, effectiveAt }) => ({
      logs: [],
      facts: [{ kind: submissionKind(effectiveAt / DAY_MICROS), key: updateId, body }],
    }),
  }
}

/** What was kept of the submission of an update; undefined where nothing was. */
export async function keptSubmission(
  { contracts }: Pick<Store, 'contracts'>,
  { updateId, effectiveAt }: Committed,
): Promise<KeptSubmission | undefined> {
  const fact = await contracts.fact(submissionKind(effectiveAt / DAY_MICROS), updateId)
  if (fact === undefined) return undefined
  const kept: unknown = JSON.parse(fact.body)
  const submissionId = member(kept, 'submissionId')
  return {
    submissionId: typeof submissionId === 'string' ? submissionId : '',
    deduplicationMicros: BigInt(String(member(kept, 'deduplicationMicros') ?? 0)),
  }
}
