// What the operator does about preapprovals: accepts what hosted parties ask for, at its own
// expense, and looks up those that it provides. docs/economy-rules.md, "Preapprovals"
import type {
  TransferPreapproval,
  TransferPreapprovalProposal,
} from '../../../generated/contracts.gen.ts'
import { transferPreapproval, transferPreapprovalProposal } from '../../contracts/index.ts'
import type { Contract } from '../../engine/index.ts'
import type { Economy } from '../economy.ts'
import { micros } from '../network/initial-config.ts'
import type { Treasury, TreasuryRejected } from '../treasury/index.ts'

/**
 * The preapproval that the operator provides for a receiver and that lasts longest; undefined where
 * none is left.
 */
export async function providedPreapproval(
  economy: Pick<Economy, 'clock' | 'parties' | 'reader'>,
  receiver: string,
): Promise<Contract<TransferPreapproval> | undefined> {
  return (await providedPreapprovals(economy, receiver))[0]
}

/** All that last, the longest first. */
export async function providedPreapprovals(
  { reader, clock, parties: { operator } }: Pick<Economy, 'clock' | 'parties' | 'reader'>,
  receiver: string,
): Promise<readonly Contract<TransferPreapproval>[]> {
  const now = clock.nowMicros()
  const found = await reader.active(transferPreapproval, { receiver }, { order: 'rank-desc' })
  return found.filter(({ payload }) => payload.provider === operator && payload.expiresAt > now)
}

/** The proposal that waits for the operator. */
export async function waitingProposal(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  receiver: string,
): Promise<Contract<TransferPreapprovalProposal> | undefined> {
  const found = await reader.active(transferPreapprovalProposal, { receiver })
  return found.find(({ payload }) => payload.provider === operator)
}

/** Accepts out of the operator's wallet; answers the preapproval, or why there is none. */
export async function acceptProposal(
  economy: Pick<Economy, 'clock' | 'parties' | 'settings'>,
  treasury: Treasury,
  proposalCid: string,
): Promise<string | TreasuryRejected> {
  const {
    parties,
    clock,
    settings: {
      validator: { transferPreapproval: terms },
    },
  } = economy
  const now = clock.nowMicros()
  const expiresAt = now + micros(terms.preapprovalLifetimeSeconds)
  const done = await treasury.enqueue(parties.operator, {
    tag: 'CO_AcceptTransferPreapprovalProposal',
    value: { preapprovalProposalCid: proposalCid, expiresAt, now },
  })
  if (!done.ok) return done
  if (done.outcome.tag !== 'COO_AcceptTransferPreapprovalProposal')
    throw new Error(`an acceptance came out as ${done.outcome.tag}`)
  return done.outcome.value.transferPreapprovalCid
}
