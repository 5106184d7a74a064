// What an offer is and what comes next, in words.
import { nameOf } from './party.ts'
import type { Offer, OfferKind } from './offers.ts'

/** `in`: to the person who reads it; `out`: from that person. */
export type Side = 'in' | 'out'

/** Two or three words. */
export function kindText(kind: OfferKind): string {
  switch (kind) {
    case 'two-steps':
      return 'In two steps'
    case 'offer':
      return 'By offer'
    case 'accepted':
      return 'Accepted, waiting for payment'
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
      return 'The coin is locked for you until you accept.'
    case 'offer':
      return `Nothing moves until you accept; then ${nameOf(sender)}’s validator pays.`
    case 'accepted':
      return `${nameOf(sender)}’s validator pays by itself; if the coin is short, the offer is withdrawn.`
  }
}

function outgoingText({ kind, receiver }: Offer): string {
  switch (kind) {
    case 'two-steps':
      return `Your coin is locked until ${nameOf(receiver)} accepts. You can take it back.`
    case 'offer':
      return `Nothing moves until ${nameOf(receiver)} accepts; then your validator pays.`
    case 'accepted':
      return 'Your validator pays by itself; if your coin is short, the offer is withdrawn.'
  }
}

function expiredText({ kind, sender }: Offer, side: Side): string {
  if (kind === 'accepted')
    return 'It was not paid in time. It goes away by itself, and no coin moves.'
  if (kind === 'offer')
    return 'Nobody can accept it any more. It goes away by itself, and no coin moves.'
  return side === 'in'
    ? `You can accept it no more. The coin goes back to ${nameOf(sender)} by itself.`
    : 'Nobody can accept it any more. Your coin comes back by itself; to have it at once, withdraw.'
}
