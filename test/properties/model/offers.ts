// Legacy offers: nothing is locked, funds are looked at when an accepted offer is completed.
// docs/economy-rules.md, "Legacy offers"
import { amountOf, times } from './arithmetic.ts'
import type { OfferAction, PlainAction } from './actions.ts'
import type { Change, Check, Plan } from './plan.ts'
import { FOREIGN, judge, nameOf, refuse } from './plan.ts'
import type { Coupon, Economy, Offer, Round, Status } from './state.ts'
import { get } from './state.ts'
import { inputsOf, roundNow, transfer, worth } from './transfer.ts'

const LONGEST_TEXT = 280

/** Key of an offer's status. */
export function statusKey(sender: string, trackingId: string): string {
  return `${sender}\n${trackingId}`
}

/** An offer that nobody has to pay for yet. */
export function createOffer(economy: Economy, action: OfferAction): Plan {
  const amount = amountOf(action.amount)
  if (amount === undefined) return refuse('invalid')
  const { actor, receiver, expiresAt, trackingId, description } = action
  const checks: readonly Check[] = [
    [amount > 0n, 'requirement', 'invalid'],
    [
      description.length < LONGEST_TEXT && trackingId.length < LONGEST_TEXT,
      'requirement',
      'invalid',
    ],
    [!economy.statuses.has(statusKey(actor, trackingId)), 'duplicate'],
  ]
  const offer: Offer = {
    kind: 'offer',
    id: nameOf(economy, 0),
    sender: actor,
    receiver,
    amount,
    expiresAt,
    trackingId,
  }
  return judge(checks, () => ({ consume: [], create: [offer], also: settle(offer, 'created') }))
}

/** Everything that names an offer or an accepted offer. */
export function useOffer(economy: Economy, { kind, actor, id }: PlainAction): Plan {
  const offer = get(economy, kind.startsWith('offer-') ? 'offer' : 'accepted', id)
  if (offer === undefined) return refuse('not-found')
  const isSender: Check = [offer.sender === actor, ...FOREIGN]
  const isReceiver: Check = [offer.receiver === actor, ...FOREIGN]
  const isLive: Check = [economy.now < offer.expiresAt, 'too-late', 'requirement']
  if (kind === 'offer-accept') return judge([isReceiver, isLive], () => accepted(economy, offer))
  if (kind === 'accepted-complete') return complete(economy, offer, [isSender, isLive])
  if (kind === 'offer-reject') return judge([isReceiver], () => ended(offer, 'rejected'))
  if (kind === 'offer-withdraw' || kind === 'accepted-abort')
    return judge([isSender], () => ended(offer, 'withdrawn'))
  if (kind === 'accepted-withdraw') return judge([isReceiver], () => ended(offer, 'withdrawn'))
  const isStakeholder: Check = [
    [offer.sender, offer.receiver, economy.config.network].includes(actor),
    ...FOREIGN,
  ]
  return judge([isStakeholder, [economy.now >= offer.expiresAt, 'too-early', 'requirement']], () =>
    ended(offer, 'expired'),
  )
}

function accepted(economy: Economy, offer: Offer): Change {
  const next: Offer = { ...offer, kind: 'accepted', id: nameOf(economy, 0) }
  return { consume: [offer.id], create: [next], also: settle(offer, 'accepted') }
}

function ended(offer: Offer, status: Status): Change {
  return { consume: [offer.id], create: [], also: settle(offer, status) }
}

function complete(economy: Economy, offer: Offer, checks: readonly Check[]): Plan {
  const { round, check } = roundNow(economy)
  if (round === undefined) return judge([...checks, check], () => ended(offer, 'completed'))
  const inputs = inputsOf(economy, offer.sender, 'treasury')
  const funds: Check = [worth(economy, inputs) >= offer.amount, 'insufficient-funds']
  return judge([...checks, funds], () => {
    const output = { owner: offer.receiver, amount: offer.amount, lockedUntil: null }
    const { change } = transfer(economy, { sender: offer.sender, inputs, round }, [output])
    const coupons = senderReward(economy, offer, round, change.create.length)
    return {
      ...change,
      consume: [offer.id, ...change.consume],
      create: [...change.create, ...coupons],
      also: settle(offer, 'completed'),
    }
  })
}

/** The sender's validator coupon for a legacy transfer. docs/economy-rules.md, "Legacy offers" */
function senderReward(
  economy: Economy,
  offer: Offer,
  round: Round,
  place: number,
): readonly Coupon[] {
  const amount = times(offer.amount, economy.config.legacyRewardRate)
  if (amount <= 0n) return []
  const id = nameOf(economy, place)
  return [
    {
      kind: 'coupon',
      id,
      of: 'validator',
      featured: false,
      beneficiary: offer.sender,
      amount,
      round: round.number,
    },
  ]
}

function settle({ sender, trackingId }: Offer, status: Status): (economy: Economy) => void {
  return (economy) => economy.statuses.set(statusKey(sender, trackingId), status)
}
