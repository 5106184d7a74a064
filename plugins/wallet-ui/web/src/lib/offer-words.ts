// What an offer is and what comes next, in words.
import { nameOf } from './party.ts'
import type { Offer, OfferKind } from './offers.ts'
import { t } from './language.ts'

/** `in`: to the person who reads it; `out`: from that person. */
export type Side = 'in' | 'out'

/** Two or three words. */
export function kindText(kind: OfferKind): string {
  switch (kind) {
    case 'two-steps':
      return t('In two steps')
    case 'offer':
      return t('By offer')
    case 'accepted':
      return t('Accepted, waiting for payment')
  }
}

/** One or two sentences: where the coin is, and what happens next. */
export function stateText(offer: Offer, side: Side, isExpired: boolean): string {
  return isExpired
    ? expiredText(offer, side)
    : side === 'in'
      ? incomingText(offer)
      : outgoingText(offer)
}

function incomingText({ kind, sender }: Offer): string {
  switch (kind) {
    case 'two-steps':
      return t('The coin is locked for you until you accept.')
    case 'offer':
      return t('Nothing moves until you accept; then {0}’s validator pays.', nameOf(sender))
    case 'accepted':
      return t(
        '{0}’s validator pays by itself; if the coin is short, the offer is withdrawn.',
        nameOf(sender),
      )
  }
}

function outgoingText({ kind, receiver }: Offer): string {
  switch (kind) {
    case 'two-steps':
      return t('Your coin is locked until {0} accepts. You can take it back.', nameOf(receiver))
    case 'offer':
      return t('Nothing moves until {0} accepts; then your validator pays.', nameOf(receiver))
    case 'accepted':
      return t('Your validator pays by itself; if your coin is short, the offer is withdrawn.')
  }
}

function expiredText({ kind, sender }: Offer, side: Side): string {
  if (kind === 'accepted')
    return t('It was not paid in time. It disappears by itself, and no coin moves.')
  if (kind === 'offer')
    return t('It can no longer be accepted. It disappears by itself, and no coin moves.')
  return side === 'in'
    ? t('You can no longer accept it. The coin goes back to {0} by itself.', nameOf(sender))
    : t('It can no longer be accepted. Your coin comes back by itself; withdraw to get it at once.')
}
