// Looks up what a choice of the token standard needs, as of now: factory and context of a transfer,
// contexts of choices on instructions that wait. docs/economy-rules.md, "Token-standard transfers"
// and "Choice contexts"
import { isContractId } from '../../../generated/contract-codec.gen.ts'
import type {
  CoinAllocation,
  CoinTransferInstruction,
  ExternalPartyCoinRules,
} from '../../../generated/contracts.gen.ts'
import {
  coinAllocation,
  coinTransferInstruction,
  lockedCoin,
  testTokenAllocationInstruction,
  testTokenHolding,
} from '../../contracts/index.ts'
import type { Contract, Template } from '../../engine/index.ts'
import type { Economy } from '../economy.ts'
import { badRequest, conflict, notFound, PlainError } from '../errors.ts'
import { choiceContext, inFlight } from './choice-context.ts'
import type { ContextParts, TokenContext } from './choice-context.ts'

export type TransferKind = 'self' | 'direct' | 'offer'
export type InstructionChoice = 'accept' | 'reject' | 'withdraw'
export type AllocationChoice = 'execute-transfer' | 'withdraw' | 'cancel'

/** Contracts and context for a submission to the coin's factory. */
export interface FactoryContext {
  readonly factory: Contract<ExternalPartyCoinRules>
  readonly context: TokenContext
}

/** The kind of a transfer of coin, and what whoever submits it needs. */
export interface TransferFactoryContext extends FactoryContext {
  readonly kind: TransferKind
}

export interface InstructionContext<T> {
  readonly instruction: Contract<T>
  readonly context: TokenContext
}

/** Factory and context for transfers of coin between these two; 404 while no round is open. */
export async function transferContext(
  economy: Pick<Economy, 'network'>,
  { sender, receiver }: { readonly sender: string; readonly receiver: string },
): Promise<TransferFactoryContext | PlainError> {
  const { network } = economy
  const [factory, payment] = await Promise.all([
    network.externalPartyCoinRules(),
    paymentParts(economy),
  ])
  if (payment.openRound === undefined) return notFound('None of the rounds are open')
  const { preapproval, right } =
    sender === receiver ? {} : ((await network.payableTo(receiver)) ?? {})
  const context = assigned(
    choiceContext({
      ...payment,
      ...(preapproval === undefined ? {} : { transferPreapproval: preapproval }),
      ...(right === undefined ? {} : { featuredAppRight: right }),
      others: [factory],
    }),
  )
  if (context instanceof PlainError) return context
  return {
    kind: sender === receiver ? 'self' : preapproval === undefined ? 'offer' : 'direct',
    factory,
    context,
  }
}

/** Factory and context for allocations of coin; 404 while no round is open. */
export async function allocationFactoryContext(
  economy: Pick<Economy, 'network'>,
): Promise<FactoryContext | PlainError> {
  const [factory, payment] = await Promise.all([
    economy.network.externalPartyCoinRules(),
    paymentParts(economy),
  ])
  if (payment.openRound === undefined) return notFound('None of the rounds are open')
  const context = assigned(choiceContext({ ...payment, others: [factory] }))
  return context instanceof PlainError ? context : { factory, context }
}

/**
 * Context for a choice on an allocation of coin. 400: no contract id; 404: no such allocation, or
 * for its execution no locked coin or no open round; 409: something is between synchronizers.
 */
export async function allocationContext(
  economy: Pick<Economy, 'network' | 'reader'>,
  contractId: string,
  choice: AllocationChoice,
): Promise<InstructionContext<CoinAllocation> | PlainError> {
  const allocation = await liveInstruction(economy, coinAllocation, contractId, 'allocation')
  if (allocation instanceof PlainError) return allocation
  const { payload } = allocation
  const isExecuted = choice === 'execute-transfer'
  const locked = await economy.reader.get(lockedCoin, payload.lockedCoin)
  if (locked === undefined) {
    return isExecuted
      ? notFound(`What allocation ${allocation.id} has locked is gone`)
      : withContext(allocation, { expireLock: false })
  }
  const payment = await paymentParts(economy)
  if (!isExecuted)
    return withContext(allocation, { ...payment, expireLock: true, others: [locked] })
  if (payment.openRound === undefined) return notFound('None of the rounds are open')
  const right = await economy.network.featuredAppRightOf(payload.allocation.settlement.executor)
  return withContext(allocation, {
    ...payment,
    ...(right === undefined ? {} : { featuredAppRight: right }),
    expireLock: true,
    others: [locked],
  })
}

/**
 * Context for a choice on a transfer instruction. 400: no contract id; 404: no such instruction, or
 * for acceptance no locked coin or no open round; 409: something is between synchronizers.
 */
export async function transferInstructionContext(
  economy: Pick<Economy, 'network' | 'reader'>,
  contractId: string,
  choice: InstructionChoice,
): Promise<InstructionContext<CoinTransferInstruction> | PlainError> {
  const instruction = await liveInstruction(economy, coinTransferInstruction, contractId)
  if (instruction instanceof PlainError) return instruction
  const locked = await economy.reader.get(lockedCoin, instruction.payload.lockedCoin)
  if (locked === undefined) return withoutLock(instruction, choice)
  const payment = await paymentParts(economy)
  if (payment.openRound === undefined && choice === 'accept')
    return notFound('None of the rounds are open')
  return withContext(instruction, { ...payment, expireLock: true, others: [locked] })
}

/** The same for an allocation instruction of the test token; the coin never leaves one waiting. */
export async function allocationInstructionContext(
  economy: Pick<Economy, 'reader'>,
  contractId: string,
  choice: InstructionChoice,
): Promise<InstructionContext<unknown> | PlainError> {
  const instruction = await liveInstruction(economy, testTokenAllocationInstruction, contractId)
  if (instruction instanceof PlainError) return instruction
  const holdings = await Promise.all(
    instruction.payload.inputHoldingCids.map((cid) => economy.reader.get(testTokenHolding, cid)),
  )
  const live = holdings.filter((holding) => holding !== undefined)
  if (live.length < holdings.length) return withoutLock(instruction, choice)
  return withContext(instruction, { expireLock: true, others: live })
}

/** Rules and round; without a round while none is open. */
async function paymentParts({
  network,
}: Pick<Economy, 'network'>): Promise<Pick<ContextParts, 'coinRules' | 'openRound'>> {
  const [coinRules, openRound] = await Promise.all([network.coinRules(), network.usableRound()])
  return { coinRules, ...(openRound === undefined ? {} : { openRound }) }
}

async function liveInstruction<T>(
  { reader }: Pick<Economy, 'reader'>,
  template: Template<T>,
  contractId: string,
  what = 'instruction',
): Promise<Contract<T> | PlainError> {
  if (!isContractId(contractId)) return badRequest(`The id of the ${what} is not a contract id`)
  const instruction = await reader.get(template, contractId)
  if (instruction === undefined) return notFound(`No ${what} with contract id ${contractId}`)
  return instruction.synchronizerId === '' ? betweenSynchronizers(instruction) : instruction
}

/** The context for a lock that was taken back: nothing is left to accept or to unlock. */
function withoutLock<T>(
  instruction: Contract<T>,
  choice: InstructionChoice,
): InstructionContext<T> | PlainError {
  if (choice === 'accept') return notFound(`What instruction ${instruction.id} has locked is gone`)
  return { instruction, context: choiceContext({ expireLock: false }) }
}

function withContext<T>(
  instruction: Contract<T>,
  parts: ContextParts,
): InstructionContext<T> | PlainError {
  const context = assigned(choiceContext(parts))
  return context instanceof PlainError ? context : { instruction, context }
}

function assigned(context: TokenContext): TokenContext | PlainError {
  const moving = inFlight(context)
  return moving === undefined ? context : betweenSynchronizers(moving)
}

function betweenSynchronizers({ id }: Contract<unknown>): PlainError {
  return conflict(`Contract ${id} is between synchronizers`)
}
