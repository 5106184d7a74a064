// One sender's orders: those at hand, then the oldest that wait, as long as some are carried out.
// docs/economy-rules.md, "Transfer commands"
import {
  background,
  dsoRulesCreateTransferCommandCounter,
  isLostRace,
  readFunds,
  submitForNetwork,
  transferCommand,
  transferCommandCounter,
  transferCommandSend,
  TURN_LIMITS,
} from '../../runtime/economy.ts'
import type {
  ActivePosition,
  ContractRecord,
  Economy,
  EconomyRun,
  Funds,
  TransferCommand,
  TransferCommand_Send,
  TransferInput,
  Tries,
} from '../../runtime/economy.ts'

/** New looks at a sender's orders after somebody else was faster. */
const MAX_LOST_RACES = 5

/**
 * Orders of a sender that are tried one after the other; the rest has its turn at the next look.
 */
const MAX_TRIED = 200
/** Orders whose nonce was used that end in a transaction: enough to be cheap, and a short one. */
const ENDED_TOGETHER = 10

export interface Serving extends EconomyRun {
  readonly sender: string
  /** Orders to begin with; absent: some came that nobody has at hand. */
  readonly orders?: readonly ContractRecord[]
  readonly tries: Tries
  /** Senders with orders that wait for funds or for the order before them. */
  readonly waiting: Set<string>
  /** Called where all that could be tried failed. */
  fruitless(): void
}

interface Order {
  readonly id: string
  readonly payload: TransferCommand
}

/**
 * All that is due. Where those at hand wait, the oldest may be what they wait for. Looks again
 * after each success: an order that came meanwhile may have found the counter behind it.
 */
export async function serve(serving: Serving): Promise<void> {
  const { economy, sender, signal } = serving
  await ensureCounter(economy, sender)
  let hasLooked = serving.orders === undefined
  let [orders, lostRaces, tried] = [serving.orders ?? (await waitingOrders(serving, true)), 0, 0]
  for (;;) {
    if (signal.aborted || lostRaces > MAX_LOST_RACES || tried >= MAX_TRIED)
      return serving.again.soon()
    const steps = await carryOutAll(serving, due(economy, orders).slice(0, MAX_TRIED))
    tried += steps.length
    if (!steps.includes('done') && !steps.includes('lost')) {
      if (steps.includes('refused')) serving.fruitless()
      if (hasLooked || !steps.includes('waits')) return
    }
    lostRaces = steps.includes('done') ? 0 : lostRaces + 1
    hasLooked = true
    orders = await waitingOrders(serving, steps.includes('done'))
  }
}

/**
 * The oldest orders. Where one was just paid or has just come, pages of them up to the one whose
 * turn it is: orders come in any order of their nonces, and nobody else tells of it. Else one page:
 * a flood of orders ahead of their time must not cost a long look each.
 */
async function waitingOrders(
  serving: Serving,
  hasChanged: boolean,
): Promise<readonly ContractRecord[]> {
  const { economy, sender } = serving
  const nextNonce = hasChanged ? (await counterOf(serving))?.payload.nextNonce : undefined
  const found: ContractRecord[] = []
  const limit = TURN_LIMITS.each
  for (let after: ActivePosition | undefined; ;) {
    const page = await economy.reader.active(
      transferCommand,
      { sender },
      { limit, ...(after && { after }) },
    )
    found.push(...page.map(({ record }) => record))
    const last = page.at(-1)
    const isThere = page.some(({ payload: { nonce } }) => nonce === nextNonce)
    const isAll = last === undefined || page.length < limit || found.length >= MAX_TRIED
    if (nextNonce === undefined || isThere || isAll) return found
    after = { rank: last.record.rank, sequence: last.sequence }
  }
}

/** One a sender, for good, whoever carries out its orders. */
async function ensureCounter(
  economy: Pick<Economy, 'engine' | 'network' | 'parties' | 'reader'>,
  sender: string,
): Promise<void> {
  const {
    reader,
    network,
    parties: { dso },
  } = economy
  if ((await reader.active(transferCommandCounter, { sender }, { limit: 1 })).length > 0) return
  const rules = await network.dsoRules()
  await submitForNetwork(economy, {
    actAs: [dso],
    commandId: `counter/${sender}`,
    run: (tx) => tx.exercise(dsoRulesCreateTransferCommandCounter, rules.id, { sender }),
  })
}

/**
 * By nonce, so that orders that wait for each other are done in one go; expired ones are left to
 * their end.
 */
function due(
  { clock, parties: { operator } }: Pick<Economy, 'clock' | 'parties'>,
  orders: readonly ContractRecord[],
): readonly Order[] {
  const now = clock.nowMicros()
  return orders
    .filter((order) => transferCommand.keysOf(order).delegate === operator && order.rank > now)
    .map((record) => ({ id: record.contractId, payload: transferCommand.open(record) }))
    .toSorted(byNonce)
}

function byNonce({ payload: a }: Order, { payload: b }: Order): number {
  if (a.nonce === b.nonce) return 0
  return a.nonce < b.nonce ? -1 : 1
}

/**
 * What came of an order: it is over; others were faster; it cannot be paid; it failed too short a
 * while ago; it is not the moment.
 */
type Step = 'done' | 'lost' | 'refused' | 'left' | 'waits'

/** An order that cannot be paid does not keep another one with its nonce from being tried. */
async function carryOutAll(serving: Serving, orders: readonly Order[]): Promise<readonly Step[]> {
  const { steps, left } = await endUsed(serving, orders)
  for (const order of left) {
    if (serving.signal.aborted || steps.at(-1) === 'waits') break
    steps.push(await background.piece(serving.sender, () => carryOut(serving, order)))
  }
  return steps
}

/**
 * Of orders by nonce, ends those whose nonce was used: somebody may have given very many. Answers
 * those that are left.
 */
async function endUsed(
  serving: Serving,
  orders: readonly Order[],
): Promise<{ readonly steps: Step[]; readonly left: readonly Order[] }> {
  const counter = await counterOf(serving)
  const used = counter === undefined ? 0 : usedAmong(orders, counter.payload.nextNonce)
  const steps: Step[] = []
  if (counter === undefined || used < 2) return { steps, left: orders }
  for (let from = 0; from < used && !serving.signal.aborted; from += ENDED_TOGETHER) {
    const together = orders.slice(from, Math.min(used, from + ENDED_TOGETHER))
    const step = await background.piece(serving.sender, () => submit(serving, together, counter.id))
    // One by one, each has its own end.
    if (step !== 'done') return { steps, left: orders.slice(from) }
    for (const { id } of together) serving.tries.done(id)
    steps.push(...together.map(() => step))
  }
  return { steps, left: orders.slice(used) }
}

/** The number of orders, the first ones, that are used. */
function usedAmong(orders: readonly Order[], nextNonce: bigint): number {
  const first = orders.findIndex(({ payload: { nonce } }) => nonce >= nextNonce)
  return first === -1 ? orders.length : first
}

async function counterOf({ economy: { reader }, sender }: Serving) {
  const [counter] = await reader.active(transferCommandCounter, { sender }, { limit: 1 })
  return counter
}

/** Carries out an order; without a counter, or ahead of it, it waits with those behind it. */
async function carryOut(serving: Serving, order: Order): Promise<Step> {
  const {
    economy: { reader },
    sender,
    tries,
  } = serving
  const {
    id,
    payload: { nonce },
  } = order
  const [counter, { amount: means }] = await Promise.all([
    counterOf(serving),
    reader.total('unlocked', sender),
  ])
  if (counter === undefined) serving.again.soon()
  serving.waiting.add(sender)
  if (counter === undefined || counter.payload.nextNonce < nonce) return 'waits'
  // One whose nonce was used comes to its end, whatever the sender has.
  const isLeft = counter.payload.nextNonce === nonce && !tries.isDue(id, means)
  const step = isLeft ? 'left' : await submit(serving, [order], counter.id)
  if (step === 'done') tries.done(id)
  if (step === 'refused' && tries.failed(id, means)) {
    serving.log.warn(
      { sender, contractId: id },
      'a transfer command cannot be paid; it waits for funds of its sender',
    )
  }
  if (step === 'waits' || tries.isWaiting(id)) serving.again.soon()
  return step
}

/** Submits orders; where several used the nonces, nothing is paid. */
async function submit(
  { economy, sender }: Serving,
  orders: readonly Order[],
  counterCid: string,
): Promise<Step> {
  const {
    network,
    engine,
    parties: { operator },
  } = economy
  const receiver = orders[0]?.payload.receiver
  const [funds, payable] = await Promise.all([
    readFunds(economy, sender),
    receiver === undefined ? undefined : network.payableTo(receiver),
  ])
  if (funds === undefined) return 'waits'
  const { preapproval, right } = payable ?? {}
  const argument = argumentOf(funds, {
    counterCid,
    preapprovalCid: preapproval?.id ?? null,
    rightCid: right?.id ?? null,
  })
  const outcome = await engine.submit({
    actAs: [operator],
    readAs: [sender],
    userId: '',
    lowPriority: true,
    disclosedContracts: [
      ...(await network.disclosures()),
      ...[preapproval, right].flatMap((one) => one?.record ?? []),
    ],
    run: (tx) => orders.forEach(({ id }) => void tx.exercise(transferCommandSend, id, argument)),
  })
  if (outcome.ok) return 'done'
  if (isLostRace(outcome)) return 'lost'
  return outcome.kind === 'no-traffic' ? 'waits' : 'refused'
}

interface Terms {
  readonly counterCid: string
  readonly preapprovalCid: string | null
  readonly rightCid: string | null
}

function argumentOf(
  funds: Funds,
  { counterCid, preapprovalCid, rightCid }: Terms,
): TransferCommand_Send {
  const { coinRules, context } = funds.context
  return {
    context: { coinRules, context: { ...context, featuredAppRight: rightCid } },
    inputs: inputsOf(funds),
    transferPreapprovalCid: preapprovalCid,
    transferCounterCid: counterCid,
  }
}

/** Coins, the largest first, and the coupons that the sender earned as an application. */
function inputsOf({ coins, rewards, maxNumInputs }: Funds): readonly TransferInput[] {
  const coupons = rewards
    .map(({ input }) => input)
    .filter(({ tag }) => tag === 'InputAppRewardCoupon')
  return [...coins.map((value): TransferInput => ({ tag: 'InputCoin', value })), ...coupons].slice(
    0,
    maxNumInputs,
  )
}
