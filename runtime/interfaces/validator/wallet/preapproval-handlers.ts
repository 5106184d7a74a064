// Preapprovals of a wallet, payments by way of others' preapprovals, and the operator's view of
// those that it provides. docs/economy-rules.md, "Preapprovals"
import type { TransferPreapproval } from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type { TransferPreapprovalSendRequest } from '../../../../generated/validator/types.gen.ts'
import {
  installChoices,
  transferPreapproval,
  transferPreapprovalCancel,
} from '../../../contracts/index.ts'
import { pauseAfterLoss } from '../../../engine/index.ts'
import type { Contract } from '../../../engine/index.ts'
import { contractWithState } from '../../contract-wire.ts'
import type { Economy, Payable } from '../../../economy/economy.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import type { Context } from '../../reply.ts'
import { callerOf } from '../../reply.ts'
import { createOnce } from './create-once.ts'
import type { Found } from './create-once.ts'
import {
  answer,
  badRequest,
  noPreapproval,
  notFound,
  PlainError,
  rejectionError,
  treasuryError,
} from '../../../economy/errors.ts'
import { listed, underKeys } from '../lists.ts'
import { nextPage } from '../../pages.ts'
import { payableAmount, textProblem } from '../../../economy/parse.ts'
import {
  acceptProposal,
  providedPreapproval,
  providedPreapprovals,
  waitingProposal,
} from '../../../economy/wallets/preapprovals.ts'
import { contentOf, onceADay } from '../../../economy/wallets/request-ids.ts'
import type { Deduplication, Treasury, TreasuryResult } from '../../../economy/treasury/index.ts'
import { operationCommandId } from '../../../economy/treasury/operation-facts.ts'
import { failed } from '../../../economy/treasury/outcome.ts'
import { verdictFor, walletOf } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

/** How often a payment is tried again whose preapproval was renewed meanwhile. */
const MAX_ATTEMPTS = 3

/** Handlers of all operations on preapprovals. */
export function preapprovalHandlers(economy: Economy, treasury: Treasury) {
  return {
    createTransferPreapproval: async (_input, context) => {
      const wallet = await walletOf(economy, callerOf(context))
      const made = wallet instanceof PlainError ? wallet : await create(economy, treasury, wallet)
      if (made instanceof PlainError)
        return { status: made.status === 409 ? 429 : made.status, body: { error: made.message } }
      return {
        status: made.isNew ? 200 : 409,
        body: { transfer_preapproval_contract_id: made.value },
      }
    },
    transferPreapprovalSend: async ({ body }, context) => {
      // Together, so that they share the reads of what seldom changes.
      const [wallet, payable] = await Promise.all([
        walletOf(economy, callerOf(context)),
        payableTo(economy, body.receiver_party_id),
      ])
      return answer(
        wallet instanceof PlainError
          ? wallet
          : await send(economy, treasury, { wallet, payable }, body),
        () => undefined,
      )
    },
    listTransferPreapprovals: async ({ query }, { signal }) => {
      const { reader, parties } = economy
      const read = underKeys(reader, [transferPreapproval.by('provider')], parties.operator)
      return answer(
        await listed(economy, read, contractWithState, { ...query, signal }),
        ({ contracts, ...more }) => ({ contracts, ...nextPage(more) }),
      )
    },
    lookupTransferPreapprovalByParty: async ({ path }) =>
      answer(await lookup(economy, path['receiver-party']), (found) => ({
        transfer_preapproval: contractWithState(found),
      })),
    cancelTransferPreapprovalByParty: async ({ path }) =>
      answer(await cancel(economy, path['receiver-party']), () => undefined),
  } satisfies Partial<Handlers<Context>>
}

/**
 * Proposes where nothing is proposed, and has the operator accept at once, whose task would do so
 * later.
 */
async function create(
  economy: Economy,
  treasury: Treasury,
  { party, install }: Wallet,
): Promise<Found<string> | PlainError> {
  const existing = await economy.network.preapprovalOf(party)
  if (existing !== undefined) return { value: existing.id, isNew: false }
  const proposed = await createOnce<Step>(economy, {
    party,
    commandId: `wallet-preapproval-proposal/${party}`,
    find: () => currentStep(economy, party),
    create: (tx) => {
      const choice = installChoices.WalletAppInstall_TransferPreapprovalProposal_Create
      const { transferPreapprovalProposalCid: id } = tx.exercise(choice, install.id, {})
      return { id, isProposal: true }
    },
  })
  if (proposed instanceof PlainError) return proposed
  const { id, isProposal } = proposed.value
  if (!isProposal) return { value: id, isNew: false }
  const accepted = await acceptProposal(economy, treasury, id)
  if (typeof accepted === 'string') return { value: accepted, isNew: true }
  // Another request, or the task, was faster.
  const made = await providedPreapproval(economy, party)
  if (made !== undefined) return { value: made.id, isNew: true }
  const why = treasuryError(accepted).message
  return new PlainError(429, `The operator has not accepted yet; its wallet may lack funds: ${why}`)
}

interface Step {
  readonly id: string
  /** Else it is the preapproval. */
  readonly isProposal: boolean
}

/** The step at hand, looked at in this order: what is accepted in between, the second look sees. */
async function currentStep(
  economy: Pick<Economy, 'clock' | 'parties' | 'reader'>,
  party: string,
): Promise<Step | undefined> {
  const proposal = await waitingProposal(economy, party)
  if (proposal !== undefined) return { id: proposal.id, isProposal: true }
  const preapproval = await providedPreapproval(economy, party)
  return preapproval === undefined ? undefined : { id: preapproval.id, isProposal: false }
}

type FoundPayable = Payable | undefined

/** How the receiver can be paid; undefined where it is no party, or has no preapproval. */
async function payableTo(
  { network }: Pick<Economy, 'network'>,
  receiver: string,
): Promise<FoundPayable> {
  return partyProblem(receiver) === undefined ? network.payableTo(receiver) : undefined
}

async function send(
  economy: Pick<Economy, 'engine' | 'network' | 'store'>,
  treasury: Treasury,
  { wallet: { party }, payable }: { readonly wallet: Wallet; readonly payable: FoundPayable },
  request: TransferPreapprovalSendRequest,
): Promise<PlainError | undefined> {
  const { receiver_party_id: receiver, deduplication_id: dedupId, description = null } = request
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  const problem = textProblem(dedupId, description ?? '')
  if (problem !== undefined) return problem
  const content = contentOf(receiver, amount, description)
  const commandId = operationCommandId(party, { tag: 'CO_TransferPreapprovalSend' }, dedupId)
  return onceADay(economy, {
    asked: { commandId, content },
    mustWait: treasury.mustWait(party),
    make: () =>
      pay(
        economy,
        treasury,
        { party, receiver, amount, description, dedup: { id: dedupId, content } },
        payable,
      ),
    answer: () => undefined,
  })
}

interface Payment {
  readonly party: string
  readonly receiver: string
  readonly amount: bigint
  readonly description: string | null
  readonly dedup: Deduplication
}

/** Answers why it could not be paid. */
async function pay(
  economy: Pick<Economy, 'network'>,
  treasury: Treasury,
  payment: Payment,
  found: FoundPayable,
): Promise<PlainError | undefined> {
  for (let attempt = 1; ; attempt++) {
    const payable = attempt === 1 ? found : await payableTo(economy, payment.receiver)
    const done = await payOnce(treasury, payment, payable)
    if (done instanceof PlainError) return done
    if (done.ok) return undefined
    if (done.kind !== 'target-gone' || attempt === MAX_ATTEMPTS) return treasuryError(done)
    await pauseAfterLoss(attempt)
  }
}

async function payOnce(
  treasury: Treasury,
  payment: Payment,
  payable: FoundPayable,
): Promise<TreasuryResult | PlainError> {
  const { party, receiver, amount, description, dedup } = payment
  if (treasury.isFull(party)) return failed({ kind: 'queue-full' })
  if (payable === undefined) return badRequest(`The party ${receiver} has no transfer preapproval`)
  const { preapproval, right } = payable
  const value = {
    transferPreapprovalCid: preapproval.id,
    providerFeaturedAppRightCid: right?.id ?? null,
    amount,
    description,
  }
  return treasury.enqueue(party, { tag: 'CO_TransferPreapprovalSend', value }, { dedup })
}

async function lookup(
  economy: Pick<Economy, 'clock' | 'parties' | 'reader'>,
  receiver: string,
): Promise<Contract<TransferPreapproval> | PlainError> {
  const found =
    partyProblem(receiver) === undefined ? await providedPreapproval(economy, receiver) : undefined
  return found ?? notFound(noPreapproval(receiver))
}

async function cancel(economy: Economy, receiver: string): Promise<PlainError | undefined> {
  const found = await lookup(economy, receiver)
  if (found instanceof PlainError) return found
  const { operator } = economy.parties
  const all = await providedPreapprovals(economy, receiver)
  const done = await verdictFor(economy, operator, {
    run: (tx) =>
      all.forEach(({ id }) => tx.exercise(transferPreapprovalCancel, id, { p: operator })),
  })
  return done.ok ? undefined : rejectionError(done, found.id)
}
