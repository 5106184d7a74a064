// Coin that is on offer, whichever kind of contract says so: in one shape, so that pages show and
// sort both alike.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { textAt, valueAt } from './payload.ts'
import type { validator } from './wallet.tsx'

type Contract = validator.Data<'listTransferOffers'>['offers'][number]

/**
 * `offer`: nothing has moved, paid once it is accepted; `accepted`: the same, waiting for the
 * payment; `two-steps`: the coin is locked until the receiver takes it.
 */
export type OfferKind = 'offer' | 'accepted' | 'two-steps'

export interface Offer {
  readonly id: string
  readonly kind: OfferKind
  readonly sender: string
  readonly receiver: string
  readonly amount: Amount
  /** '' where there is none; accepted offers have lost theirs. */
  readonly description: string
  /** RFC 3339, as the next. */
  readonly expiresAt: string
  readonly createdAt: string
}

/** An offer of the first kind, accepted or not. */
export function offerOf(
  kind: 'offer' | 'accepted',
  { contract_id: id, created_at: createdAt, payload }: Contract,
): Offer {
  return {
    id,
    kind,
    createdAt,
    ...sidesOf(payload),
    amount: parseAmount(textAt(payload, 'amount', 'amount')) ?? 0n,
    description: textAt(payload, 'description'),
    expiresAt: textAt(payload, 'expiresAt'),
  }
}

/** A transfer that waits for its second step. */
export function twoStepOf({ contract_id: id, created_at: createdAt, payload }: Contract): Offer {
  const transfer = valueAt(payload, 'transfer')
  return {
    id,
    kind: 'two-steps',
    createdAt,
    ...sidesOf(transfer),
    amount: parseAmount(textAt(transfer, 'amount')) ?? 0n,
    description: reasonOf(valueAt(transfer, 'meta', 'values')),
    expiresAt: textAt(transfer, 'executeBefore'),
  }
}

/**
 * Which expires first comes first; among equal ones the contract id decides, so that nothing jumps.
 */
export function byTimeLeft(offers: readonly Offer[]): readonly Offer[] {
  return offers.toSorted(
    (a, b) => Date.parse(a.expiresAt) - Date.parse(b.expiresAt) || (a.id < b.id ? -1 : 1),
  )
}

function sidesOf(payload: unknown): Pick<Offer, 'sender' | 'receiver'> {
  return { sender: textAt(payload, 'sender'), receiver: textAt(payload, 'receiver') }
}

/** The network's name before the slash differs from network to network. */
function reasonOf(values: unknown): string {
  if (typeof values !== 'object' || values === null) return ''
  const key = Object.keys(values).find((name) => name.endsWith('/reason'))
  return key === undefined ? '' : textAt(values, key)
}
