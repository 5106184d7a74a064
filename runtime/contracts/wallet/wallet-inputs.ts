// The inputs that a batch of operations still has, and their value. A part of a transaction cannot
// be undone, so each operation checks here first whether it can be paid. docs/economy-rules.md,
// "Treasury"
import type {
  CoinRules_QuoteResult,
  InvalidTransferReason,
  PaymentAmount,
  PaymentTransferContext,
  TransferInput,
  TransferResult,
  WalletAppInstall,
} from '../../../generated/contracts.gen.ts'
import { add, subtract, sum } from '../../engine/decimal.ts'
import type { Tx } from '../../engine/template.ts'
import { coin } from '../coin.ts'
import { coinRulesQuote } from '../quote.ts'
import { inCoin } from './transfer-offer.ts'
import { inputOf } from '../transfer.ts'

/** Facts that every operation of a batch refers to. */
export interface Batch {
  readonly tx: Tx
  readonly install: WalletAppInstall
  /** The context without a featured right: only a preapproved transfer earns one, and names it. */
  readonly context: PaymentTransferContext
  readonly walletInputs: WalletInputs
}

/** Change that an operation left of its inputs. */
export interface Change {
  readonly senderChangeCoin: string | null
  readonly summary: Pick<TransferResult['summary'], 'senderChangeAmount'>
}

/** The inputs of a batch. One a batch. */
export class WalletInputs {
  readonly #tx: Tx
  readonly #install: WalletAppInstall
  readonly #context: PaymentTransferContext
  #inputs: readonly TransferInput[]
  /** Undefined until it is asked for: what coupons bring, only the network can say. */
  #funds: bigint | undefined
  #quote: CoinRules_QuoteResult | undefined

  constructor(
    tx: Tx,
    install: WalletAppInstall,
    context: PaymentTransferContext,
    inputs: readonly TransferInput[],
  ) {
    this.#tx = tx
    this.#install = install
    this.#context = context
    this.#inputs = inputs
  }

  /** Inputs for the next operation. */
  get inputs(): readonly TransferInput[] {
    return this.#inputs
  }

  /** Prices and configuration; the network is asked at most once. */
  get quote(): CoinRules_QuoteResult {
    this.#quote ??= this.#ask()
    this.#funds ??= this.#quote.inputAmount
    return this.#quote
  }

  /** The amount in coin: USD at the price of the context's round. */
  inCoin(amount: PaymentAmount): bigint {
    return amount.unit === 'CoinUnit'
      ? amount.amount
      : inCoin(amount, this.quote.round.conversionRate)
  }

  /** The reason why the inputs cannot pay `amount`; undefined if they can. */
  shortOf(amount: bigint): InvalidTransferReason | undefined {
    if (amount <= 0n) return undefined
    if (this.#funds === undefined && this.#coins() >= amount) return undefined
    const funds = this.#funds ?? this.quote.inputAmount
    if (funds >= amount) return undefined
    return { tag: 'ITR_InsufficientFunds', value: { missingAmount: subtract(amount, funds) } }
  }

  /** The change of an operation that took all inputs is the next one's only input. */
  spend({ senderChangeCoin, summary }: Change): void {
    this.#inputs = senderChangeCoin === null ? [] : [inputOf(senderChangeCoin)]
    this.#funds = senderChangeCoin === null ? 0n : summary.senderChangeAmount
  }

  /** Spends like `spend`, if only the contract of the change is known. */
  spendInto(senderChangeCoin: string | null): void {
    const senderChangeAmount =
      senderChangeCoin === null ? 0n : this.#tx.fetch(coin, senderChangeCoin).amount.initialAmount
    this.spend({ senderChangeCoin, summary: { senderChangeAmount } })
  }

  /** A coin that came from elsewhere is an input as well. */
  receive(coinCid: string, amount: bigint): void {
    this.#inputs = [...this.#inputs, inputOf(coinCid)]
    if (this.#funds !== undefined) this.#funds = add(this.#funds, amount)
  }

  #coins(): bigint {
    const coins = this.#inputs.filter(({ tag }) => tag === 'InputCoin')
    return sum(coins.map(({ value }) => this.#tx.fetch(coin, value).amount.initialAmount))
  }

  #ask(): CoinRules_QuoteResult {
    const { coinRules, context } = this.#context
    const { endUserParty: payer, dsoParty: expectedDso } = this.#install
    return this.#tx.exercise(coinRulesQuote, coinRules, {
      payer,
      inputs: this.#inputs,
      context,
      expectedDso,
    })
  }
}
