// Sees every update as it is committed, holds it against the invariants of single steps, and keeps
// books of its own: what each party holds, what is locked for what, which coupons wait, and how
// everything ended.
import {
  acceptedTransferOffer,
  appRewardCoupon,
  buyTrafficRequest,
  closedMiningRound,
  coinTransferInstruction,
  issuingMiningRound,
  openMiningRound,
  summarizingMiningRound,
  svRewardCoupon,
  transferCommand,
  transferOffer,
  validatorLivenessActivityRecord,
  validatorRewardCoupon,
} from '../../runtime/contracts/index.ts'
import { member } from '../../runtime/host/member.ts'
import type { CommittedUpdate } from '../../runtime/engine/engine.ts'
import type { Economy } from '../../runtime/economy/economy.ts'
import type { ContractRecord } from '../../runtime/store/store.ts'
import { Histories } from '../properties/driver/histories.ts'
import type { Reading } from '../properties/driver/reading.ts'
import { readRounds } from '../properties/driver/reading.ts'
import { Parties, SeenBook } from '../properties/driver/seen.ts'
import { tellUpdate } from '../properties/driver/updates.ts'
import { judgeStep, newMemory } from '../properties/invariants.ts'
import type { Memory } from '../properties/invariants.ts'
import { roundsAreTheLatest } from '../properties/invariants/step.ts'
import type { Config, Round } from '../properties/model/state.ts'
import type { Holding, PartyView, UpdateView, Violation } from '../properties/world.ts'

export interface Account {
  unlocked: bigint
  locked: bigint
  /** Numbers of holdings. */
  unlockedCount: number
  lockedCount: number
}

/** A thing that waits until a time. */
export interface Waiting {
  readonly what: string
  /** Names of who sent it, and to whom. */
  readonly from: string
  readonly to: string
  /** Microseconds; of a coupon 0. */
  readonly until: bigint
}

export interface Tally {
  /** Counts by kind and end: `offer completed`. */
  readonly ends: Map<string, number>
  updates: number
}

const LATEST_ROUND = 29
const ROUND_TEMPLATES: ReadonlySet<string> = new Set(
  [openMiningRound, summarizingMiningRound, issuingMiningRound, closedMiningRound].map(
    ({ type }) => type.id,
  ),
)

/** Contracts that expire; their rank says when. */
const EXPIRING: ReadonlyMap<string, string> = new Map([
  [transferOffer.type.id, 'offer'],
  [acceptedTransferOffer.type.id, 'accepted offer'],
  [buyTrafficRequest.type.id, 'traffic request'],
  [transferCommand.type.id, 'order'],
  [coinTransferInstruction.type.id, 'two-step transfer'],
])

/** Names of coupons; nobody here collects those of the super validator. */
const COUPONS: ReadonlyMap<string, string> = new Map([
  [appRewardCoupon.type.id, 'coupon'],
  [validatorRewardCoupon.type.id, 'coupon'],
  [validatorLivenessActivityRecord.type.id, 'coupon'],
  [svRewardCoupon.type.id, 'sv coupon'],
])

/** The end of a contract, by the choice exercised on it. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['TransferOffer_Accept', 'offer accepted'],
  ['TransferOffer_Reject', 'offer rejected'],
  ['TransferOffer_Withdraw', 'offer withdrawn'],
  ['TransferOffer_Expire', 'offer expired'],
  ['AcceptedTransferOffer_Complete', 'offer completed'],
  ['AcceptedTransferOffer_Abort', 'offer unpaid'],
  ['AcceptedTransferOffer_Expire', 'accepted offer expired'],
  ['TransferInstruction_Accept', 'two-step accepted'],
  ['TransferInstruction_Reject', 'two-step rejected'],
  ['TransferInstruction_Withdraw', 'two-step withdrawn'],
  ['TransferInstruction_Update', 'two-step expired'],
  ['TransferPreapproval_Send', 'one-step completed'],
  ['TransferPreapproval_Renew', 'preapproval renewed'],
  ['CoinRules_BuyMemberTraffic', 'purchase of traffic'],
  ['BuyTrafficRequest_Complete', 'traffic bought'],
  ['BuyTrafficRequest_Cancel', 'traffic refused'],
  ['BuyTrafficRequest_Expire', 'traffic expired'],
  ['CoinRules_DevNet_Tap', 'tap'],
  ['TransferCommand_Send', 'order sent'],
  ['TransferCommand_Expire', 'order expired'],
  ['MergeDelegation_Merge', 'merge'],
  ['MintingDelegation_Mint', 'minted for outsider'],
  ['Coin_Expire', 'dust'],
  ['LockedCoin_ExpireCoin', 'locked dust'],
  ['CoinRules_ClaimExpiredRewards', 'claim'],
])

export class Observer {
  readonly reading: Reading
  readonly memory: Memory = newMemory()
  readonly accounts = new Map<string, Account>()
  readonly tally: Tally = { ends: new Map(), updates: 0 }
  /** Waiting things by contract id. */
  readonly waiting = new Map<string, Waiting>()
  /** Live instructions by the holding that each locks, and locked holdings. */
  readonly backing = new Map<string, string>()
  readonly lockedIds = new Set<string>()
  /** Names whose holdings changed since they were last asked for. */
  readonly touched = new Set<string>()
  holdings = 0
  supply = 0n
  #rounds: readonly Round[] = []
  #pending: CommittedUpdate[] = []
  #violations: Violation[] = []
  #index = 0
  readonly #apart: bigint

  /**
   * `apart` is by how much clocks of servers differ: who pays by one that is behind takes the round
   * that was the latest then.
   */
  constructor(economy: Economy, config: Config, ids: ReadonlyMap<string, string>, apart = 0n) {
    this.#apart = apart
    const parties = new Parties(new Map([...ids, [config.network, economy.parties.dso]]))
    this.reading = {
      economy,
      config,
      book: new SeenBook(parties),
      histories: new Histories(economy.store.contracts, parties),
    }
  }

  /** Rounds that were there before the first update that is noted. */
  async begin(): Promise<void> {
    const {
      economy: { reader },
      book,
    } = this.reading
    for (const { record } of await reader.all(openMiningRound)) book.note(record)
    this.#rounds = await readRounds(this.reading)
  }

  /** Notes an update; call it after each commit, in order of offsets. */
  note(update: CommittedUpdate): void {
    this.#pending.push(update)
  }

  get rounds(): readonly Round[] {
    return this.#rounds
  }

  /**
   * Takes what was committed since the last call into the books; answers what was wrong with it.
   */
  async digest(): Promise<readonly Violation[]> {
    const pending = this.#pending.toSorted((a, b) => (a.offset < b.offset ? -1 : 1))
    this.#pending = []
    if (pending.length === 0) return []
    await this.#readHistories(pending)
    for (const update of pending) await this.#take(update)
    if (pending.some(changesRounds)) this.#rounds = await readRounds(this.reading)
    this.#index += 1
    return this.#violations.splice(0)
  }

  async #readHistories(pending: readonly CommittedUpdate[]): Promise<void> {
    const {
      book: { parties },
      histories,
      config,
    } = this.reading
    const ids = new Set(
      pending.flatMap(({ transaction: { events } }) =>
        events.flatMap((event) =>
          event.kind === 'create'
            ? [...event.contract.signatories, ...event.contract.observers]
            : event.stakeholders,
        ),
      ),
    )
    const known = new Set(config.parties)
    for (const id of ids)
      if (known.has(parties.nameOf(id))) await histories.sumOf(parties.nameOf(id))
  }

  async #take(update: CommittedUpdate): Promise<void> {
    const {
      reading: { book, histories, config },
      memory,
    } = this
    const { transaction, offset, recordTime } = update
    const stored = {
      ...transaction,
      consumed: transaction.consumed.map(({ contractId }) => contractId),
    }
    const { view } = await tellUpdate(
      { transaction: stored, offset, recordTime },
      {
        book,
        entries: histories.entriesOf(transaction.updateId),
        statusOf: async () => undefined,
        rounds: new Map(this.#rounds.map((round) => [round.number, round])),
      },
    )
    const before = this.#all()
    this.#keep(view)
    this.#keepWaiting(update, view)
    const result = { ok: true, updates: [view] } as const
    const at = transaction.effectiveAt
    const step = {
      index: this.#index,
      config,
      action: { kind: 'rounds' },
      at,
      result,
      before,
      after: this.#all(),
      rounds: this.#rounds,
    } as const
    const wasLatest = roundsAreTheLatest({ ...step, at: at - this.#apart }).length === 0
    this.#violations.push(
      ...judgeStep(step, memory).filter(
        ({ invariant }) => invariant !== LATEST_ROUND || !wasLatest,
      ),
    )
    book.forget([
      ...view.consumed,
      ...transaction.events.flatMap((event) => isTransient(event, transaction.consumed)),
    ])
    this.tally.updates += 1
  }

  /** All parties as one: what single ones have is held against the store elsewhere. */
  #all(): readonly PartyView[] {
    return [{ party: 'all', unlocked: this.supply, locked: 0n, coins: this.holdings, history: 0n }]
  }

  #keep({
    holdingsCreated,
    holdingsConsumed,
    instructionsCreated,
    instructionsEnded,
  }: UpdateView): void {
    for (const holding of holdingsConsumed) this.#move(holding, -1)
    for (const holding of holdingsCreated) this.#move(holding, 1)
    for (const { locked, id } of instructionsCreated) this.backing.set(locked, id)
    for (const { instruction } of instructionsEnded) this.backing.delete(instruction.locked)
  }

  #move({ id, owner, amount, lockedUntil }: Holding, sign: 1 | -1): void {
    const account = this.accounts.get(owner) ?? {
      unlocked: 0n,
      locked: 0n,
      unlockedCount: 0,
      lockedCount: 0,
    }
    this.accounts.set(owner, account)
    this.touched.add(owner)
    const change = BigInt(sign) * amount
    this.holdings += sign
    this.supply += change
    if (lockedUntil === null) {
      account.unlocked += change
      account.unlockedCount += sign
      return
    }
    account.locked += change
    account.lockedCount += sign
    if (sign === 1) this.lockedIds.add(id)
    else this.lockedIds.delete(id)
  }

  #keepWaiting(
    { transaction: { events, consumed } }: CommittedUpdate,
    { couponsMinted }: UpdateView,
  ): void {
    const minted = new Set(couponsMinted.map(({ coupon }) => coupon.id))
    for (const { contractId, templateId } of consumed) {
      this.waiting.delete(contractId)
      const coupon = COUPONS.get(templateId)
      if (coupon !== undefined)
        this.#count(`${coupon} ${minted.has(contractId) ? 'collected' : 'expired'}`)
    }
    for (const event of events) {
      if (event.kind === 'create') this.#expect(event.contract)
      else this.#count(ENDS.get(event.choice))
      if (isSweep(event)) this.#count('sweep')
    }
    for (const event of events)
      if (event.kind === 'exercise' && event.consuming) this.waiting.delete(event.contractId)
  }

  #expect({ contractId, templateId, rank, key1, key2 }: ContractRecord): void {
    const { parties } = this.reading.book
    const [from, to] = [parties.nameOf(key1), parties.nameOf(key2)]
    const what = EXPIRING.get(templateId)
    if (what !== undefined) this.waiting.set(contractId, { what, from, to, until: rank })
    const coupon = COUPONS.get(templateId)
    if (coupon === undefined) return
    this.waiting.set(contractId, { what: coupon, from, to, until: 0n })
    this.#count(`${coupon} created`)
  }

  #count(key: string | undefined): void {
    if (key !== undefined) this.tally.ends.set(key, (this.tally.ends.get(key) ?? 0) + 1)
  }
}

type Event = CommittedUpdate['transaction']['events'][number]

/** An offer or a payment whose description the automation wrote. */
function isSweep(event: Event): boolean {
  const description =
    event.kind === 'create'
      ? event.contract.templateId === transferOffer.type.id &&
        member(JSON.parse(event.contract.payload), 'description')
      : event.choice === 'TransferPreapproval_Send' && member(event.argument, 'description')
  return typeof description === 'string' && description.startsWith('Sweeping')
}

/** Also what it made and archived at once. */
function isTransient(event: Event, consumed: readonly ContractRecord[]): readonly string[] {
  const isOwn =
    event.kind === 'exercise' &&
    event.consuming &&
    !consumed.some(({ contractId }) => contractId === event.contractId)
  return isOwn ? [event.contractId] : []
}

function changesRounds({ transaction: { events } }: CommittedUpdate): boolean {
  return events.some((event) =>
    event.kind === 'create'
      ? ROUND_TEMPLATES.has(event.contract.templateId)
      : event.consuming && ROUND_TEMPLATES.has(event.templateId),
  )
}
