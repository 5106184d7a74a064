// The two ways in which a sweep reaches its receiver. Each is done once for a name.
// docs/automations.md, "sweeps"
import {
  contentOf,
  installChoices,
  isPassing,
  offerRequest,
  offerStatus,
  rememberRequest,
  submitFor,
  treasuryError,
} from '../../runtime/economy.ts'
import type { CoinOperation, EconomyRun, TreasuryRejected } from '../../runtime/economy.ts'
import type { Sweep } from './amount.ts'

const OFFER_MICROS = 600_000_000n

/** This pair cannot be swept now; the others can. Its message says why. */
export class SweepRefused extends Error {
  override readonly name = 'SweepRefused'
}

interface Way {
  isUsed(name: string): Promise<boolean>
  /**
   * Moves `amount` coin (x 10^10). Does nothing where the name is used by now or it is not the
   * moment. Rejects with SweepRefused or SubmissionRejected where this sweep is refused.
   */
  send(name: string, amount: bigint): Promise<void>
}

/**
 * Out of the wallet of the installation `installId`. Rejects with SweepRefused where the receiver
 * cannot be reached that way.
 */
export type Delivery = (sweep: Sweep, installId: string, run: EconomyRun) => Promise<Way>

/** An offer for ten minutes. */
export const byOffer: Delivery = async ({ sender, receiver }, installId, { economy }) => {
  const description = descriptionOf(receiver)
  return {
    isUsed: async (name) => (await offerStatus(economy.store, sender, name)) !== undefined,
    send: async (trackingId, coin) => {
      const amount = { amount: coin, unit: 'CoinUnit' } as const
      const expiresAt = economy.clock.nowMicros() + OFFER_MICROS
      const terms = { receiver, amount, description, expiresAt, trackingId }
      const asked = offerRequest(sender, terms)
      await submitFor(economy, sender, {
        commandId: asked.commandId,
        project: rememberRequest(asked),
        run: (tx) =>
          tx.exercise(installChoices.WalletAppInstall_CreateTransferOffer, installId, terms),
      })
    },
  }
}

/** Delivers at once. */
export const byPreapproval: Delivery = async (
  { sender, receiver },
  _installId,
  { economy: { network }, treasury },
) => {
  const payable = await network.payableTo(receiver)
  if (payable === undefined)
    throw new SweepRefused(`the receiver ${receiver} has no transfer preapproval`)
  const { preapproval, right } = payable
  const payment = (amount: bigint): CoinOperation => ({
    tag: 'CO_TransferPreapprovalSend',
    value: {
      transferPreapprovalCid: preapproval.id,
      providerFeaturedAppRightCid: right?.id ?? null,
      amount,
      description: descriptionOf(receiver),
    },
  })
  return {
    isUsed: (dedupId) => treasury.wasDone(sender, payment(0n), dedupId),
    send: async (dedupId, coin) => {
      const dedup = {
        id: dedupId,
        content: contentOf(receiver, coin, descriptionOf(receiver)),
        isForGood: true,
      }
      const done = await treasury.enqueue(sender, payment(coin), { dedup })
      if (!done.ok && !passes(done)) throw new SweepRefused(treasuryError(done).message)
    },
  }
}

function descriptionOf(receiver: string): string {
  return `Sweeping wallet funds to receiver ${receiver}.`
}

/** Also where the sender has spent what was to be swept: the next look says what is left. */
function passes(failure: TreasuryRejected): boolean {
  if (failure.kind === 'refused') return isPassing(failure.rejection)
  return failure.kind !== 'invalid-transfer' || failure.reason.tag === 'ITR_InsufficientFunds'
}
