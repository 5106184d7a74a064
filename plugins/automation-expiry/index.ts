// Ends what is over. Contracts that end at a time have it as their rank, so what is due is the
// beginning of a list; dust is looked for once a round. docs/automations.md, "expiry"
import { z } from 'zod'
import {
  acceptedAppPayment,
  acceptedAppPaymentExpire,
  acceptedTransferOffer,
  acceptedTransferOfferExpire,
  ansEntry,
  ansEntryExpire,
  appPaymentRequest,
  appPaymentRequestExpire,
  buyTrafficRequest,
  buyTrafficRequestExpire,
  closingVote,
  coinAllocation,
  coinAllocationDsoExpire,
  coinTransferInstruction,
  coinTransferInstructionUpdate,
  contextKeys,
  defineAutomation,
  developmentFundCoupon,
  developmentFundCouponExpire,
  entityOf,
  externalPartySetupProposal,
  externalPartySetupProposalWithdraw,
  forEachOf,
  lockedCoin,
  mintingDelegation,
  mintingDelegationProposal,
  mintingDelegationProposalReject,
  mintingDelegationReject,
  NO_METADATA,
  subscriptionInitialPayment,
  subscriptionInitialPaymentExpire,
  subscriptionPayment,
  subscriptionPaymentExpire,
  transferCommand,
  transferCommandExpire,
  transferOffer,
  transferOfferExpire,
  transferPreapproval,
  transferPreapprovalExpire,
  unclaimedActivityRecord,
  unclaimedActivityRecordExpire,
  voteRequest,
} from '../../runtime/economy.ts'
import { byNetwork, ending } from './due.ts'
import type { Economy } from '../../runtime/economy.ts'
import type { Command, Expiry } from './due.ts'
import { dustEnding } from './dust.ts'

/** Templates whose rank is when they end. */
const ENDED = [
  transferOffer,
  acceptedTransferOffer,
  appPaymentRequest,
  buyTrafficRequest,
  externalPartySetupProposal,
  mintingDelegationProposal,
  mintingDelegation,
  transferPreapproval,
  transferCommand,
  developmentFundCoupon,
  unclaimedActivityRecord,
  ansEntry,
  voteRequest,
  acceptedAppPayment,
  subscriptionInitialPayment,
  subscriptionPayment,
  coinTransferInstruction,
  coinAllocation,
] as const

/** Ends everything whose time has come. */
export default defineAutomation({
  name: 'expiry',
  summary: 'Closes expired offers, instructions, delegations, names and votes; removes dust.',
  topic: 'wallets',
  scope: 'ledger',
  options: z.strictObject({
    /** The pause before what could not be ended is tried again. */
    everyMs: z.int().min(10).optional(),
    /** Contracts that are ended at the same time. */
    parallel: z.int().min(1).max(1_000).default(32),
  }),
  setup: (_host, { everyMs, parallel }) => {
    const endings = [...endingsByTime(), dustEnding()]
    return {
      trigger: {
        pauseMs: everyMs,
        onRound: true,
        wakes: [{ templates: ENDED.map(({ type }) => entityOf(type.id)), at: ({ rank }) => rank }],
      },
      run: (run) => forEachOf(endings, 1, run.signal, (end) => end(run, parallel)),
    }
  },
})

/** A command of a party of this validator, which pays. */
function byParty(party: string, run: Command['run']): Command {
  return { actAs: [party], paid: true, run }
}

/** Each remembers where it stopped. */
function endingsByTime(): readonly Expiry[] {
  return [
    ...endingsByParties(),
    ...endingsOfPayments(),
    instructions(),
    allocations(),
    ...endingsByNetwork(),
  ]
}

/** Endings by a party of this validator itself. */
function endingsByParties(): readonly Expiry[] {
  return [
    ending({
      key: transferOffer.by('sender'),
      command: (_economy, { id, payload: { sender } }) =>
        byParty(sender, (tx) => tx.exercise(transferOfferExpire, id, { actor: sender })),
    }),
    ending({
      key: acceptedTransferOffer.by('sender'),
      command: (_economy, { id, payload: { sender } }) =>
        byParty(sender, (tx) => tx.exercise(acceptedTransferOfferExpire, id, { actor: sender })),
    }),
    ending({
      key: appPaymentRequest.by('sender'),
      command: (_economy, { id, payload: { sender } }) =>
        byParty(sender, (tx) => tx.exercise(appPaymentRequestExpire, id, { actor: sender })),
    }),
    ending({
      key: buyTrafficRequest.by('endUserParty'),
      command: (_economy, { id, payload: { endUserParty } }) =>
        byParty(endUserParty, (tx) =>
          tx.exercise(buyTrafficRequestExpire, id, { actor: endUserParty }),
        ),
    }),
    ending({
      key: externalPartySetupProposal.by('user'),
      command: (_economy, { id, payload: { validator } }) =>
        byParty(validator, (tx) => tx.exercise(externalPartySetupProposalWithdraw, id, {})),
    }),
    ending({
      key: mintingDelegationProposal.by('beneficiary'),
      command: (_economy, { id, payload: { delegation } }) =>
        byParty(delegation.delegate, (tx) => tx.exercise(mintingDelegationProposalReject, id, {})),
    }),
    ending({
      key: mintingDelegation.by('beneficiary'),
      command: (_economy, { id, payload: { delegate } }) =>
        byParty(delegate, (tx) => tx.exercise(mintingDelegationReject, id, {})),
    }),
  ]
}

function endingsByNetwork(): readonly Expiry[] {
  return [
    ending({
      key: transferPreapproval.by('receiver'),
      command: (economy, { id }) =>
        byNetwork(economy, (tx) => tx.exercise(transferPreapprovalExpire, id, {})),
    }),
    ending({
      key: transferCommand.by('sender'),
      command: (economy, { id, payload: { dso } }) =>
        byNetwork(economy, (tx) => tx.exercise(transferCommandExpire, id, { actor: dso })),
    }),
    ending({
      key: developmentFundCoupon.by('beneficiary'),
      isAlone: true,
      command: (economy, { id }) =>
        byNetwork(economy, (tx) => tx.exercise(developmentFundCouponExpire, id, {})),
    }),
    ending({
      key: unclaimedActivityRecord.by('beneficiary'),
      isAlone: true,
      command: (economy, { id }) =>
        byNetwork(economy, (tx) => tx.exercise(unclaimedActivityRecordExpire, id, {})),
    }),
    ending({
      key: ansEntry.by('user'),
      isAlone: true,
      command: (economy, { id, payload: { dso } }) =>
        byNetwork(economy, (tx) => tx.exercise(ansEntryExpire, id, { actor: dso })),
    }),
    // One that is accepted for a later time is too early, and stays.
    ending({
      key: voteRequest.by('dso'),
      isAlone: true,
      command: closingVote,
      until: ({ targetEffectiveAt }) => targetEffectiveAt,
    }),
  ]
}

/** Returns of what was locked for an app that did not collect it; its sender sees to it. */
function endingsOfPayments(): readonly Expiry[] {
  return [
    ending({
      key: acceptedAppPayment.by('sender'),
      isAlone: true,
      command: async (economy, { id, payload: { sender, lockedCoin: lock } }) => {
        const { context, expireLock } = await shellOf(economy, lock)
        return byParty(sender, (tx) =>
          tx.exercise(acceptedAppPaymentExpire, id, { context, expireLock }),
        )
      },
    }),
    ending({
      key: subscriptionInitialPayment.by('sender'),
      isAlone: true,
      command: async (economy, { id, payload: { subscriptionData, lockedCoin: lock } }) => {
        const { sender: actor } = subscriptionData
        const { context: transferContext, expireLock } = await shellOf(economy, lock)
        const argument = { actor, transferContext, expireLock }
        return byParty(actor, (tx) => tx.exercise(subscriptionInitialPaymentExpire, id, argument))
      },
    }),
    ending({
      key: subscriptionPayment.by('sender'),
      isAlone: true,
      command: async (economy, { id, payload: { subscriptionData, lockedCoin: lock } }) => {
        const { sender: actor } = subscriptionData
        const { context: transferContext, expireLock } = await shellOf(economy, lock)
        const argument = { actor, transferContext, expireLock }
        return byParty(actor, (tx) => tx.exercise(subscriptionPaymentExpire, id, argument))
      },
    }),
  ]
}

/** Whether the coin is still locked; and a context, of which an ending reads nothing. */
async function shellOf({ reader, network }: Economy, lock: string) {
  const rules = await network.coinRules()
  const context = { coinRules: rules.id, openMiningRound: rules.id, featuredAppRight: null }
  return { context, expireLock: (await reader.get(lockedCoin, lock)) !== undefined }
}

/** The locked coins return. */
function instructions(): Expiry {
  return ending({
    key: coinTransferInstruction.by('sender'),
    isAlone: true,
    command: async (economy, { id, payload: { lockedCoin: lockedCoinCid } }) => {
      const hasLock = (await economy.reader.get(lockedCoin, lockedCoinCid)) !== undefined
      const context = {
        values: new Map([[contextKeys.expireLock, { tag: 'AV_Bool', value: hasLock } as const]]),
      }
      return byNetwork(economy, (tx) =>
        tx.exercise(coinTransferInstructionUpdate, id, {
          extraActors: [],
          extraArgs: { context, meta: NO_METADATA },
        }),
      )
    },
  })
}

/** Likewise, once it is too late to settle. */
function allocations(): Expiry {
  return ending({
    key: coinAllocation.by('sender'),
    isAlone: true,
    command: async (economy, { id, payload: { lockedCoin: lockedCoinCid } }) => {
      const expireLock = (await economy.reader.get(lockedCoin, lockedCoinCid)) !== undefined
      return byNetwork(economy, (tx) => tx.exercise(coinAllocationDsoExpire, id, { expireLock }))
    },
  })
}
