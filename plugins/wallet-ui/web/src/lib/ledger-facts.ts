// What the ledger itself tells of a party's updates, and the history's entries do not: the round,
// the price of the coin at the time, and offers, of which an entry keeps neither the text nor what
// became of one that was never paid.
import { parseAmount } from './amount.ts'
import type { Amount } from './amount.ts'
import { integerAt, textAt, valueAt } from './payload.ts'

/** An offer of the first kind, as it was made. */
export interface OfferMade {
  readonly sender: string
  readonly receiver: string
  readonly amount: Amount
  readonly description: string
}

/** How an offer stands after an update; `unpaid`: accepted, and then not paid. */
export type OfferTurn =
  'made' | 'accepted' | 'paid' | 'withdrawn' | 'rejected' | 'expired' | 'unpaid'

export interface OfferStep {
  readonly turn: OfferTurn
  /** Contract id of the offer, or of the accepted one. */
  readonly id: string
  /** Only of `made`. */
  readonly made?: OfferMade
  /** Only of `accepted`: the contract that stands in its place from then on. */
  readonly next?: string
}

export interface UpdateFacts {
  readonly updateId: string
  /** RFC 3339. */
  readonly at: string
  readonly round: bigint | undefined
  /** US dollars for a coin at that time. */
  readonly rate: Amount | undefined
  readonly steps: readonly OfferStep[]
}

/** Facts of a transaction in the shape of its effects; undefined for anything else. */
export function factsOf(update: unknown): UpdateFacts | undefined {
  const transaction = valueAt(update, 'update', 'Transaction', 'value')
  const updateId = textAt(transaction, 'updateId')
  if (updateId === '') return undefined
  const events = valueAt(transaction, 'events')
  const list: readonly unknown[] = Array.isArray(events) ? events : []
  return {
    updateId,
    at: textAt(transaction, 'effectiveAt'),
    ...priceIn(list),
    steps: list.flatMap(stepsOf),
  }
}

/** Transfers name their round and its price; of new coin only the round is known. */
function priceIn(events: readonly unknown[]): Pick<UpdateFacts, 'round' | 'rate'> {
  for (const event of events) {
    const result = valueAt(event, 'ExercisedEvent', 'exerciseResult')
    const rate = parseAmount(textAt(result, 'summary', 'conversionRate'))
    if (rate !== undefined) return { rate, round: integerAt(result, 'round', 'number') }
  }
  const created = ['CreatedEvent', 'createArgument', 'amount', 'createdAt', 'number'] as const
  const round = events.map((event) => integerAt(event, ...created)).find((one) => one !== undefined)
  return { round, rate: undefined }
}

const TURNS: Readonly<Record<string, OfferTurn>> = {
  TransferOffer_Accept: 'accepted',
  TransferOffer_Reject: 'rejected',
  TransferOffer_Withdraw: 'withdrawn',
  TransferOffer_Expire: 'expired',
  AcceptedTransferOffer_Complete: 'paid',
  AcceptedTransferOffer_Abort: 'unpaid',
  AcceptedTransferOffer_Withdraw: 'unpaid',
  AcceptedTransferOffer_Expire: 'unpaid',
}

function stepsOf(event: unknown): readonly OfferStep[] {
  const created = valueAt(event, 'CreatedEvent')
  if (textAt(created, 'templateId').endsWith(':TransferOffer'))
    return [{ turn: 'made', id: textAt(created, 'contractId'), made: madeOf(created) }]
  const exercised = valueAt(event, 'ExercisedEvent')
  const turn = TURNS[textAt(exercised, 'choice')]
  if (turn === undefined) return []
  const next = textAt(exercised, 'exerciseResult', 'acceptedTransferOffer')
  const step = { turn, id: textAt(exercised, 'contractId') }
  return [next === '' ? step : { ...step, next }]
}

function madeOf(created: unknown): OfferMade {
  const offer = valueAt(created, 'createArgument')
  return {
    sender: textAt(offer, 'sender'),
    receiver: textAt(offer, 'receiver'),
    amount: parseAmount(textAt(offer, 'amount', 'amount')) ?? 0n,
    description: textAt(offer, 'description'),
  }
}

/** A party's updates so far, read from either end. */
export class FactBook {
  readonly #updates = new Map<string, UpdateFacts>()
  readonly #made = new Map<string, OfferMade>()
  /** The accepted offer's id to that of the offer. */
  readonly #before = new Map<string, string>()
  readonly #rates = new Map<bigint, Amount>()

  add(updates: readonly UpdateFacts[]): void {
    for (const update of updates) {
      this.#updates.set(update.updateId, update)
      const { round, rate } = update
      if (round !== undefined && rate !== undefined) this.#rates.set(round, rate)
      for (const { id, made, next } of update.steps) {
        if (made !== undefined) this.#made.set(id, made)
        if (next !== undefined) this.#before.set(next, id)
      }
    }
  }

  get size(): number {
    return this.#updates.size
  }

  get updates(): Iterable<UpdateFacts> {
    return this.#updates.values()
  }

  has(updateId: string): boolean {
    return this.#updates.has(updateId)
  }

  round(updateId: string): bigint | undefined {
    return this.#updates.get(updateId)?.round
  }

  /** The price at the time of an update: its own, or that of its round where another tells it. */
  rate(updateId: string): Amount | undefined {
    const update = this.#updates.get(updateId)
    return update?.rate ?? (update?.round === undefined ? undefined : this.#rates.get(update.round))
  }

  /** The offer that a step is about; undefined where its beginning has not been read. */
  offer({ id }: OfferStep): OfferMade | undefined {
    return this.#made.get(this.#before.get(id) ?? id)
  }

  /** The offer that an update paid. */
  paidBy(updateId: string): OfferMade | undefined {
    const step = this.#updates.get(updateId)?.steps.find(({ turn }) => turn === 'paid')
    return step === undefined ? undefined : this.offer(step)
  }
}
