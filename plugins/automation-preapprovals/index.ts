// Keeps preapprovals going: the operator accepts what parties of this node proposed, and renews its preapprovals before they end. What it
// cannot pay now is tried again at the next look; one that has lapsed stays so. domain/behaviour.md §6; interface.md §1 items 7, 8
import { z } from 'zod'
import {
  acceptProposal, defineAutomation, forEachOf, isPassing, isServedHere, providedPreapproval, submitFor, transferPreapproval,
  transferPreapprovalProposal, transferPreapprovalProposalReject, treasuryError,
} from '../../runtime/economy.ts'
import type {
  Contract, Economy, EconomyRun, TransferPreapproval, TransferPreapprovalProposal, TreasuryFailed,
} from '../../runtime/economy.ts'

const SECOND_MICROS = 1_000_000n

interface Keeping extends EconomyRun {
  /** Contracts whose payment failed: a person is told once. */
  readonly unpaid: Set<string>
}

/** Both out of the operator's wallet, in its turn. How long they last stands in `validator.transferPreapproval`. */
export default defineAutomation({
  name: 'preapprovals',
  options: z.strictObject({
    /** How often it looks for proposals, and for preapprovals that end. */
    everyMs: z.int().min(10).optional(),
    /** How many wait for the operator's wallet at the same time. */
    parallel: z.int().min(1).max(1_000).default(16),
    /** How long before its end a preapproval is renewed. */
    renewalSeconds: z.int().min(1).max(3_153_600_000).default(2_592_000),
  }),
  setup: (_host, { everyMs, parallel, renewalSeconds }) => {
    const unpaid = new Set<string>()
    return {
      trigger: { everyMs },
      run: async (run) => {
        const { economy, signal } = run
        const keeping = { ...run, unpaid }
        const jobs = [
          async () => forEachOf(await proposals(economy), parallel, signal, (waiting) => settle(keeping, waiting)),
          async () => forEachOf(await endingWithin(economy, BigInt(renewalSeconds) * SECOND_MICROS), parallel, signal,
            (preapproval) => renew(keeping, preapproval)),
        ]
        // A proposal that is refused must not keep others' preapprovals from being renewed.
        await forEachOf(jobs, 1, signal, (job) => job())
      },
    }
  },
})

type Proposals = readonly Contract<TransferPreapprovalProposal>[]

/** Of each receiver, oldest first: an answer to one decides about the next. */
async function proposals({ reader, parties: { operator } }: Economy): Promise<readonly Proposals[]> {
  const waiting = await reader.all(transferPreapprovalProposal, [2, operator])
  return [...Map.groupBy(waiting, ({ payload }) => payload.receiver).values()]
}

async function settle(keeping: Keeping, [first, ...others]: Proposals): Promise<void> {
  if (first === undefined || keeping.signal.aborted || !await isServedHere(keeping.economy, first.payload.receiver)) return
  await settleOne(keeping, first)
  await settle(keeping, others)
}

/** A receiver that has a preapproval needs no second one. */
async function settleOne(keeping: Keeping, { id, payload: { receiver } }: Contract<TransferPreapprovalProposal>): Promise<void> {
  const { economy, treasury } = keeping
  if (await providedPreapproval(economy, receiver) === undefined) {
    const accepted = await acceptProposal(economy, treasury, id)
    return settled(keeping, id, typeof accepted === 'string' ? undefined : accepted)
  }
  await submitFor(economy, receiver, { run: (tx) => tx.exercise(transferPreapprovalProposalReject, id, {}) })
}

async function endingWithin(
  { reader, clock, parties: { operator } }: Economy, micros: bigint,
): Promise<readonly Contract<TransferPreapproval>[]> {
  const now = clock.nowMicros()
  const due = await reader.active(transferPreapproval, { key: [2, operator], order: 'rank', maxRank: now + micros })
  return due.filter(({ payload }) => payload.expiresAt > now)
}

/** From the old end on, not from now. */
async function renew(keeping: Keeping, { id, payload }: Contract<TransferPreapproval>): Promise<void> {
  const { treasury, economy: { parties, settings: { validator: { transferPreapproval: terms } } } } = keeping
  const newExpiresAt = payload.expiresAt + BigInt(terms.preapprovalLifetimeSeconds) * SECOND_MICROS
  const value = { previousApprovalCid: id, newExpiresAt }
  const done = await treasury.enqueue(parties.operator, { tag: 'CO_RenewTransferPreapproval', value })
  settled(keeping, id, done.ok ? undefined : done)
}

/** Throws where the ledger's rules refuse, which is a fault of ours. */
function settled({ log, unpaid }: Keeping, contractId: string, failure: TreasuryFailed | undefined): void {
  if (failure === undefined) return void unpaid.delete(contractId)
  const { message } = treasuryError(failure)
  if (failure.kind === 'refused' && !isPassing(failure.refusal)) throw new Error(`a preapproval was refused: ${message}`)
  if (failure.kind !== 'invalid-transfer' || unpaid.has(contractId)) return
  unpaid.add(contractId)
  log.warn({ contractId, reason: message }, 'the operator cannot pay for a preapproval yet')
}
