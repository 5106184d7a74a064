// Transfers of the token standard out of and into a wallet: direct to oneself or a preapproved receiver, else in two steps.
// domain/wire.md §2.1; domain/behaviour.md §5
import type { CoinTransferInstruction, ExtraArgs, TransferInstructionResult } from '../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../generated/validator/handlers.gen.ts'
import type {
  CreateTransferOfferRequest, TransferInstructionOutput as WireOutput, TransferInstructionResult as WireResult,
} from '../../../generated/validator/types.gen.ts'
import {
  coinTransferInstruction, DAY_MICROS, insufficientFunds, instrumentId, reasonMetadata, walletAppInstallTransferFactoryTransfer,
  walletAppInstallTransferInstructionAccept, walletAppInstallTransferInstructionReject, walletAppInstallTransferInstructionWithdraw,
} from '../../contracts/index.ts'
import type { Committed, Refused, Tx } from '../../ledger/index.ts'
import type { Economy } from '../economy.ts'
import { extraArgsOf, transferContext, transferInstructionContext } from '../registry/index.ts'
import type { InstructionChoice } from '../registry/index.ts'
import type { Context } from '../reply.ts'
import { contractToWire } from '../contract-wire.ts'
import { badRequest, conflict, PlainError, refusalError, treasuryError } from './errors.ts'
import { actedOn, contractsOf } from './owned-contracts.ts'
import { contractIdOf, futureTime, payableAmount, textFault } from './parse.ts'
import { earlierTokenTransfer, tokenTransferCommandId } from './token-transfer-outcomes.ts'
import type { Treasury, TreasuryFailed } from './treasury/index.ts'
import { submitFor, walletScope } from './wallets.ts'
import type { Wallet } from './wallets.ts'

type TokenTransferHandlers = Pick<
  Handlers<Context>,
  | 'createTokenStandardTransfer' | 'listTokenStandardTransfers' | 'acceptTokenStandardTransfer' | 'rejectTokenStandardTransfer'
  | 'withdrawTokenStandardTransfer'
>

/** Handlers of all operations on transfers of the token standard. */
export function tokenTransferHandlers(economy: Economy, treasury: Treasury): TokenTransferHandlers {
  const inWallet = walletScope(economy)
  const transfers = new TokenTransfers(economy, treasury)
  const ending = (choice: InstructionChoice) => inWallet(
    (wallet, { path }: { readonly path: { readonly contract_id: string } }) =>
      transfers.end(wallet, contractIdOf(path.contract_id), choice),
    resultToWire)
  return {
    createTokenStandardTransfer: inWallet((wallet, { body }) => transfers.create(wallet, body), resultToWire),
    listTokenStandardTransfers: inWallet(({ party }) => contractsOf(economy.reader, coinTransferInstruction, party),
      (found) => ({ transfers: found.map(contractToWire) })),
    acceptTokenStandardTransfer: ending('accept'),
    rejectTokenStandardTransfer: ending('reject'),
    withdrawTokenStandardTransfer: ending('withdraw'),
  }
}

function resultToWire({ output, senderChangeCids, meta }: TransferInstructionResult): WireResult {
  return { output: outputToWire(output), sender_change_cids: [...senderChangeCids], meta: Object.fromEntries(meta.values) }
}

function outputToWire(output: TransferInstructionResult['output']): WireOutput {
  switch (output.tag) {
    case 'TransferInstructionResult_Pending': return { transfer_instruction_cid: output.value.transferInstructionCid }
    case 'TransferInstructionResult_Completed': return { receiver_holding_cids: [...output.value.receiverHoldingCids] }
    case 'TransferInstructionResult_Failed': return {}
  }
}

interface Terms {
  readonly receiver: string
  readonly amount: bigint
  readonly requestedAt: bigint
  readonly executeBefore: bigint
  readonly description: string
}

class TokenTransfers {
  readonly #economy: Economy
  readonly #treasury: Treasury

  constructor(economy: Economy, treasury: Treasury) {
    this.#economy = economy
    this.#treasury = treasury
  }

  /** In its turn among the wallet's payments; a tracking id that was accepted within a day answers as it did then. */
  async create(wallet: Wallet, request: CreateTransferOfferRequest): Promise<TransferInstructionResult | PlainError> {
    const commandId = tokenTransferCommandId(wallet.party, request.tracking_id)
    const earlier = await earlierTokenTransfer(this.#economy.store, commandId)
    if (earlier !== undefined && earlier.at + DAY_MICROS > this.#economy.clock.nowMicros()) return earlier.result
    const terms = await this.#terms(request)
    if (terms instanceof PlainError) return terms
    const plan = await this.#plan(wallet, terms, commandId)
    if (plan instanceof PlainError) return plan
    const done = await this.#treasury.runAlone(wallet.party, plan)
    if (done.ok) return done.result
    return await this.#earlier(commandId, done) ?? treasuryError(done)
  }

  /** Accepts, rejects or withdraws, through the context that the registry gives for it. */
  async end(wallet: Wallet, cid: string, choice: InstructionChoice): Promise<TransferInstructionResult | PlainError> {
    const { party, install } = wallet
    const role = choice === 'withdraw' ? 'sender' : 'receiver'
    const instruction = await actedOn<CoinTransferInstruction>(this.#economy, coinTransferInstruction, cid, {
      what: 'transfer', party, role, roleOf: ({ transfer }) => transfer[role],
      stakeholders: ({ transfer: { sender, receiver } }) => [sender, receiver],
    })
    if (instruction instanceof PlainError) return instruction
    const found = await transferInstructionContext(this.#economy, cid, choice)
    if (found instanceof PlainError) return found
    const done = await submitFor(this.#economy, party, {
      disclosed: found.context.disclosed.map(({ record }) => record),
      run: (tx) => exercise(tx, choice, install.id, { cid, extraArgs: extraArgsOf(found.context) }),
    })
    return done.ok ? done.result : refusalError(done, cid)
  }

  /** What is submitted once the wallet's holdings are at hand; the registry is asked anew each time, since contexts go stale. */
  async #plan({ party: sender, install }: Wallet, terms: Terms, commandId: string) {
    const { parties: { dso } } = this.#economy
    const { receiver, description, ...times } = terms
    const first = await transferContext(this.#economy, { sender, receiver })
    if (first instanceof PlainError) return first
    return async (inputHoldingCids: readonly string[]): Promise<Committed<TransferInstructionResult> | Refused> => {
      const fresh = await transferContext(this.#economy, { sender, receiver })
      const { factory, context } = fresh instanceof PlainError ? first : fresh
      const instrument = { admin: dso, id: instrumentId() }
      const transfer = { sender, receiver, instrumentId: instrument, inputHoldingCids, meta: reasonMetadata(description), ...times }
      const transferArg = { expectedAdmin: dso, transfer, extraArgs: extraArgsOf(context) }
      return submitFor(this.#economy, sender, {
        commandId,
        disclosed: context.disclosed.map(({ record }) => record),
        run: (tx) => {
          if (inputHoldingCids.length === 0) tx.abort(insufficientFunds(terms.amount))
          return tx.exercise(walletAppInstallTransferFactoryTransfer, install.id, { transferFactoryCid: factory.id, transferArg })
        },
      })
    }
  }

  async #earlier(commandId: string, failure: TreasuryFailed): Promise<TransferInstructionResult | PlainError | undefined> {
    if (failure.kind !== 'refused' || failure.refusal.kind !== 'duplicate') return undefined
    return (await earlierTokenTransfer(this.#economy.store, commandId))?.result ?? conflict('A transfer with this tracking id was made before')
  }

  async #terms(request: CreateTransferOfferRequest): Promise<Terms | PlainError> {
    const { receiver_party_id: receiver, description, expires_at, tracking_id } = request
    const amount = payableAmount(request.amount)
    if (amount instanceof PlainError) return amount
    const requestedAt = this.#economy.clock.nowMicros()
    const executeBefore = futureTime(expires_at, requestedAt)
    if (executeBefore instanceof PlainError) return executeBefore
    const fault = textFault(receiver, description, tracking_id) ?? await this.#farFault(executeBefore - requestedAt)
    if (fault !== undefined) return fault
    const [known] = await this.#economy.store.parties.get([receiver])
    if (known === undefined) return badRequest(`No party ${receiver} is known`)
    return { receiver, amount, requestedAt, executeBefore, description }
  }

  async #farFault(micros: bigint): Promise<PlainError | undefined> {
    const limit = (await this.#economy.network.usableRound())?.payload.transferConfigUsd.tokenStandardMaxTTL
    const isNear = limit === undefined || limit === null || micros <= limit
    return isNear ? undefined : badRequest(`expires_at is more than ${limit / 1_000_000n} seconds from now`)
  }
}

function exercise(
  tx: Tx, choice: InstructionChoice, installCid: string, argument: { readonly cid: string; readonly extraArgs: ExtraArgs },
): TransferInstructionResult {
  switch (choice) {
    case 'accept': return tx.exercise(walletAppInstallTransferInstructionAccept, installCid, argument)
    case 'reject': return tx.exercise(walletAppInstallTransferInstructionReject, installCid, argument)
    case 'withdraw': return tx.exercise(walletAppInstallTransferInstructionWithdraw, installCid, argument)
  }
}
