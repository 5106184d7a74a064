// A committed update as the invariants see it: made of its events alone. What the ledger claims
// (sums of a transfer's result) and what it did (contracts made and archived) are kept apart, so
// that the one can be held against the other.
import type { TransferInput, TransferSummary } from '../../../generated/contracts.gen.ts'
import { CoinRules, TransferPreapproval } from '../../../generated/contracts.gen.ts'
import { coinTransferInstruction } from '../../../runtime/contracts/index.ts'
import type { ExerciseEvent, StoredTransaction } from '../../../runtime/engine/index.ts'
import { total } from '../model/arithmetic.ts'
import { mintValue } from '../model/rounds.ts'
import type { Round, Status } from '../model/state.ts'
import type {
  CouponView,
  Holding,
  InstructionEnd,
  InstructionView,
  MintView,
  TransferView,
  UpdateView,
} from '../world.ts'
import type { Seen, SeenBook } from './seen.ts'

export interface Committed {
  readonly offset: bigint
  readonly recordTime: bigint
  readonly transaction: StoredTransaction
}

/** Facts beside the update's body. */
export interface Beside {
  readonly book: SeenBook
  readonly entries: UpdateView['entries']
  /** Issuing rounds by number, as they were before the command. */
  readonly rounds: ReadonlyMap<bigint, Round>
  /** Status of an offer that the update is about. */
  statusOf(sender: string, trackingId: string): Promise<Status | undefined>
}

/** The update, and all that it made and did not archive again. */
export interface Told {
  readonly view: UpdateView
  readonly made: readonly Seen[]
}

/** One payment: what it took, what it says of itself. */
interface Flow {
  readonly sender: string
  readonly inputs: readonly TransferInput[]
  readonly outputs: readonly bigint[]
  readonly changeId: string | null
  readonly burned: bigint
  readonly round: bigint
  readonly summary: TransferSummary
}

/** Reads an update; notes what it created in the book. */
export async function tellUpdate(
  { offset, recordTime, transaction }: Committed,
  beside: Beside,
): Promise<Told> {
  const { book, entries, rounds } = beside
  const { updateId, effectiveAt, actAs, events, consumed } = transaction
  const exercises = events.filter((event) => event.kind === 'exercise')
  const archived = new Set(
    exercises.flatMap((event) => (event.consuming ? [event.contractId] : [])),
  )
  const creates = events.flatMap((event) => (event.kind === 'create' ? [event.contract] : []))
  const noted = creates.map((contract) => ({ id: contract.contractId, seen: book.note(contract) }))
  const lasting = noted.filter(({ id }) => !archived.has(id))
  const made = lasting.flatMap(({ seen }) => seen ?? [])
  const gone = consumed.flatMap((id) => book.get(id) ?? [])
  const flows = exercises.flatMap((event) => flowOf(event, book) ?? [])
  const dust = exercises
    .filter(({ choice }) => DUST.has(choice))
    .flatMap(({ contractId }) => book.holding(contractId) ?? [])
  const view: UpdateView = {
    updateId,
    offset,
    recordTime,
    effectiveAt,
    consumed,
    dust,
    entries,
    actAs: actAs.map((id) => book.parties.nameOf(id)),
    created: lasting.map(({ id }) => id),
    holdingsConsumed: holdingsOf(gone),
    holdingsCreated: holdingsOf(made),
    transfers: flows.map((flow) => transferOf(flow, book)),
    couponsMinted: flows.flatMap((flow) => mintsOf(flow, book, rounds)),
    tapped: total(exercises.map((event) => tappedBy(event, book))),
    burned: total([...flows.map(({ burned }) => burned), ...dust.map(({ amount }) => amount)]),
    offersCreated: made.flatMap((one) => (one.kind === 'offer' ? [one.value] : [])),
    statuses: await statusesOf([...gone, ...made], beside),
    instructionsCreated: made.flatMap((one) => (one.kind === 'instruction' ? [one.value] : [])),
    instructionsEnded: exercises.flatMap((event) => endedBy(event, book)),
    renewals: renewalsOf(gone, made),
    trafficBought: exercises.flatMap(boughtBy),
  }
  return { view, made }
}

const DUST: ReadonlySet<string> = new Set(['Coin_Expire', 'LockedCoin_ExpireCoin'])
const ENDS: ReadonlyMap<string, InstructionEnd> = new Map([
  ['TransferInstruction_Accept', 'accept'],
  ['TransferInstruction_Reject', 'reject'],
  ['TransferInstruction_Withdraw', 'withdraw'],
  ['TransferInstruction_Update', 'expire'],
])

function holdingsOf(all: readonly Seen[]): readonly Holding[] {
  return all.flatMap((one) => (one.kind === 'holding' ? [one.value] : []))
}

function flowOf(event: ExerciseEvent, book: SeenBook): Flow | undefined {
  const { choices } = CoinRules
  switch (event.choice) {
    case 'CoinRules_Transfer':
    case 'CoinRules_LegacyTransfer':
      return plainFlow(event, book)
    case 'CoinRules_BuyMemberTraffic': {
      const { inputs, provider } = choices.CoinRules_BuyMemberTraffic.argument.decode(
        event.argument,
      )
      const { coinPaid, senderChangeCoin, ...rest } =
        choices.CoinRules_BuyMemberTraffic.result.decode(event.result)
      return burnFlow({
        sender: provider,
        inputs,
        changeId: senderChangeCoin,
        burned: coinPaid,
        ...rest,
      })
    }
    case 'CoinRules_CreateTransferPreapproval': {
      const { inputs, provider } = choices.CoinRules_CreateTransferPreapproval.argument.decode(
        event.argument,
      )
      return preapprovalFlow(event, provider, inputs)
    }
    case 'CoinRules_CreateExternalPartySetupProposal': {
      const { argument, result } = choices.CoinRules_CreateExternalPartySetupProposal
      const { inputs, validator: sender } = argument.decode(event.argument)
      const {
        coinPaid: burned,
        transferResult: { senderChangeCoin: changeId, round, summary },
      } = result.decode(event.result)
      return burnFlow({ sender, inputs, changeId, burned, round, summary })
    }
    case 'TransferPreapproval_Renew': {
      const { inputs } = TransferPreapproval.choices.TransferPreapproval_Renew.argument.decode(
        event.argument,
      )
      const renewed = book.get(event.contractId)
      return preapprovalFlow(
        event,
        renewed?.kind === 'preapproval' ? renewed.value.provider : '',
        inputs,
      )
    }
    default:
      return undefined
  }
}

function plainFlow(event: ExerciseEvent, book: SeenBook): Flow {
  const { argument, result } = CoinRules.choices.CoinRules_Transfer
  const {
    transfer: { sender, inputs },
  } = argument.decode(event.argument)
  const { createdCoins, senderChangeCoin: changeId, round, summary } = result.decode(event.result)
  const outputs = createdCoins.flatMap(({ value }) => book.holding(value)?.amount ?? [])
  return { sender, inputs, outputs, changeId, burned: 0n, round, summary }
}

function preapprovalFlow(
  event: ExerciseEvent,
  sender: string,
  inputs: readonly TransferInput[],
): Flow | undefined {
  const { result } = TransferPreapproval.choices.TransferPreapproval_Renew
  const {
    coinPaid,
    transferResult: { senderChangeCoin, round, summary },
  } = result.decode(event.result)
  return burnFlow({ sender, inputs, changeId: senderChangeCoin, burned: coinPaid, round, summary })
}

/** Undefined where nothing was to pay: then the inputs stay. */
function burnFlow(flow: Omit<Flow, 'outputs'>): Flow | undefined {
  return flow.burned === 0n ? undefined : { ...flow, outputs: [flow.burned] }
}

function transferOf({ summary, sender, inputs, ...flow }: Flow, book: SeenBook): TransferView {
  const {
    inputAppRewardAmount,
    inputValidatorRewardAmount,
    inputSvRewardAmount,
    senderChangeAmount,
  } = summary
  return {
    ...flow,
    sender: book.parties.nameOf(sender),
    inputs: inputs.flatMap(({ tag, value }) =>
      tag === 'InputCoin' ? (book.holding(value)?.amount ?? []) : [],
    ),
    changeAmount: senderChangeAmount,
    minted: inputAppRewardAmount + inputValidatorRewardAmount + inputSvRewardAmount,
  }
}

/**
 * The ledger says one sum for each kind: the last coupon of a kind gets what the rates leave, so
 * that a wrong sum shows.
 */
function mintsOf(
  { inputs, summary }: Flow,
  book: SeenBook,
  rounds: ReadonlyMap<bigint, Round>,
): readonly MintView[] {
  const {
    inputAppRewardAmount: app,
    inputValidatorRewardAmount,
    inputValidatorFaucetAmount: liveness,
  } = summary
  const sums = { app, liveness, validator: inputValidatorRewardAmount - liveness }
  const taken = inputs.flatMap(({ value }) => {
    const seen = book.get(value)
    return seen?.kind === 'coupon' ? [seen.value] : []
  })
  return [...Map.groupBy(taken, ({ of }) => of)].flatMap(([of, coupons]) =>
    share(coupons, sums[of], rounds),
  )
}

function share(
  coupons: readonly CouponView[],
  sum: bigint,
  rounds: ReadonlyMap<bigint, Round>,
): readonly MintView[] {
  let left = sum
  return coupons.map((coupon, index) => {
    const round = rounds.get(coupon.round)
    const expected = round === undefined ? 0n : mintValue(round, { ...coupon, kind: 'coupon' })
    const amount = index === coupons.length - 1 ? left : expected
    left -= amount
    return { coupon, amount }
  })
}

function tappedBy({ choice, result }: ExerciseEvent, book: SeenBook): bigint {
  if (choice !== 'CoinRules_DevNet_Tap') return 0n
  const { coinSum } = CoinRules.choices.CoinRules_DevNet_Tap.result.decode(result)
  return book.holding(coinSum.coin)?.amount ?? 0n
}

function endedBy(
  { choice, contractId, templateId }: ExerciseEvent,
  book: SeenBook,
): readonly { readonly instruction: InstructionView; readonly by: InstructionEnd }[] {
  const by = ENDS.get(choice)
  const seen = book.get(contractId)
  if (
    by === undefined ||
    templateId !== coinTransferInstruction.type.id ||
    seen?.kind !== 'instruction'
  )
    return []
  return [{ instruction: seen.value, by }]
}

function renewalsOf(gone: readonly Seen[], made: readonly Seen[]): UpdateView['renewals'] {
  const [before, after] = [gone, made].map(
    (all) => all.find((one) => one.kind === 'preapproval')?.value,
  )
  return before === undefined || after === undefined ? [] : [{ before, after }]
}

function boughtBy({ choice, argument, result }: ExerciseEvent): UpdateView['trafficBought'] {
  if (choice !== 'CoinRules_BuyMemberTraffic') return []
  const bought = CoinRules.choices.CoinRules_BuyMemberTraffic
  const { memberId: member, trafficAmount: bytes } = bought.argument.decode(argument)
  return [{ member, bytes, coins: bought.result.decode(result).coinPaid }]
}

async function statusesOf(
  touched: readonly Seen[],
  { statusOf }: Beside,
): Promise<UpdateView['statuses']> {
  const keys = new Map(
    touched.flatMap((one) =>
      one.kind === 'offer' || one.kind === 'accepted'
        ? [[`${one.value.sender}\n${one.value.trackingId}`, one.value] as const]
        : [],
    ),
  )
  const all = await Promise.all(
    [...keys].map(async ([key, { sender, trackingId }]) => {
      const status = await statusOf(sender, trackingId)
      return status === undefined ? [] : [{ key, status }]
    }),
  )
  return all.flat()
}
