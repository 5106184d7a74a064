// Transfers of the token standard out of and into a wallet: direct to oneself or a preapproved
// receiver, else in two steps. domain/wire.md §2.1; domain/behaviour.md §5
import { TransferInstructionResult } from '../../../../generated/contracts.gen.ts'
import type { CoinTransferInstruction, ExtraArgs } from '../../../../generated/contracts.gen.ts'
import type { Handlers } from '../../../../generated/validator/handlers.gen.ts'
import type {
  CreateTransferOfferRequest,
  TransferInstructionOutput as WireOutput,
  TransferInstructionResult as WireResult,
} from '../../../../generated/validator/types.gen.ts'
import {
  coinTransferInstruction,
  installChoices,
  insufficientFunds,
  instrumentId,
  reasonMetadata,
} from '../../../contracts/index.ts'
import type { Committed, Rejected, Tx } from '../../../engine/index.ts'
import { isKnown } from '../../../economy/hosting.ts'
import type { Economy } from '../../../economy/economy.ts'
import { extraArgsOf, transferContext, transferInstructionContext } from '../../registry/index.ts'
import type { InstructionChoice } from '../../registry/index.ts'
import type { Context } from '../../reply.ts'
import { badRequest, PlainError, rejectionError, treasuryError } from '../../../economy/errors.ts'
import { actedOn, listOf } from './owned-contracts.ts'
import { nextPage } from '../lists.ts'
import { contractIdOf, futureTime, payableAmount, textProblem } from '../../../economy/parse.ts'
import { contentOf, onceADay, rememberForADay } from '../../../economy/wallets/request-ids.ts'
import type { RequestId } from '../../../economy/wallets/request-ids.ts'
import { trackedCommandId } from '../../../economy/wallets/tracking.ts'
import type { Treasury } from '../../../economy/treasury/index.ts'
import { farProblem } from './token-limits.ts'
import { walletScope } from './wallet-scope.ts'
import { verdictFor } from '../../../economy/wallets/wallets.ts'
import type { Wallet } from '../../../economy/wallets/wallets.ts'

type TokenTransferHandlers = Pick<
  Handlers<Context>,
  | 'createTokenStandardTransfer'
  | 'listTokenStandardTransfers'
  | 'acceptTokenStandardTransfer'
  | 'rejectTokenStandardTransfer'
  | 'withdrawTokenStandardTransfer'
>

/** Handlers of all operations on transfers of the token standard. */
export function tokenTransferHandlers(economy: Economy, treasury: Treasury): TokenTransferHandlers {
  const inWallet = walletScope(economy)
  const transfers = new TokenTransfers(economy, treasury)
  const ending = (choice: InstructionChoice) =>
    inWallet(
      (wallet, { path }: { readonly path: { readonly contract_id: string } }) =>
        transfers.end(wallet, contractIdOf(path.contract_id), choice),
      resultToWire,
    )
  return {
    createTokenStandardTransfer: inWallet(
      (wallet, { body }) => transfers.create(wallet, body),
      resultToWire,
    ),
    listTokenStandardTransfers: inWallet(
      ({ party }, { query }, { signal }) =>
        listOf(
          economy,
          [coinTransferInstruction.by('sender'), coinTransferInstruction.by('receiver')],
          party,
          { ...query, signal },
        ),
      ({ contracts, ...more }) => ({ transfers: contracts, ...nextPage(more) }),
    ),
    acceptTokenStandardTransfer: ending('accept'),
    rejectTokenStandardTransfer: ending('reject'),
    withdrawTokenStandardTransfer: ending('withdraw'),
  }
}

function resultToWire({ output, senderChangeCids, meta }: TransferInstructionResult): WireResult {
  return {
    output: outputToWire(output),
    sender_change_cids: [...senderChangeCids],
    meta: Object.fromEntries(meta.values),
  }
}

function outputToWire(output: TransferInstructionResult['output']): WireOutput {
  switch (output.tag) {
    case 'TransferInstructionResult_Pending':
      return { transfer_instruction_cid: output.value.transferInstructionCid }
    case 'TransferInstructionResult_Completed':
      return { receiver_holding_cids: [...output.value.receiverHoldingCids] }
    case 'TransferInstructionResult_Failed':
      return {}
  }
}

interface Terms {
  readonly receiver: string
  readonly amount: bigint
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

  /** A tracking id that was used within a day answers as it did then, if the same is asked for. */
  async create(
    wallet: Wallet,
    request: CreateTransferOfferRequest,
  ): Promise<TransferInstructionResult | PlainError> {
    const terms = termsOf(request)
    if (terms instanceof PlainError) return terms
    const { receiver, amount, executeBefore, description } = terms
    const commandId = trackedCommandId('token-transfer', wallet.party, request.tracking_id)
    const asked = { commandId, content: contentOf(receiver, amount, description, executeBefore) }
    return onceADay(this.#economy, {
      asked,
      mustWait: this.#treasury.mustWait(wallet.party),
      make: () => this.#make(wallet, terms, asked),
      answer: (result) => TransferInstructionResult.decode(result),
    })
  }

  /** In its turn among the wallet's payments. */
  async #make(
    wallet: Wallet,
    terms: Terms,
    asked: RequestId,
  ): Promise<TransferInstructionResult | PlainError> {
    const requestedAt = this.#economy.clock.nowMicros()
    const problem = await this.#problemOf(terms, requestedAt)
    if (problem !== undefined) return problem
    const plan = await this.#plan(wallet, { ...terms, requestedAt }, asked)
    if (plan instanceof PlainError) return plan
    const done = await this.#treasury.runAlone(wallet.party, plan)
    return done.ok ? done.result : treasuryError(done)
  }

  /** Accepts, rejects or withdraws, through the context that the registry gives for it. */
  async end(
    wallet: Wallet,
    cid: string,
    choice: InstructionChoice,
  ): Promise<TransferInstructionResult | PlainError> {
    const { party, install } = wallet
    const role = choice === 'withdraw' ? 'sender' : 'receiver'
    const instruction = await actedOn<CoinTransferInstruction>(
      this.#economy,
      coinTransferInstruction,
      cid,
      {
        what: 'transfer',
        party,
        role,
        roleOf: ({ transfer }) => transfer[role],
        stakeholders: ({ transfer: { sender, receiver } }) => [sender, receiver],
      },
    )
    if (instruction instanceof PlainError) return instruction
    const found = await transferInstructionContext(this.#economy, cid, choice)
    if (found instanceof PlainError) return found
    const done = await verdictFor(this.#economy, party, {
      disclosed: found.context.disclosed.map(({ record }) => record),
      run: (tx) => exercise(tx, choice, install.id, { cid, extraArgs: extraArgsOf(found.context) }),
    })
    return done.ok ? done.result : rejectionError(done, cid)
  }

  /**
   * What is submitted once the wallet's holdings are at hand; the registry is asked anew each time,
   * since contexts go stale.
   */
  async #plan(
    { party: sender, install }: Wallet,
    terms: Terms & { readonly requestedAt: bigint },
    asked: RequestId,
  ) {
    const {
      parties: { dso },
    } = this.#economy
    const { receiver, description, ...times } = terms
    const first = await transferContext(this.#economy, { sender, receiver })
    if (first instanceof PlainError) return first
    return async (
      inputHoldingCids: readonly string[],
    ): Promise<Committed<TransferInstructionResult> | Rejected> => {
      const fresh = await transferContext(this.#economy, { sender, receiver })
      const { factory, context } = fresh instanceof PlainError ? first : fresh
      const instrument = { admin: dso, id: instrumentId() }
      const transfer = {
        sender,
        receiver,
        instrumentId: instrument,
        inputHoldingCids,
        meta: reasonMetadata(description),
        ...times,
      }
      const transferArg = { expectedAdmin: dso, transfer, extraArgs: extraArgsOf(context) }
      return verdictFor(this.#economy, sender, {
        commandId: asked.commandId,
        project: rememberForADay(asked, this.#economy.engine.measuredMicros()),
        disclosed: context.disclosed.map(({ record }) => record),
        run: (tx) => {
          if (inputHoldingCids.length === 0) tx.abort(insufficientFunds(terms.amount))
          return tx.exercise(installChoices.WalletAppInstall_TransferFactory_Transfer, install.id, {
            transferFactoryCid: factory.id,
            transferArg,
          })
        },
      })
    }
  }

  async #problemOf(
    { receiver, executeBefore }: Terms,
    now: bigint,
  ): Promise<PlainError | undefined> {
    const time = futureTime(executeBefore, now)
    const problem =
      time instanceof PlainError
        ? time
        : await farProblem(this.#economy, 'expires_at', executeBefore - now)
    if (problem !== undefined) return problem
    const known = await isKnown(this.#economy, receiver)
    return known ? undefined : badRequest(`No party ${receiver} is known`)
  }
}

/** 400 for what cannot be transferred at any time. */
function termsOf(request: CreateTransferOfferRequest): Terms | PlainError {
  const {
    receiver_party_id: receiver,
    description,
    expires_at: executeBefore,
    tracking_id,
  } = request
  const amount = payableAmount(request.amount)
  if (amount instanceof PlainError) return amount
  return (
    textProblem(receiver, description, tracking_id) ?? {
      receiver,
      amount,
      executeBefore,
      description,
    }
  )
}

function exercise(
  tx: Tx,
  choice: InstructionChoice,
  installCid: string,
  argument: { readonly cid: string; readonly extraArgs: ExtraArgs },
): TransferInstructionResult {
  switch (choice) {
    case 'accept':
      return tx.exercise(
        installChoices.WalletAppInstall_TransferInstruction_Accept,
        installCid,
        argument,
      )
    case 'reject':
      return tx.exercise(
        installChoices.WalletAppInstall_TransferInstruction_Reject,
        installCid,
        argument,
      )
    case 'withdraw':
      return tx.exercise(
        installChoices.WalletAppInstall_TransferInstruction_Withdraw,
        installCid,
        argument,
      )
  }
}
