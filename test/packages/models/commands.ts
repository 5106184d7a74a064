// Random commands: what an uploaded token, a trading app, a proxy and small contracts do, and the
// coin beside them. Who acts is right in most cases, and anybody in the others.
import type { Dice } from '../../drive/dice.ts'
import { exercise, path } from '../../interfaces/ledger-kit.ts'
import { account, legOf, settlementOf } from '../apps/values.ts'
import { create, EXTRA, interfaces, NO_META, token, tokenTemplate } from '../kit.ts'
import { released, releasedModule, wire } from '../released.ts'
import { stakeholdersOf } from './judge.ts'
import type { Held } from './judge.ts'
import { CHOICES } from './rules.ts'
import type { Command, World } from './world.ts'

type Kind = (world: World, dice: Dice) => Command | undefined

const PROBE = '#probes:Probes:Probe'
const NOTE = '#notes:Notes:Note'
const APP = `#${released('token-test-trading-app-v2')}:${releasedModule('Testing.Apps.TradingAppV2')}`
const PROXY = `#${released('util-featured-app-proxies')}:${releasedModule('Util.FeaturedApp.WalletUserProxy')}:WalletUserProxy`
const RULES = `#${released(wire('coin'))}:${releasedModule(wire('CoinRules'))}:${wire('CoinRules')}`
const UNIT = 10n ** 10n
/** The coin is locked for some months at most. */
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString()

const traders = ({ parties: { alice, bob, stranger } }: World): readonly string[] => [
  alice,
  bob,
  stranger,
]
const trader = (world: World, dice: Dice): string => dice.pick(traders(world))
const anybody = (world: World, dice: Dice): string => dice.pick(Object.values(world.parties))

function decimal(units: bigint): string {
  const digits = String(units).padStart(11, '0')
  return `${digits.slice(0, -10)}.${digits.slice(-10)}`
}

/** A little, or some whole units. */
const amount = (dice: Dice, most: number): bigint =>
  dice.chance(0.3) ? BigInt(dice.between(1, 10 ** 9)) : BigInt(dice.between(1, most)) * UNIT

/** Parties that should act, or others: it may be done only if they are all of `needed`. */
function actors(
  world: World,
  dice: Dice,
  needed: readonly string[],
): Pick<Command, 'actAs' | 'isDone'> {
  if (dice.chance(0.75)) return { actAs: [...new Set(needed)] }
  const actAs = [anybody(world, dice), ...dice.some(needed, 2)]
  const isEnough = needed.every((party) => actAs.includes(party))
  return { actAs: [...new Set(actAs)], ...(isEnough ? {} : { isDone: false }) }
}

/** An exercise of a contract, whose rules say who acts. */
function exercised(
  world: World,
  dice: Dice,
  { id, payload, signatories, templateId, name }: Held,
  [choice, argument, on = templateId]: readonly [choice: string, argument: object, on?: string],
): Command {
  const needed = (CHOICES[choice]?.actors(payload, argument) ?? signatories).map(String)
  return {
    what: `${choice} of a ${name}`,
    ...actors(world, dice, needed),
    command: exercise(on, id, choice, argument),
  }
}

const mint: Kind = (world, dice) => {
  const { admin } = world.parties
  const [owner, units] = [trader(world, dice), amount(dice, 20)]
  const payload = token(owner, admin, decimal(units))
  return {
    what: 'create a Token',
    ...actors(world, dice, [owner, admin]),
    command: create(tokenTemplate('Token'), payload),
    makes: [['gold', units]],
  }
}

const tap: Kind = (world, dice) => {
  const { coinRules, openRound } = world.service
  const [receiver, units] = [trader(world, dice), amount(dice, 20)]
  const argument = { receiver, amount: decimal(units), openRound }
  return {
    what: 'tap',
    ...actors(world, dice, [receiver]),
    command: exercise(RULES, coinRules, wire('CoinRules_DevNet_Tap'), argument),
    makes: [['coin', units]],
  }
}

interface Instrument {
  readonly admin: string
  readonly id: string
  readonly holding: string
  /** Factory and context of its choices. */
  readonly factory: Held | undefined
  readonly extraArgs: object
}

function instrument(world: World, dice: Dice): Instrument {
  const { service, parties } = world
  const gold: Instrument = {
    admin: parties.admin,
    id: 'Gold',
    holding: 'Token',
    factory: world.all('TokenRules')[0],
    extraArgs: EXTRA,
  }
  const coin: Instrument = {
    admin: service.dso,
    id: wire('Coin'),
    holding: wire('Coin'),
    factory: world.active.get(service.factory),
    extraArgs: coinContext(world),
  }
  return dice.chance(0.6) ? gold : coin
}

function coinContext({ service }: World): object {
  const expiring = { 'expire-lock': { tag: 'AV_Bool', value: true } }
  return { context: { values: { ...service.context, ...expiring } }, meta: NO_META }
}

/** The owner of a holding of either instrument. */
const ownerOf = ({ payload }: Held): unknown =>
  path(payload, 'holding', 'owner') ?? path(payload, 'owner')

/** The latest holdings of a party, or any. */
function inputs(world: World, dice: Dice, owner: string, holding: string): readonly string[] {
  const all = world.all(holding)
  const own = all.filter((held) => ownerOf(held) === owner)
  const some = dice.chance(0.8) ? own.slice(-5) : dice.some(all, 4)
  return some.map(({ id }) => id)
}

/** A party that has something to send, in most cases. */
function sender(world: World, dice: Dice, { holding }: Instrument): string {
  const owners = world.all(holding).map((held) => String(ownerOf(held)))
  return owners.length > 0 && dice.chance(0.9) ? dice.pick(owners) : trader(world, dice)
}

function transferArgument(
  world: World,
  dice: Dice,
  { admin, id, extraArgs }: Instrument,
  of: { readonly sender: string; readonly inputHoldingCids: readonly string[] },
): object {
  const transfer = {
    ...of,
    receiver: trader(world, dice),
    amount: decimal(amount(dice, 3)),
    instrumentId: { admin, id },
    requestedAt: inHours(-1),
    executeBefore: inHours(1),
    meta: NO_META,
  }
  return { expectedAdmin: admin, transfer, extraArgs }
}

const transfer: Kind = (world, dice) => {
  const of = instrument(world, dice)
  const from = sender(world, dice, of)
  const inputHoldingCids = inputs(world, dice, from, of.holding)
  const argument = transferArgument(world, dice, of, { sender: from, inputHoldingCids })
  return (
    of.factory &&
    exercised(world, dice, of.factory, [
      'TransferFactory_Transfer',
      argument,
      interfaces.transferFactory,
    ])
  )
}

/** Two transfers at once, now and then of the same holdings. */
const batch: Kind = (world, dice) => {
  const [proxy] = world.all('WalletUserProxy')
  const of = instrument(world, dice)
  const { factory, holding } = of
  if (proxy === undefined || factory === undefined) return undefined
  const from = sender(world, dice, of)
  const [first = '', ...rest] = inputs(world, dice, from, holding)
  const others = rest.length === 0 || dice.chance(0.2) ? [first] : rest
  const transferCalls = [[first], others].map((inputHoldingCids) => ({
    factoryCid: factory.id,
    choiceArg: transferArgument(world, dice, of, { sender: from, inputHoldingCids }),
  }))
  const argument = { transferCalls, optFeaturedAppRightCid: null }
  return first === ''
    ? undefined
    : exercised(world, dice, proxy, ['WalletUserProxy_BatchTransfer', argument, PROXY])
}

const instructions = ['TokenTransferOffer', wire('CoinTransferInstruction')]
const allocations = ['TokenAllocation', wire('CoinAllocation')]

/** Ends something that waits, in one of the ways that its interface has. */
const end =
  (names: readonly string[], on: string, choices: readonly string[]): Kind =>
  (world, dice) => {
    const all = world.all(...names)
    if (all.length === 0) return undefined
    const held = dice.pick(all)
    const extraArgs = coinContext(world)
    return exercised(world, dice, held, [dice.pick(choices), { extraArgs }, on])
  }

const trade: Kind = (world, dice) => {
  if (world.all('OTCTrade').length > 1) return undefined
  const { venue, admin, alice, bob } = world.parties
  const { dso } = world.service
  const leg = (transferLegId: string, instrumentId: string, sender: string, receiver: string) => ({
    transferLegId,
    sender: account(sender),
    receiver: account(receiver),
    amount: '2',
    instrumentId,
    meta: NO_META,
  })
  const payload = {
    venue,
    tradeLegs: [
      { admin, leg: leg('gold', 'Gold', alice, bob) },
      { admin: dso, leg: leg('payment', wire('Coin'), bob, alice) },
    ],
    createdAt: inHours(-1),
    settleAt: inHours(1),
    settlementDeadline: inHours(2),
  }
  return {
    what: 'create an OTCTrade',
    ...actors(world, dice, [venue]),
    command: create(`${APP}:OTCTrade`, payload),
  }
}

const LEGS = [
  ['gold', 'TokenAllocation'],
  ['payment', wire('CoinAllocation')],
] as const

const allocate: Kind = (world, dice) => {
  const { parties } = world
  const trades = world.all('OTCTrade')
  if (trades.length === 0) return undefined
  const { id: cid, payload } = dice.pick(trades)
  const of = instrument(world, dice)
  const [from, receiver] =
    of.id === 'Gold' ? [parties.alice, parties.bob] : [parties.bob, parties.alice]
  const { admin, id, holding, factory, extraArgs } = of
  const settlement = settlementOf(
    { ...parties, bank: parties.stranger },
    {
      settlementRef: { id: 'OTCTradeProposal', cid },
      requestedAt: path(payload, 'createdAt'),
      allocateBefore: path(payload, 'settleAt'),
      settleBefore: path(payload, 'settlementDeadline'),
    },
  )
  const transferLeg = legOf(
    { ...parties, bank: parties.stranger },
    { sender: from, receiver, instrumentId: { admin, id } },
  )
  const argument = {
    expectedAdmin: admin,
    allocation: { settlement, transferLegId: of.id === 'Gold' ? 'gold' : 'payment', transferLeg },
    requestedAt: inHours(-1),
    inputHoldingCids: inputs(world, dice, from, holding),
    extraArgs,
  }
  return (
    factory &&
    exercised(world, dice, factory, [
      'AllocationFactory_Allocate',
      argument,
      interfaces.allocationFactory,
    ])
  )
}

/** Delivery against payment. */
const settle: Kind = (world, dice) => {
  const trades = world.all('OTCTrade')
  if (trades.length === 0) return undefined
  const held = dice.pick(trades)
  const { parties, service } = world
  const agreement = (party: string): unknown =>
    world.all('TradeSettlementAgreement').find(({ payload }) => path(payload, 'trader') === party)
      ?.id
  const batches = LEGS.flatMap(([leg, template]) => {
    const found = world
      .all(template)
      .filter(
        ({ payload }) =>
          path(payload, 'allocation', 'settlement', 'settlementRef', 'cid') === held.id,
      )
    if (found.length === 0) return []
    const isGold = leg === 'gold'
    const [from, to] = isGold ? [parties.alice, parties.bob] : [parties.bob, parties.alice]
    const value = {
      allocationCid: dice.pick(found).id,
      extraArgs: isGold ? EXTRA : coinContext(world),
      senderAgreementCid: agreement(from),
      receiverAgreementCid: agreement(to),
    }
    const of = { tag: 'SettlementBatchV1', value: { allocationsWithContext: { [leg]: value } } }
    return [[isGold ? parties.admin : service.dso, of]]
  })
  if (batches.length < LEGS.length && dice.chance(0.8)) return undefined
  const argument = { batchesByAdmin: batches, allocationRequests: [] }
  return exercised(world, dice, held, ['OTCTrade_Settle', argument])
}

const probe: Kind = (world, dice) => {
  const [owner, seer] = [anybody(world, dice), anybody(world, dice)]
  const isAllowed = actors(world, dice, [owner])
  return {
    what: 'create a Probe',
    isDone: true,
    ...isAllowed,
    command: create(PROBE, { owner, seer }),
    leaves: 1,
  }
}

const some = (world: World, dice: Dice, name: string): Held | undefined => {
  const all = world.all(name)
  return all.length === 0 ? undefined : dice.pick(all)
}

const touch: Kind = (world, dice) => {
  const held = some(world, dice, 'Probe')
  return (
    held && {
      isDone: true,
      ...exercised(world, dice, held, ['Touch', { watcher: anybody(world, dice) }, PROBE]),
      leaves: 1,
    }
  )
}

/** Makes a contract that another party would have signed, who may be there at the root. */
const forge: Kind = (world, dice) => {
  const held = some(world, dice, 'Probe')
  if (held === undefined) return undefined
  const owner = anybody(world, dice)
  const command = exercised(world, dice, held, ['Forge', { owner }, PROBE])
  const actAs = [...new Set([...command.actAs, ...(dice.chance(0.5) ? [owner] : [])])]
  return {
    ...command,
    actAs,
    isDone: path(held.payload, 'owner') === owner && actAs.includes(owner),
  }
}

/** Fetches a contract: by one of its stakeholders only. */
const look: Kind = (world, dice) => {
  const [held, at] = [some(world, dice, 'Probe'), some(world, dice, 'Probe')]
  if (held === undefined || at === undefined) return undefined
  const command = exercised(world, dice, held, ['Look', { at: at.id }, PROBE])
  const sees = stakeholdersOf(at).has(String(path(held.payload, 'owner')))
  return { ...command, isDone: sees && command.isDone !== false, leaves: 0 }
}

const note: Kind = (world, dice) => {
  const owner = anybody(world, dice)
  return {
    what: 'create a Note',
    ...actors(world, dice, [owner]),
    command: create(NOTE, { owner }),
  }
}

/** Makes a contract, and throws what it catches. */
const caught: Kind = (world, dice) => {
  const held = some(world, dice, 'Note')
  return held && { ...exercised(world, dice, held, ['Catch', {}, NOTE]), leaves: 0 }
}

const thrown: Kind = (world, dice) => {
  const held = some(world, dice, 'Note')
  return held && { ...exercised(world, dice, held, ['Throw', {}, NOTE]), isDone: false }
}

/** Uses what the actor may not see: only who is shown it may. */
const sneak: Kind = (world, dice) => {
  const [rules] = world.all('TokenRules')
  if (rules === undefined) return undefined
  const actor = anybody(world, dice)
  const argument = { expectedAdmin: world.parties.admin, actor }
  const isShown = dice.chance(0.5)
  return {
    what: 'look at the admin of a factory',
    actAs: [actor],
    ...(isShown ? {} : { readAs: [] }),
    command: exercise(
      interfaces.transferFactory,
      rules.id,
      'TransferFactory_PublicFetch',
      argument,
    ),
    isDone: isShown || stakeholdersOf(rules).has(actor),
  }
}

const KINDS: readonly (readonly [weight: number, kind: Kind])[] = [
  [4, mint],
  [4, tap],
  [6, transfer],
  [4, batch],
  [
    6,
    end(instructions, interfaces.transferInstruction, [
      'TransferInstruction_Accept',
      'TransferInstruction_Reject',
      'TransferInstruction_Withdraw',
    ]),
  ],
  [2, trade],
  [8, allocate],
  [
    3,
    end(allocations, interfaces.allocation, [
      'Allocation_ExecuteTransfer',
      'Allocation_Cancel',
      'Allocation_Withdraw',
    ]),
  ],
  [8, settle],
  [2, probe],
  [3, touch],
  [2, forge],
  [2, look],
  [1, note],
  [1, caught],
  [1, thrown],
  [1, sneak],
]

/** A random command, about what there is. */
export function commandOf(world: World, dice: Dice): Command {
  for (;;) {
    const command = dice.weighted(KINDS)(world, dice)
    if (command !== undefined) return command
  }
}

/** Commands that an episode begins with. */
export function beginning({ parties }: World): readonly Command[] {
  const { admin, venue, alice, bob } = parties
  const by = (actAs: readonly string[], template: string, payload: object): Command => ({
    what: `begin with ${template}`,
    actAs,
    command: create(template, payload),
    isDone: true,
  })
  const agreement = (trader: string): Command =>
    by([venue, trader], `${APP}:TradeSettlementAgreement`, { venue, trader })
  const proxy = {
    provider: venue,
    providerWeight: '1',
    userWeight: '0',
    extraBeneficiaries: [],
    optAllowList: null,
  }
  return [
    by([admin], tokenTemplate('TokenRules'), { admin }),
    agreement(alice),
    agreement(bob),
    by([venue], PROXY, proxy),
  ]
}
