// Rounds as the network page shows them: read from the contracts, each with its state at a time.
import { t } from './language.ts'
import { textAt } from './payload.ts'
import type { scan } from './wallet.tsx'

type Current = scan.Data<'getOpenAndIssuingMiningRounds'>
type Closed = scan.Data<'getClosedRounds'>['rounds']

export interface Round {
  readonly number: bigint
  readonly kind: 'open' | 'issuing'
  /** US dollars for a coin; undefined once it is issuing. */
  readonly price: string | undefined
  /** RFC 3339. */
  readonly opensAt: string
  /** RFC 3339; at the earliest. */
  readonly closesAt: string
}

/** Open and issuing ones, newest first. */
export function roundsOf({
  open_mining_rounds: open,
  issuing_mining_rounds: issuing,
}: Current): readonly Round[] {
  return [...roundsIn(open, 'open'), ...roundsIn(issuing, 'issuing')].toSorted((a, b) =>
    a.number > b.number ? -1 : 1,
  )
}

function roundsIn(map: Current['open_mining_rounds'], kind: Round['kind']): readonly Round[] {
  return Object.values(map).flatMap(({ contract }) =>
    contract === undefined
      ? []
      : [
          {
            number: numberOf(contract.payload),
            kind,
            price: kind === 'open' ? textAt(contract.payload, 'conversionRate') : undefined,
            opensAt: textAt(contract.payload, 'opensAt'),
            closesAt: textAt(contract.payload, 'targetClosesAt'),
          },
        ],
  )
}

/**
 * What a round is doing at a time, and the moment at which that changes. Milliseconds since 1970.
 */
export function phaseOf(
  { kind, opensAt, closesAt }: Round,
  nowMs: number,
): { readonly text: string; readonly untilMs: number } {
  const [opens, closes] = [Date.parse(opensAt), Date.parse(closesAt)]
  if (nowMs < opens) return { text: kind === 'open' ? t('opens') : t('issues'), untilMs: opens }
  return { text: t('closes'), untilMs: closes }
}

export interface ClosedRound {
  readonly number: bigint
  /** RFC 3339. */
  readonly closedAt: string
  /** Coin for a unit of reward of each kind. */
  readonly perValidator: string
  readonly perFeaturedApp: string
  readonly perApp: string
}

/** Newest first. */
export function closedRoundsOf(rounds: Closed): readonly ClosedRound[] {
  return rounds
    .map(({ payload, created_at: closedAt }) => ({
      number: numberOf(payload),
      closedAt,
      perValidator: textAt(payload, 'issuancePerValidatorRewardCoupon'),
      perFeaturedApp: textAt(payload, 'issuancePerFeaturedAppRewardCoupon'),
      perApp: textAt(payload, 'issuancePerUnfeaturedAppRewardCoupon'),
    }))
    .toSorted((a, b) => (a.number > b.number ? -1 : 1))
}

function numberOf(payload: Readonly<Record<string, unknown>>): bigint {
  return BigInt(textAt(payload, 'round', 'number') || '0')
}
