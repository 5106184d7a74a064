// The operations of a wallet that take an id for what is to happen once, on a network in process:
// asked for in several ways, which name the same or another request, and counted by what the ledger
// holds of them.
import { parseDecimal } from '../../runtime/engine/index.ts'
import {
  buyTrafficRequest,
  coinTransferInstruction,
  transferOffer,
} from '../../runtime/contracts/index.ts'
import { NOTHING, START_MICROS, tapCoins } from './world.ts'
import type { World } from './world.ts'

const DAY = 86_400_000_000n
/** A time beyond all that tests let pass, and within what the network allows. */
const EXPIRES_AT = START_MICROS + 30n * DAY

export const OPERATIONS = ['offer', 'traffic', 'token', 'send', 'tap'] as const
export type OperationName = (typeof OPERATIONS)[number]

/** Two requests, the first of them in two writings. */
export const WAYS = ['1.5', '2.5', '1.50'] as const
export type Way = 0 | 1 | 2

/** The request of a way, as far as it differs. */
export function meant(way: Way): string {
  return way === 1 ? '2.5' : '1.5'
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
}

/** Alice has coin, and Bob can be paid at once. */
export async function fund(world: World, coins = 1_000n): Promise<void> {
  await tapCoins(world, 'operator', 1_000n)
  await tapCoins(world, 'alice', coins)
  await world.handlers.createTransferPreapproval(NOTHING, await world.as('bob'))
}

/** Asks as alice. The receiver of offers and transfers is the operator, who has no preapproval. */
export async function request(
  world: World,
  name: OperationName,
  id: string,
  way: Way = 0,
): Promise<Reply> {
  const { handlers } = world
  const [alice, amount] = [await world.as('alice'), WAYS[way]]
  const receiver_party_id = world.economy.parties.operator
  const offer = {
    receiver_party_id,
    amount,
    description: 'x',
    expires_at: EXPIRES_AT,
    tracking_id: id,
  }
  switch (name) {
    case 'offer':
      return handlers.createTransferOffer({ ...NOTHING, body: offer }, alice)
    case 'token':
      return handlers.createTokenStandardTransfer({ ...NOTHING, body: offer }, alice)
    case 'tap':
      return handlers.tap({ ...NOTHING, body: { amount, command_id: id } }, alice)
    case 'send':
      return handlers.transferPreapprovalSend(
        {
          ...NOTHING,
          body: {
            receiver_party_id: await world.partyOf('bob'),
            amount,
            deduplication_id: id,
          },
        },
        alice,
      )
    case 'traffic':
      return handlers.createBuyTrafficRequest(
        {
          ...NOTHING,
          body: {
            receiving_validator_party_id: receiver_party_id,
            domain_id: world.economy.node.synchronizerId,
            traffic_amount: BigInt(Number(meant(way)) * 1_000_000),
            expires_at: EXPIRES_AT,
            tracking_id: id,
          },
        },
        alice,
      )
  }
}

/** Counts and amounts of each effect: as the ledger has it. */
export async function effects(
  { economy: { reader } }: World,
  bob: string,
): Promise<Readonly<Record<OperationName, string>>> {
  const sorted = (amounts: readonly bigint[]): string => amounts.toSorted().join(' ')
  const [received, supply] = [await reader.total('unlocked', bob), await reader.total('supply', '')]
  return {
    offer: sorted((await reader.all(transferOffer)).map(({ payload }) => payload.amount.amount)),
    traffic: sorted(
      (await reader.all(buyTrafficRequest)).map(({ payload }) => payload.trafficAmount),
    ),
    token: sorted(
      (await reader.all(coinTransferInstruction)).map(({ payload }) => payload.transfer.amount),
    ),
    send: String(received.amount),
    tap: String(supply.amount),
  }
}

/**
 * The same, as it follows from what was asked for and answered with success, by operation; taps at
 * `usd` a coin.
 */
export function effectsOf(
  done: ReadonlyMap<OperationName, readonly Way[]>,
  before: Readonly<Record<OperationName, string>>,
  usd: bigint,
): Readonly<Record<OperationName, string>> {
  const amounts = (name: OperationName) =>
    (done.get(name) ?? []).map((way) => parseDecimal(meant(way)) ?? 0n)
  const sum = (name: OperationName) =>
    amounts(name).reduce((total, amount) => total + amount, BigInt(before[name]))
  const traffic = (done.get('traffic') ?? []).map((way) => BigInt(Number(meant(way)) * 1_000_000))
  const tapped = amounts('tap').reduce(
    (total, amount) => total + (amount * 10_000_000_000n) / usd,
    BigInt(before.tap),
  )
  return {
    offer: amounts('offer').toSorted().join(' '),
    traffic: traffic.toSorted().join(' '),
    token: amounts('token').toSorted().join(' '),
    send: String(sum('send')),
    tap: String(tapped),
  }
}

export { DAY }
