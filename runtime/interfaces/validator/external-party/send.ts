// Orders of external parties to pay somebody with a preapproval: prepared, signed, and then carried
// out by the operator's task. docs/external-parties.md; docs/economy-rules.md, "External parties"
import { ExternalPartyCoinRules } from '../../../../generated/contracts.gen.ts'
import type {
  ExternalPartySubmission,
  PrepareTransferPreapprovalSendRequest,
  PrepareTransferPreapprovalSendResponse,
  SubmitTransferPreapprovalSendResponse,
} from '../../../../generated/validator/types.gen.ts'
import { externalPartyCoinRulesCreateTransferCommand } from '../../../contracts/index.ts'
import type { Economy } from '../../../economy/economy.ts'
import { partyProblem } from '../../../errors/grammar.ts'
import { timeOf } from '../../../participant/time.ts'
import { badRequest, PlainError } from '../../../economy/errors.ts'
import { futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import {
  executeFor,
  externalPartyProblem,
  prepareFor,
  preparedBody,
  rootResult,
} from './submission.ts'
import type { ExternalParties } from './submission.ts'

const { ExternalPartyCoinRules_CreateTransferCommand: CREATE } = ExternalPartyCoinRules.choices

interface Order {
  readonly sender: string
  readonly receiver: string
  readonly delegate: string
  readonly amount: bigint
  readonly expiresAt: bigint
  readonly nonce: bigint
  readonly description: string | null
  readonly expectedDso: string
}

/**
 * The order for the sender to sign. 404 for an unknown sender; 400 for a receiver without
 * preapproval and for values that are none.
 */
export async function prepareSend(
  services: ExternalParties,
  request: PrepareTransferPreapprovalSendRequest,
): Promise<PrepareTransferPreapprovalSendResponse | PlainError> {
  const { economy } = services
  const order = readOrder(economy, request)
  if (order instanceof PlainError) return order
  const problem =
    (await externalPartyProblem(economy, order.sender)) ??
    (await receiverProblem(economy, order.receiver))
  if (problem !== undefined) return problem
  const rules = await economy.network.externalPartyCoinRules()
  const prepared = await prepareFor(services, {
    party: order.sender,
    run: (tx) => void tx.exercise(externalPartyCoinRulesCreateTransferCommand, rules.id, order),
  })
  if (prepared instanceof PlainError) return prepared
  // The id is known in full: it follows from the transaction that is signed.
  const { transferCommandCid } = CREATE.result.decode(rootResult(prepared.transaction.events))
  return {
    ...preparedBody(prepared, request.verbose_hashing === true),
    transfer_command_contract_id_prefix: transferCommandCid,
  }
}

/**
 * Executes the order that the sender signed: its command is there then, and nothing is paid yet.
 * Errors: `executeFor`.
 */
export async function submitSend(
  services: ExternalParties,
  submission: ExternalPartySubmission,
): Promise<SubmitTransferPreapprovalSendResponse | PlainError> {
  const executed = await executeFor(services, submission, {
    template: ExternalPartyCoinRules.reference,
    choice: CREATE.name,
  })
  return executed instanceof PlainError ? executed : { update_id: executed.committed.updateId }
}

function readOrder(
  economy: Pick<Economy, 'clock' | 'parties'>,
  request: PrepareTransferPreapprovalSendRequest,
): Order | PlainError {
  const { sender_party_id: sender, receiver_party_id: receiver, description = null } = request
  const nonce = BigInt(request.nonce)
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  const at = timeOf(request.expires_at)
  if (at === undefined) return badRequest('expires_at is not a time')
  const expiresAt = futureTime(at, economy.clock.nowMicros())
  if (expiresAt instanceof PlainError) return expiresAt
  if (nonce < 0n) return badRequest('nonce must not be negative')
  const problem = textProblem(description ?? '')
  if (problem !== undefined) return problem
  const { operator: delegate, dso: expectedDso } = economy.parties
  return { sender, receiver, delegate, amount, expiresAt, nonce, description, expectedDso }
}

async function receiverProblem(
  { network }: Pick<Economy, 'network'>,
  receiver: string,
): Promise<PlainError | undefined> {
  const preapproval =
    partyProblem(receiver) === undefined ? await network.preapprovalOf(receiver) : undefined
  return preapproval === undefined
    ? badRequest(`The party ${receiver} has no transfer preapproval`)
    : undefined
}
