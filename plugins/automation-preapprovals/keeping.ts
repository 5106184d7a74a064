// What the operator does about one receiver's proposals, and about one preapproval that ends.
// docs/economy-rules.md, "Preapprovals"
import {
  acceptProposal,
  hostingOf,
  isPassing,
  LAST_SEQUENCE,
  providedPreapproval,
  submitFor,
  SubmissionRejected,
  transferPreapproval,
  transferPreapprovalProposalReject,
  treasuryError,
} from '../../runtime/economy.ts'
import type {
  Contract,
  EconomyRun,
  TransferPreapproval,
  TransferPreapprovalProposal,
  TreasuryRejected,
  Tries,
} from '../../runtime/economy.ts'

const SECOND_MICROS = 1_000_000n
/** Preapprovals that are renewed at one look: those that end first. */
const MAX_RENEWED = 1_000
/** Contracts of which a person was told; then all over again. */
const MAX_UNPAID = 10_000

export interface Keeping extends EconomyRun {
  readonly tries: Tries
  /** Contracts whose payment failed: a person is told once. */
  readonly unpaid: Set<string>
  /** The operator, while something is unpaid: its coins wake this. */
  readonly payer: Set<string>
  /** The operator's coin x 10^10. */
  readonly means: bigint
}

type Proposals = readonly Contract<TransferPreapprovalProposal>[]

/**
 * Proposals of one receiver, oldest first: the first is accepted, and a receiver that has a
 * preapproval needs none of the others.
 */
export async function settle(keeping: Keeping, proposals: Proposals): Promise<void> {
  const {
    economy,
    economy: {
      parties: { operator },
    },
  } = keeping
  const ours = proposals.filter(
    ({ payload, synchronizerId }) => payload.provider === operator && synchronizerId !== '',
  )
  const [first, ...others] = ours
  if (first === undefined) return
  const { receiver } = first.payload
  if (!(await hostingOf(economy, [receiver])).has(receiver)) return
  if ((await providedPreapproval(economy, receiver)) !== undefined)
    return reject(keeping, receiver, ours)
  if (await accept(keeping, first)) await reject(keeping, receiver, others)
}

/** Answers whether the receiver has one now. */
async function accept(
  keeping: Keeping,
  { id, payload: { receiver: party } }: Contract<TransferPreapprovalProposal>,
): Promise<boolean> {
  const { economy, treasury, tries, means } = keeping
  let isAccepted = false
  await tries.attempt(
    { id, party, what: 'a preapproval cannot be given', means },
    keeping,
    async () => {
      const accepted = await acceptProposal(economy, treasury, id)
      isAccepted = typeof accepted === 'string'
      return isPaid(keeping, id, typeof accepted === 'string' ? undefined : accepted)
    },
  )
  return isAccepted
}

/** All at once: a party may have left any number of them. */
async function reject(
  { economy, again }: EconomyRun,
  receiver: string,
  proposals: Proposals,
): Promise<void> {
  if (proposals.length === 0) return
  const done = await submitFor(economy, receiver, {
    run: (tx) => {
      for (const { id } of proposals) tx.exercise(transferPreapprovalProposalReject, id, {})
    },
  })
  if (done === undefined) again.soon()
}

/** The operator's preapprovals that end soon; asks for a run when the next one does. */
export async function endingWithin(
  { economy, again }: EconomyRun,
  micros: bigint,
): Promise<readonly Contract<TransferPreapproval>[]> {
  const { reader, clock } = economy
  const provider = { provider: economy.parties.operator }
  const now = clock.nowMicros()
  const after = (rank: bigint) =>
    ({ order: 'rank', after: { rank, sequence: LAST_SEQUENCE } }) as const
  const [ending, [next]] = await Promise.all([
    reader.active(transferPreapproval, provider, {
      ...after(now),
      maxRank: now + micros,
      limit: MAX_RENEWED,
    }),
    reader.active(transferPreapproval, provider, { ...after(now + micros), limit: 1 }),
  ])
  if (next !== undefined) again.at(next.record.rank - micros)
  return ending
}

/** Renews from the old end on, not from now. */
export async function renew(
  keeping: Keeping,
  { id, payload }: Contract<TransferPreapproval>,
): Promise<void> {
  const {
    treasury,
    tries,
    means,
    economy: {
      parties,
      settings: {
        validator: { transferPreapproval: terms },
      },
    },
  } = keeping
  const newExpiresAt = payload.expiresAt + BigInt(terms.preapprovalLifetimeSeconds) * SECOND_MICROS
  const value = { previousApprovalCid: id, newExpiresAt }
  await tries.attempt(
    { id, party: payload.receiver, what: 'a preapproval cannot be renewed', means },
    keeping,
    async () => {
      const done = await treasury.enqueue(parties.operator, {
        tag: 'CO_RenewTransferPreapproval',
        value,
      })
      return isPaid(keeping, id, done.ok ? undefined : done)
    },
  )
}

/**
 * Not where funds are missing, of which a person is told once. Throws where the ledger's rules
 * refuse.
 */
function isPaid(
  { economy, log, unpaid, payer, again }: Keeping,
  contractId: string,
  failure: TreasuryRejected | undefined,
): boolean {
  if (failure === undefined) unpaid.delete(contractId)
  if (failure === undefined) return true
  const { message } = treasuryError(failure)
  if (failure.kind === 'refused' && !isPassing(failure.rejection))
    throw new SubmissionRejected(`a preapproval was refused: ${message}`)
  if (failure.kind !== 'invalid-transfer') again.soon()
  if (failure.kind !== 'invalid-transfer') return true
  payer.add(economy.parties.operator)
  if (unpaid.has(contractId)) return false
  if (unpaid.size >= MAX_UNPAID) unpaid.clear()
  unpaid.add(contractId)
  log.warn({ contractId, reason: message }, 'the operator cannot pay for a preapproval yet')
  return false
}
