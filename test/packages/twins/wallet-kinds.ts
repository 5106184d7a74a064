// Kinds of random commands on the wallet: legacy offers, requests for traffic, and a batch of the
// treasury's operations.
import { member } from '../../../runtime/host/member.ts'
import { DSO, SECOND } from '../../support/ledger.ts'
import { VALIDATOR } from './coin-world.ts'
import type { CoinWorld, Kind, Kinds } from './coin-world.ts'
import { on, texts, user } from './coin-kinds.ts'
import type { Draw } from './draw.ts'

const soon = (world: CoinWorld, draw: Draw): string =>
  world.at(BigInt(draw.below(4)) * 500n * SECOND)

const offer: Kind = (world, draw) => {
  const sender = user(draw)
  const amount = { amount: draw.amount(), unit: draw.rarely(2) ? 'USDUnit' : 'CoinUnit' }
  const payload = {
    sender,
    receiver: user(draw),
    dso: DSO,
    amount,
    description: 'thanks',
    expiresAt: soon(world, draw),
    trackingId: `offer-${draw.below(3)}`,
  }
  return { create: 'TransferOffer', actAs: [sender], payloads: [payload] }
}

const ofOffer = (choice: string, who: 'sender' | 'receiver', argument: object): Kind =>
  on(choice.startsWith('Accepted') ? 'AcceptedTransferOffer' : 'TransferOffer', choice, (of) => {
    const actAs = texts(member(of.payload, who))
    return { actAs, argument: choice.endsWith('_Expire') ? { actor: actAs[0] } : argument }
  })

const complete = on(
  'AcceptedTransferOffer',
  'AcceptedTransferOffer_Complete',
  (of, world, draw) => {
    const [sender = ''] = texts(member(of.payload, 'sender'))
    const argument = { inputs: world.inputs(draw, sender), walletProvider: VALIDATOR }
    const context = world.payment(draw, sender)
    return {
      actAs: [sender, VALIDATOR],
      argument: { ...argument, context },
      released: { argument: { ...argument, transferContext: context } },
    }
  },
)

const request: Kind = (world, draw) => {
  const endUserParty = user(draw)
  const payload = {
    dso: DSO,
    endUserParty,
    expiresAt: soon(world, draw),
    trackingId: `traffic-${draw.below(3)}`,
    trafficAmount: String((draw.below(3) + 1) * 150_000),
    memberId: 'PAR::node::12',
    synchronizerId: 'net::12',
    migrationId: '0',
  }
  return { create: 'BuyTrafficRequest', actAs: [endUserParty], payloads: [payload] }
}

const buy = on('BuyTrafficRequest', 'BuyTrafficRequest_Complete', (of, world, draw) => {
  const [payer = ''] = texts(member(of.payload, 'endUserParty'))
  return {
    actAs: [payer, VALIDATOR],
    argument: {
      inputs: world.inputs(draw, payer),
      context: world.payment(draw, payer),
      walletProvider: VALIDATOR,
    },
  }
})

const ofRequest = (choice: string): Kind =>
  on('BuyTrafficRequest', choice, (of) => {
    const actAs = texts(member(of.payload, 'endUserParty'))
    return { actAs, argument: choice.endsWith('_Expire') ? { actor: actAs[0] } : { reason: 'why' } }
  })

const wish: Kind = (_world, draw) => {
  const receiver = user(draw)
  const payload = { receiver, provider: VALIDATOR, expectedDso: DSO }
  return { create: 'TransferPreapprovalProposal', actAs: [receiver], payloads: [payload] }
}

const grant = on(
  'TransferPreapprovalProposal',
  'TransferPreapprovalProposal_Accept',
  (_of, world, draw) => ({
    actAs: [VALIDATOR],
    argument: {
      context: world.payment(draw, VALIDATOR),
      inputs: world.inputs(draw, VALIDATOR),
      createdAt: world.at(0n),
      expiresAt: soon(world, draw),
    },
  }),
)

/** Kinds of the wallet that need nothing but the network and coins. */
export const walletStarting: Kinds = { legacyOffer: offer, request, wish }

/** Kinds about what those have made. */
export const walletFollowing: Kinds = {
  acceptOffer: ofOffer('TransferOffer_Accept', 'receiver', {}),
  rejectOffer: ofOffer('TransferOffer_Reject', 'receiver', {}),
  withdrawOffer: ofOffer('TransferOffer_Withdraw', 'sender', { reason: 'why' }),
  expireOffer: ofOffer('TransferOffer_Expire', 'sender', {}),
  complete,
  abort: ofOffer('AcceptedTransferOffer_Abort', 'sender', { reason: 'why' }),
  withdrawAccepted: ofOffer('AcceptedTransferOffer_Withdraw', 'receiver', { reason: 'why' }),
  expireAccepted: ofOffer('AcceptedTransferOffer_Expire', 'sender', {}),
  buy,
  cancelRequest: ofRequest('BuyTrafficRequest_Cancel'),
  expireRequest: ofRequest('BuyTrafficRequest_Expire'),
  grant,
}
