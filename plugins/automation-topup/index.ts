// Buys traffic from the operator's wallet before it runs out, and keeps some of it back for what
// must not fail. docs/automations.md, "topup"; docs/economy-rules.md, "Traffic"
import { z } from 'zod'
import {
  configOf,
  defineAutomation,
  formatDecimal,
  reserveTraffic,
  submitForNetwork,
  trafficLeft,
  trafficPrice,
  treasuryError,
  validatorTopUpState,
} from '../../runtime/economy.ts'
import type {
  CoinRules,
  Contract,
  Economy,
  EconomyRun,
  TreasuryRejection,
  ValidatorTopUpState,
} from '../../runtime/economy.ts'
import { topUpPlan } from './plan.ts'
import type { TopUpPlan } from './plan.ts'

const MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A time such as `10m`, in milliseconds; a number is seconds. */
const interval = z
  .union([
    z.int(),
    z.string().regex(/^\d{1,8} ?[smhd]$/, 'must be whole seconds, or a time such as "10m"'),
  ])
  .transform((value) => {
    if (typeof value === 'number') return value * MS.s
    const [unit = MS.s] = Object.entries(MS).flatMap(([name, ms]) =>
      value.endsWith(name) ? [ms] : [],
    )
    return Number.parseInt(value, 10) * unit
  })
  .pipe(
    z
      .int()
      .min(MS.s)
      .max(365 * MS.d),
  )

const options = z.strictObject({
  /** Bytes a second that the node is to have at its disposal; 0 buys none. */
  targetThroughput: z.int().min(0).max(1_000_000_000).default(0),
  /**
   * Least time between two purchases: seconds, or text with a unit. The name is that of
   * docs/automations.md, "topup".
   */
  minTopupInterval: interval.default(600_000),
  /** Bytes: while less remains, only what keeps the traffic coming is submitted. */
  reservedTraffic: z.int().min(0).default(200_000),
  /** How often it looks. The time between purchases is rounded up to a multiple of it. */
  everyMs: z.int().min(10).default(30_000),
})

type Settings = z.output<typeof options>

/** Buys traffic at its interval, and before what is left falls below the reserve. */
export default defineAutomation({
  name: 'topup',
  summary: 'Buys traffic for this node before it runs out, if a target is configured.',
  topic: 'wallets',
  options,
  setup: (_host, settings) => ({
    // Nothing to buy: a look at the start takes back what was reserved.
    trigger: settings.targetThroughput === 0 ? {} : { everyMs: settings.everyMs },
    run: (context) => topUp(context, settings),
  }),
})

async function topUp(context: EconomyRun, settings: Settings): Promise<void> {
  const { economy } = context
  const rules = await economy.network.coinRules()
  const plan = planFor(settings, rules.payload)
  await reserveTraffic(economy, {
    reserved: plan === undefined ? 0n : BigInt(settings.reservedTraffic),
    topup: plan?.bytes ?? 0n,
  })
  if (plan === undefined || (await trafficLeft(economy)).extra >= plan.bytes) return
  const state = await topUpState(economy)
  const dueAt = (state?.payload.lastPurchasedAt ?? 0n) + plan.intervalMs * 1_000n
  if (state === undefined || dueAt > economy.clock.nowMicros()) return
  const isPayable = rules.payload.isDevNet || (await canPay(context, plan))
  if (isPayable) await buy(context, plan, state)
}

function planFor(
  { targetThroughput, minTopupInterval, everyMs }: Settings,
  rules: CoinRules,
): TopUpPlan | undefined {
  const { minTopupAmount } = configOf(rules).decentralizedSynchronizer.fees
  return topUpPlan({
    throughput: targetThroughput,
    minIntervalMs: minTopupInterval,
    pollMs: everyMs,
    minBytes: minTopupAmount,
  })
}

/**
 * The one of this synchronizer, made where there is none; undefined where another server makes it
 * right now.
 */
async function topUpState(economy: Economy): Promise<Contract<ValidatorTopUpState> | undefined> {
  const {
    node: { synchronizerId },
    parties: { dso, operator, member },
    settings: { network },
  } = economy
  const migrationId = BigInt(network.migrationId)
  const find = async () =>
    (await economy.reader.all(validatorTopUpState, { validator: operator })).find(
      ({ payload }) =>
        payload.memberId === member &&
        payload.synchronizerId === synchronizerId &&
        payload.migrationId === migrationId,
    )
  const found = await find()
  if (found !== undefined) return found
  await submitForNetwork(economy, {
    actAs: [operator],
    commandId: `topup-state ${member} ${synchronizerId} ${migrationId}`,
    run: (tx) =>
      tx.create(validatorTopUpState, {
        dso,
        validator: operator,
        memberId: member,
        synchronizerId,
        migrationId,
        lastPurchasedAt: 0n,
      }),
  })
  return find()
}

/** A purchase that cannot be paid is not tried: it would cost traffic. */
async function canPay({ economy, log }: EconomyRun, { bytes }: TopUpPlan): Promise<boolean> {
  const [price, { amount }] = await Promise.all([
    trafficPrice(economy, bytes),
    economy.reader.total('unlocked', economy.parties.operator),
  ])
  if (price === undefined || amount >= price) return price !== undefined
  log.warn(
    { bytes: Number(bytes), price: formatDecimal(price), balance: formatDecimal(amount) },
    'the operator cannot pay for traffic',
  )
  return false
}

async function buy(
  { economy, treasury, log }: EconomyRun,
  { bytes, intervalMs }: TopUpPlan,
  state: Contract<ValidatorTopUpState>,
): Promise<void> {
  const { memberId, synchronizerId, migrationId } = state.payload
  const done = await treasury.enqueue(
    economy.parties.operator,
    {
      tag: 'CO_BuyMemberTraffic',
      value: {
        trafficAmount: bytes,
        memberId,
        synchronizerId,
        migrationId,
        minTopupInterval: intervalMs * 1_000n,
        topupStateCid: state.id,
        now: economy.clock.nowMicros(),
      },
    },
    { priority: 'high' },
  )
  if (done.ok)
    return log.info({ bytes: Number(bytes), updateId: done.updateId }, 'traffic was bought')
  const { status, message } = treasuryError(done)
  if (isShort(done))
    return log.warn(
      { bytes: Number(bytes), reason: message },
      'the operator cannot pay for traffic',
    )
  if (status === 400) throw new Error(`traffic was not bought: ${message}`)
}

/** Spent by others meanwhile. */
function isShort(failure: TreasuryRejection): boolean {
  return failure.kind === 'invalid-transfer' && failure.reason.tag === 'ITR_InsufficientFunds'
}
