// A user's wish for traffic, and what keeps two top-ups from happening at once.
// docs/economy-rules.md, "Traffic"
import { BuyTrafficRequest, ValidatorTopUpState } from '../../../generated/contracts.gen.ts'
import type { BuyTrafficRequestEnded } from '../../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../../engine/index.ts'
import type { Tx } from '../../engine/template.ts'
import { coinRulesBuyMemberTraffic } from '../traffic.ts'
import { isShort } from './text.ts'
import { byActor, requireActor } from '../requirements.ts'
import { ofNetwork } from '../of-network.ts'

/**
 * Key: endUserParty, tracking id; rank: expiry. Funds, minimum and synchronizer are not looked at
 * here.
 */
export const buyTrafficRequest = defineTemplate(BuyTrafficRequest, {
  ...ofNetwork,
  signatories: (request) => [request.endUserParty],
  ensure: (request) => request.trafficAmount > 0n && isShort(request.trackingId),
  rank: (request) => request.expiresAt,
})

export const validatorTopUpState = defineTemplate(ValidatorTopUpState, {
  ...ofNetwork,
  signatories: (state) => [state.validator],
})

/** The user, who pays, and its wallet provider, before expiry. */
export const buyTrafficRequestComplete = choice(
  buyTrafficRequest,
  BuyTrafficRequest.choices.BuyTrafficRequest_Complete,
  {
    controllers: (request, { walletProvider }) => [request.endUserParty, walletProvider],
    run: (tx, { payload }, { inputs, context }) => {
      tx.before(payload.expiresAt)
      const { dso, endUserParty, memberId, synchronizerId, migrationId, trafficAmount } = payload
      const purchase = tx.exercise(coinRulesBuyMemberTraffic, context.coinRules, {
        inputs,
        context: context.context,
        provider: endUserParty,
        memberId,
        synchronizerId,
        migrationId,
        trafficAmount,
        expectedDso: dso,
      })
      const { purchasedTraffic, senderChangeCoin } = purchase
      return { trackingInfo: trackingInfo(payload), purchase, purchasedTraffic, senderChangeCoin }
    },
  },
)

/** The user, before expiry: `reason` says why it was not bought. */
export const buyTrafficRequestCancel = choice(
  buyTrafficRequest,
  BuyTrafficRequest.choices.BuyTrafficRequest_Cancel,
  {
    controllers: (request) => [request.endUserParty],

    run: (tx, { payload }, { reason }) => {
      tx.before(payload.expiresAt)
      return ended(payload, reason)
    },
  },
)

/** A stakeholder, who can only be the user, from expiry on. */
export const buyTrafficRequestExpire = choice(
  buyTrafficRequest,
  BuyTrafficRequest.choices.BuyTrafficRequest_Expire,
  {
    controllers: byActor,
    run: (tx: Tx, { payload }, { actor }) => {
      requireActor(tx, actor, [payload.endUserParty])
      tx.notBefore(payload.expiresAt)
      return ended(payload, null)
    },
  },
)

function ended(request: BuyTrafficRequest, reason: string | null): BuyTrafficRequestEnded {
  return { trackingInfo: trackingInfo(request), reason }
}

function trackingInfo({
  trackingId,
  endUserParty,
}: BuyTrafficRequest): BuyTrafficRequestEnded['trackingInfo'] {
  return { trackingId, endUserParty }
}
