// The history of the development fund's coupons: a line each for beneficiary and manager when a
// coupon ends, written in the same commit. docs/economy-rules.md, "Development fund"
import type { ArchivedDevelopmentFundCoupon } from '../../../generated/validator/types.gen.ts'
import { developmentFundCoupon } from '../../contracts/development-fund.ts'
import { member } from '../../host/member.ts'
import { formatDecimal } from '../../engine/index.ts'
import type { Projector } from '../../engine/submission.ts'
import type { ExerciseEvent } from '../../engine/transaction.ts'
import type { ContractRecord, LogRecord, Store } from '../../store/store.ts'
import { timeText } from '../../participant/time.ts'

const LOG = 'development-fund'

/**
 * Ids of contracts begin with a byte that says so; the hash after it makes a number that every JSON
 * reader keeps.
 */
const TOKEN_DIGITS = { from: 2, to: 15 } as const

/** Statuses by choice; every other end of a coupon mints it. */
const STATUSES: ReadonlyMap<string, ArchivedDevelopmentFundCoupon['status']> = new Map([
  ['DevelopmentFundCoupon_Withdraw', 'withdrawn'],
  ['DevelopmentFundCoupon_Reject', 'rejected'],
  ['DevelopmentFundCoupon_Expire', 'expired'],
])

/** Writes a line for each coupon that an update ends. */
export const developmentFundProjector: Projector = {
  of: new Set([developmentFundCoupon.type.reference]),
  project: ({ consumed, events, effectiveAt }) => {
    const ended = consumed.filter((contract) => developmentFundCoupon.isOf(contract))
    const logs = ended.flatMap((record) => {
      const event = events.find(
        (one) => one.kind === 'exercise' && one.consuming && one.contractId === record.contractId,
      )
      return event?.kind === 'exercise' ? linesOf(record, event, effectiveAt) : []
    })
    return { logs, facts: [] }
  },
}

interface FundHistoryPage {
  readonly coupons: ArchivedDevelopmentFundCoupon[]
  /** `after` of the next page; absent when this one is not full. */
  readonly next: bigint | undefined
}

/** A page of the party's coupons that ended, the last first. */
export async function fundHistory(
  store: Store,
  party: string,
  { after, limit }: { readonly after?: bigint | undefined; readonly limit: number },
): Promise<FundHistoryPage> {
  const lines = await store.contracts.log({
    log: LOG,
    owner: party,
    after: after === undefined ? '' : after.toString(),
    limit,
  })
  const last = lines.length < limit ? undefined : lines.at(-1)
  return {
    coupons: lines.map(({ body }) => JSON.parse(body)),
    next: last === undefined ? undefined : BigInt(last.id),
  }
}

function linesOf(
  record: ContractRecord,
  { choice, argument }: ExerciseEvent,
  archivedAt: bigint,
): readonly LogRecord[] {
  const { beneficiary, fundManager, amount, expiresAt, reason } = developmentFundCoupon.open(record)
  const why = member(argument, 'reason')
  const coupon: ArchivedDevelopmentFundCoupon = {
    createdAt: timeText(record.createdAt),
    archivedAt: timeText(archivedAt),
    beneficiary,
    fund_manager: fundManager,
    amount: formatDecimal(amount),
    expiresAt: timeText(expiresAt),
    reason,
    status: STATUSES.get(choice) ?? 'claimed',
    ...(typeof why === 'string' ? { rejection_or_withdrawal_reason: why } : {}),
  }
  const line = { log: LOG, id: lineId(record), body: JSON.stringify(coupon) }
  return [...new Set([fundManager, beneficiary])].map((owner) => ({ ...line, owner }))
}

function lineId({ contractId }: ContractRecord): string {
  return BigInt(`0x${contractId.slice(TOKEN_DIGITS.from, TOKEN_DIGITS.to)}`).toString()
}
