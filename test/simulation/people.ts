// What users do of their own accord: three times a day each, at times and of kinds that the seed
// decides, and what they do about what others sent them. Everything through the handlers that
// requests reach.
import { member } from '../../runtime/host/member.ts'
import { parseDecimal } from '../../runtime/engine/index.ts'
import { uniqueIdentifier } from '../../runtime/participant/topology/unique-identifier.ts'
import { PlainError } from '../../runtime/economy/errors.ts'
import { partyHint } from '../../runtime/economy/wallets/party-hint.ts'
import { ONE, textOf, times } from '../properties/model/arithmetic.ts'
import type { Dice } from '../drive/dice.ts'
import { feature } from '../drive/people.ts'
import type { Server, SimulatedNetwork } from './network.ts'
import { hostOutsider, moveOutsider, proposeMinting, sendOrder, setUpOutsider } from './outside.ts'
import type { Outsider } from './outside.ts'
import { DAY, HOUR, MINUTE, sendersTrustedBy } from './setting.ts'
import type { Cast, Setting } from './setting.ts'

const NOTHING = { path: {}, query: {}, headers: {}, cookies: {}, body: undefined } as const
/** USD a coin. */
const PRICE = ONE / 200n
const COINS_PER_USD = 200
/**
 * In which everybody gets what they begin with: at once it would take more traffic than there is.
 */
const SETTLING = 2n * HOUR
/** Time by which the automation has bought some traffic. */
const FIRST_TRAFFIC = 10n * MINUTE
const SHOP_BEGINS_WITH_USD = 25

interface Reply {
  readonly status: number
  readonly body?: unknown
}

export interface People {
  /** Party ids by name, the operator's among them. */
  readonly ids: ReadonlyMap<string, string>
  /** Plans what all do within a day from `from`. */
  plan(from: bigint): void
  /** Counts of each answer to each request. */
  readonly answers: ReadonlyMap<string, number>
  /** Answers that no request should have got. */
  readonly surprises: string[]
}

interface Town {
  readonly setting: Setting
  readonly cast: Cast
  readonly network: SimulatedNetwork
  readonly dice: Dice
  readonly ids: Map<string, string>
  readonly outsiders: Map<string, Outsider>
  /** Names of those who have a preapproval. */
  readonly preapproved: string[]
  readonly answers: Map<string, number>
  readonly surprises: string[]
  number: number
}

/** Lets everybody in, one after the other; who they will be is known before. */
export async function settlePeople(
  setting: Setting,
  cast: Cast,
  network: SimulatedNetwork,
  dice: Dice,
): Promise<People> {
  const town: Town = {
    setting,
    cast,
    network,
    dice,
    ids: new Map(),
    outsiders: new Map(),
    preapproved: [],
    answers: new Map(),
    surprises: [],
    number: 0,
  }
  const { settle, clock, clockwork } = network
  for (const operator of cast.operators) {
    const server = network.serverOf(operator)
    town.ids.set(operator, server.economy.parties.operator)
    // Each payment by a preapproval that it provides brings it a coupon.
    await feature(server.economy, server.economy.parties.operator)
  }
  for (const name of cast.hosted) {
    const { namespace } = network.serverOf(name).economy.node
    town.ids.set(name, uniqueIdentifier(partyHint(name, ''), namespace))
  }
  for (const name of cast.external) await host(town, name)
  for (const operator of cast.operators) await tap(town, operator, 5_000)
  for (const name of [cast.vault, ...cast.shops]) await onboard(town, name)
  await approve(town, cast.vault)
  await settle()
  const start = clock.nowMicros() + FIRST_TRAFFIC
  for (const [index, name] of [...cast.hosted, ...cast.external].entries()) {
    const act = cast.external.includes(name)
      ? () => settleOutsider(town, name)
      : () => settleHosted(town, name)
    clockwork.at(start + (BigInt(index + 1) * SETTLING) / BigInt(setting.users), act)
  }
  return {
    ids: town.ids,
    answers: town.answers,
    surprises: town.surprises,
    plan: (from) => planDay(town, from),
  }
}

async function onboard({ network, ids }: Town, name: string): Promise<void> {
  const done = await network.serverOf(name).onboarding.onboardUser({ name, identityProviderId: '' })
  if (!done.ok || done.partyId !== ids.get(name))
    throw new Error(done.ok ? `${name} is ${done.partyId}` : done.message)
}

async function host({ network, dice, ids, outsiders }: Town, name: string): Promise<void> {
  const outsider = await hostOutsider(network.serverOf(name), name, dice)
  ids.set(name, outsider.party)
  outsiders.set(name, outsider)
}

async function settleHosted(town: Town, name: string): Promise<void> {
  const { cast, dice, preapproved } = town
  const isShop = cast.shops.includes(name)
  await onboard(town, name)
  await tap(town, name, isShop ? SHOP_BEGINS_WITH_USD : dice.between(5, 50))
  if (!preapproved.includes(name) && (isShop || dice.chance(0.5))) await approve(town, name)
}

async function approve(town: Town, name: string): Promise<void> {
  town.preapproved.push(name)
  await asked(
    town,
    'preapproval',
    serverOf(town, name).wallets.createTransferPreapproval(
      { ...NOTHING },
      await town.network.as(name),
    ),
  )
}

async function settleOutsider(town: Town, name: string): Promise<void> {
  const { cast, dice, outsiders, preapproved } = town
  const outsider = outsiders.get(name)
  if (outsider === undefined) return
  await setUpOutsider(serverOf(town, name), outsider)
  preapproved.push(name)
  if (cast.delegating.includes(name)) await delegate(town, name, outsider)
  for (let paid = 0; paid < 2; paid += 1)
    await sendTo(town, operatorOf(town, name), name, `${dice.between(1_000, 4_000)}.0`)
}

async function delegate(town: Town, name: string, outsider: Outsider): Promise<void> {
  const server = serverOf(town, name)
  const proposal = await proposeMinting(server, outsider, 1n)
  const operator = await town.network.as(operatorOf(town, name))
  await asked(
    town,
    'delegation-accept',
    server.wallets.acceptMintingDelegationProposal(byId(proposal), operator),
  )
}

/** Shops and jars only take. */
function planDay(town: Town, from: bigint): void {
  const {
    cast: { hosted, external, shops, jars },
    setting: { transfersPerDay },
    network: { clockwork },
  } = town
  for (const name of [...hosted, ...external].filter(
    (one) => !shops.includes(one) && !jars.includes(one),
  )) {
    for (let number = 0; number < transfersPerDay; number += 1) {
      const act = external.includes(name)
        ? () => actOutside(town, name)
        : () => actHosted(town, name)
      clockwork.at(from + timeOfDay(town.dice), act)
    }
  }
  if (town.setting.nodes > 1)
    for (const name of external)
      clockwork.at(from + timeOfDay(town.dice), () => moveAway(town, name))
}

/**
 * To a node that is drawn; whoever is there already stays. The operator that it leaves mints no
 * more for it: that of its new node does.
 */
async function moveAway(town: Town, name: string): Promise<void> {
  const { cast, dice, network, outsiders } = town
  const node = dice.between(0, network.servers.length - 1)
  const [outsider, server] = [outsiders.get(name), network.servers[node]]
  if (outsider === undefined || server === undefined || node === network.homeOf(name)) return
  await moveOutsider(server, outsider)
  network.moved.set(name, node)
  if (cast.delegating.includes(name)) await delegate(town, name, outsider)
  note(town, 'move')
}

/** More at noon than in the morning; nobody pays while people settle. */
function timeOfDay(dice: Dice): bigint {
  const settled = FIRST_TRAFFIC + SETTLING
  return settled + BigInt(Math.floor(((dice.next() + dice.next()) / 2) * Number(DAY - settled)))
}

const KINDS = { offer: 25, twoStep: 22, send: 18, direct: 10, shop: 10, jar: 9, traffic: 4, tap: 2 }

async function actHosted(town: Town, name: string): Promise<void> {
  const { dice, cast } = town
  if (await isPoor(town, name)) await tap(town, name, dice.between(5, 50))
  switch (dice.kind(KINDS)) {
    case 'offer':
      return offer(town, name, other(town, name, town.cast.hosted))
    case 'twoStep':
      return twoStep(town, name)
    case 'send':
      return sendTo(town, name, other(town, name, town.preapproved), amountOf(dice))
    case 'direct':
      return direct(town, name)
    case 'shop':
      return sendTo(town, name, dice.pick(cast.shops), amountOf(dice, SHOP_LEAST_USD))
    case 'jar':
      return sendTo(town, name, dice.pick(cast.jars), amountOf(dice))
    case 'traffic':
      return buyTraffic(town, name)
    case 'tap':
      return tap(town, name, dice.between(5, 50))
  }
}

async function actOutside(town: Town, name: string): Promise<void> {
  const { dice, outsiders, network } = town
  const outsider = outsiders.get(name)
  if (outsider === undefined) return
  const receiver = idOf(town, other(town, name, town.preapproved))
  const order = {
    receiver,
    amount: amountOf(dice),
    expiresAt: network.clock.nowMicros() + 2n * HOUR,
  }
  const done = await sendOrder(serverOf(town, name), outsider, order)
  const said = done instanceof PlainError ? `${done.status}` : (done ?? 'waits')
  note(town, `order ${said}`)
  if (done instanceof PlainError)
    town.surprises.push(`an order of ${name} was refused: ${done.message}`)
}

/** Accepted, rejected, withdrawn, or left until it expires; some by automation. */
async function offer(town: Town, from: string, to: string): Promise<void> {
  const {
    cast,
    network: { clock, as },
  } = town
  const isAutomatic = sendersTrustedBy(cast, to).includes(from)
  const terms = transferTerms(town, to)
  const reply = await asked(
    town,
    'offer',
    serverOf(town, from).wallets.createTransferOffer({ ...NOTHING, body: terms }, await as(from)),
  )
  if (isAutomatic || reply.status !== 200) return
  const id = String(member(reply.body, 'offer_contract_id'))
  later(
    town,
    terms.expires_at - clock.nowMicros(),
    { accept: 70, reject: 8, withdraw: 8, expire: 14 },
    {
      accept: async () =>
        asked(
          town,
          'offer-accept',
          serverOf(town, to).wallets.acceptTransferOffer(byId(id), await as(to)),
        ),
      reject: async () =>
        asked(
          town,
          'offer-reject',
          serverOf(town, to).wallets.rejectTransferOffer(byId(id), await as(to)),
        ),
      withdraw: async () =>
        asked(
          town,
          'offer-withdraw',
          serverOf(town, from).wallets.withdrawTransferOffer(byId(id), await as(from)),
        ),
      expire: undefined,
    },
  )
}

async function twoStep(town: Town, from: string): Promise<void> {
  const {
    network: { clock, as },
    preapproved,
    cast,
    dice,
  } = town
  const others = cast.hosted.filter((name) => name !== from && !preapproved.includes(name))
  if (others.length === 0) return direct(town, from)
  const to = dice.pick(others)
  const terms = transferTerms(town, to)
  const reply = await asked(
    town,
    'two-step',
    serverOf(town, from).wallets.createTokenStandardTransfer(
      { ...NOTHING, body: terms },
      await as(from),
    ),
  )
  if (reply.status !== 200) return
  const id = String(member(member(reply.body, 'output'), 'transfer_instruction_cid'))
  later(
    town,
    terms.expires_at - clock.nowMicros(),
    { accept: 65, reject: 10, withdraw: 10, expire: 15 },
    {
      accept: async () =>
        asked(
          town,
          'two-step-accept',
          serverOf(town, to).wallets.acceptTokenStandardTransfer(byId(id), await as(to)),
        ),
      reject: async () =>
        asked(
          town,
          'two-step-reject',
          serverOf(town, to).wallets.rejectTokenStandardTransfer(byId(id), await as(to)),
        ),
      withdraw: async () =>
        asked(
          town,
          'two-step-withdraw',
          serverOf(town, from).wallets.withdrawTokenStandardTransfer(byId(id), await as(from)),
        ),
      expire: undefined,
    },
  )
}

type Fates<K extends string> = Readonly<Record<K, (() => Promise<unknown>) | undefined>>

/** One of the fates, while there is time. */
function later<K extends string>(
  town: Town,
  within: bigint,
  weights: Readonly<Record<K, number>>,
  fates: Fates<K>,
): void {
  const {
    dice,
    network: { clock, clockwork },
  } = town
  const fate = fates[dice.kind(weights)]
  const delay = BigInt(Math.floor(dice.next() * 0.9 * Number(within)))
  if (fate !== undefined) clockwork.at(clock.nowMicros() + delay, fate)
}

async function sendTo(town: Town, from: string, to: string, amount: string): Promise<void> {
  const body = {
    receiver_party_id: idOf(town, to),
    amount,
    deduplication_id: nameOf(town),
    description: 'thanks',
  }
  await asked(
    town,
    'send',
    serverOf(town, from).wallets.transferPreapprovalSend(
      { ...NOTHING, body },
      await town.network.as(from),
    ),
  )
}

async function direct(town: Town, from: string): Promise<void> {
  const terms = transferTerms(town, other(town, from, town.preapproved))
  await asked(
    town,
    'direct',
    serverOf(town, from).wallets.createTokenStandardTransfer(
      { ...NOTHING, body: terms },
      await town.network.as(from),
    ),
  )
}

/** A tenth asks for less than the network sells. */
async function buyTraffic(town: Town, from: string): Promise<void> {
  const {
    dice,
    network: { clock, as },
    cast,
  } = town
  const { economy, wallets } = serverOf(town, from)
  const [only] = cast.operators
  // Traffic is bought for any node.
  const receiving = cast.operators.length === 1 && only ? only : dice.pick(cast.operators)
  const bytes = dice.chance(0.1) ? dice.between(1, 199_999) : dice.between(200_000, 400_000)
  const body = {
    receiving_validator_party_id: idOf(town, receiving),
    domain_id: economy.node.synchronizerId,
    traffic_amount: BigInt(bytes),
    tracking_id: nameOf(town),
    expires_at: clock.nowMicros() + HOUR,
  }
  await asked(
    town,
    'traffic',
    wallets.createBuyTrafficRequest({ ...NOTHING, body }, await as(from)),
  )
}

async function tap(town: Town, name: string, usd: number): Promise<void> {
  const body = { amount: `${usd}.0`, command_id: nameOf(town) }
  await asked(
    town,
    'tap',
    serverOf(town, name).wallets.tap({ ...NOTHING, body }, await town.network.as(name)),
  )
}

const POOR_USD = 2n * ONE

async function isPoor(town: Town, name: string): Promise<boolean> {
  const { amount } = await serverOf(town, name).economy.reader.total('unlocked', idOf(town, name))
  return times(amount, PRICE) < POOR_USD
}

/** Few succeed who pay more than they have. */
function transferTerms(town: Town, to: string) {
  const {
    dice,
    network: { clock },
  } = town
  const expires_at = clock.nowMicros() + BigInt(dice.between(30, 24 * 60)) * MINUTE
  return {
    receiver_party_id: idOf(town, to),
    amount: amountOf(dice),
    description: 'lunch',
    expires_at,
    tracking_id: nameOf(town),
  }
}

const LEAST_USD = 0.01
const SHOP_LEAST_USD = 1
const MOST_USD = 5

/** An amount, of every size alike, with all ten places. */
function amountOf(dice: Dice, leastUsd = LEAST_USD): string {
  const coins = COINS_PER_USD * leastUsd * (MOST_USD / leastUsd) ** dice.next()
  const parsed = parseDecimal(coins.toFixed(4))
  return textOf((parsed ?? ONE) + BigInt(dice.between(0, 999_999)))
}

function other(town: Town, name: string, names: readonly string[]): string {
  return town.dice.pick(names.filter((one) => one !== name))
}

function serverOf({ network }: Town, name: string): Server {
  return network.serverOf(name)
}

/** The server of the node at which somebody is. */
function operatorOf({ cast, network }: Town, name: string): string {
  return cast.operators[network.homeOf(name)] ?? ''
}

function idOf({ ids }: Town, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`there is no ${name}`)
  return id
}

function nameOf(town: Town): string {
  town.number += 1
  return `t${town.number}`
}

function byId(contract_id: string) {
  return { ...NOTHING, path: { contract_id } }
}

/** A payer may find that too little is left; everything else has to go well. */
async function asked(town: Town, what: string, reply: Reply | Promise<Reply>): Promise<Reply> {
  const { status, body } = await reply
  note(town, `${what} ${status}`)
  const isShort = status === 400 && /insufficient|out of funds|missing/i.test(JSON.stringify(body))
  if (status !== 200 && !isShort)
    town.surprises.push(`${what} was answered ${status} ${JSON.stringify(body)}`)
  return { status, body }
}

function note({ answers }: Town, key: string): void {
  answers.set(key, (answers.get(key) ?? 0) + 1)
}
