// Ends what is over. Contracts that end at a time have it as their rank, so what is due is the beginning of a list; dust is looked for
// once a round. domain/behaviour.md §1, §4, §5, §6, §7, §8, §14
import { z } from 'zod'
import {
  acceptedTransferOffer, acceptedTransferOfferExpire, ansEntry, ansEntryExpire, buyTrafficRequest, buyTrafficRequestExpire,
  closingVote, coinTransferInstruction, coinTransferInstructionUpdate, contextKeys, defineAutomation, developmentFundCoupon,
  developmentFundCouponExpire, externalPartySetupProposal, externalPartySetupProposalWithdraw, forEachOf, lockedCoin,
  mintingDelegation, mintingDelegationProposal, mintingDelegationProposalReject, mintingDelegationReject, NO_METADATA,
  transferCommand, transferCommandExpire, transferOffer, transferOfferExpire, transferPreapproval, transferPreapprovalExpire,
  unclaimedActivityRecord, unclaimedActivityRecordExpire, voteRequest,
} from '../../runtime/economy.ts'
import type { Contract, Economy, NetworkCommand, Template } from '../../runtime/economy.ts'
import { byNetwork, endUpTo } from './due.ts'
import type { Bound } from './due.ts'
import { dustEnding } from './dust.ts'

type Command = NetworkCommand<unknown>
type Ending = (economy: Economy, bound: Bound) => Promise<void>

/** Ends everything whose time has come. */
export default defineAutomation({
  name: 'expiry',
  options: z.strictObject({
    /** How often it looks for what is over. */
    everyMs: z.int().min(10).optional(),
    /** Contracts that are ended at the same time. */
    parallel: z.int().min(1).max(1_000).default(32),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const endings = [...ENDINGS, dustEnding()]
    return {
      trigger: { everyMs },
      run: ({ economy, signal }) => forEachOf(endings, 1, signal, (end) => end(economy, { parallel, signal })),
    }
  },
})

/** Of a party of this validator, which pays. */
function byParty(party: string, run: Command['run']): Command {
  return { actAs: [party], paid: true, run }
}

const ENDINGS: readonly Ending[] = [
  ending(transferOffer, (_economy, { id, payload: { sender } }) =>
    byParty(sender, (tx) => tx.exercise(transferOfferExpire, id, { actor: sender }))),
  ending(acceptedTransferOffer, (_economy, { id, payload: { sender } }) =>
    byParty(sender, (tx) => tx.exercise(acceptedTransferOfferExpire, id, { actor: sender }))),
  ending(buyTrafficRequest, (_economy, { id, payload: { endUserParty } }) =>
    byParty(endUserParty, (tx) => tx.exercise(buyTrafficRequestExpire, id, { actor: endUserParty }))),
  ending(externalPartySetupProposal, (_economy, { id, payload: { validator } }) =>
    byParty(validator, (tx) => tx.exercise(externalPartySetupProposalWithdraw, id, {}))),
  ending(mintingDelegationProposal, (_economy, { id, payload: { delegation: { delegate } } }) =>
    byParty(delegate, (tx) => tx.exercise(mintingDelegationProposalReject, id, {}))),
  ending(mintingDelegation, (_economy, { id, payload: { delegate } }) =>
    byParty(delegate, (tx) => tx.exercise(mintingDelegationReject, id, {}))),
  ending(coinTransferInstruction, async (economy, { id, payload: { lockedCoin: lockedCoinCid } }) => {
    const hasLock = (await economy.reader.get(lockedCoin, lockedCoinCid)) !== undefined
    const context = { values: new Map([[contextKeys.expireLock, { tag: 'AV_Bool', value: hasLock } as const]]) }
    return byNetwork(economy, (tx) => tx.exercise(coinTransferInstructionUpdate, id, {
      extraActors: [], extraArgs: { context, meta: NO_METADATA },
    }))
  }),
  ending(transferPreapproval, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(transferPreapprovalExpire, id, {}))),
  ending(transferCommand, (economy, { id, payload: { dso } }) =>
    byNetwork(economy, (tx) => tx.exercise(transferCommandExpire, id, { actor: dso }))),
  ending(developmentFundCoupon, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(developmentFundCouponExpire, id, {}))),
  ending(unclaimedActivityRecord, (economy, { id }) => byNetwork(economy, (tx) => tx.exercise(unclaimedActivityRecordExpire, id, {}))),
  ending(ansEntry, (economy, { id, payload: { dso } }) => byNetwork(economy, (tx) => tx.exercise(ansEntryExpire, id, { actor: dso }))),
  // One that is accepted for a later time is too early, and stays.
  ending(voteRequest, closingVote),
]

/** Of those whose rank is their end. */
function ending<T>(template: Template<T>, command: (economy: Economy, contract: Contract<T>) => Command | Promise<Command>): Ending {
  return (economy, bound) => endUpTo(economy, {
    template, maxRank: economy.clock.nowMicros(), command: (contract) => command(economy, contract),
  }, bound)
}
