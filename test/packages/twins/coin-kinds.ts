// Kinds of random commands on the coin: what each exercises, on what, with what.
import { formatDecimal } from '../../../runtime/engine/index.ts'
import { instrumentId } from '../../../runtime/contracts/index.ts'
import { member } from '../../../runtime/host/member.ts'
import { DAY, DSO, SECOND } from '../../support/ledger.ts'
import { path } from '../../interfaces/ledger-kit.ts'
import { ALL, APP, USERS, VALIDATOR } from './coin-world.ts'
import type { CoinWorld, Kind, Kinds } from './coin-world.ts'
import type { Draw } from './draw.ts'
import type { Command, Twin } from './twin-ledgers.ts'

/** A user of the validator. */
export const user = (draw: Draw): string => draw.one(USERS) ?? VALIDATOR

/** A choice of the rules, about contracts of a template where one is given. */
const byRules =
  (
    choice: string,
    make: (world: CoinWorld, draw: Draw) => Omit<Command, 'on' | 'choice'> | undefined,
    about?: string,
  ): Kind =>
  (world, draw) => {
    if (about !== undefined && world.all(about).length === 0) return undefined
    const made = make(world, draw)
    return made && { on: world.rules, choice, ...made }
  }

/** A choice of one of the contracts of a template. */
export const on =
  (
    template: string,
    choice: string,
    make: (of: Twin, world: CoinWorld, draw: Draw) => Omit<Command, 'on' | 'choice'> | undefined,
  ): Kind =>
  (world, draw) => {
    const found = draw.one(world.all(template))
    const made = found && make(found, world, draw)
    return made && { on: found, choice, ...made }
  }

/** The texts among values, each once. */
export const texts = (...values: readonly unknown[]): readonly string[] => [
  ...new Set(values.filter((one) => typeof one === 'string')),
]

const NO_META = { values: {} }

function lockOf(world: CoinWorld, draw: Draw): object | null {
  if (!draw.rarely(3)) return null
  const holders = [DSO, ...draw.some(USERS, 1)]
  return { holders, expiresAt: world.at(BigInt(draw.below(4)) * 400n * SECOND), optContext: null }
}

const transfer = byRules('CoinRules_Transfer', (world, draw) => {
  const [sender, provider] = [user(draw), user(draw)]
  const outputs = Array.from({ length: draw.below(3) }, () => ({
    receiver: user(draw),
    receiverFeeRatio: '0.0000000000',
    amount: draw.amount(),
    lock: lockOf(world, draw),
  }))
  const inputs = world.inputs(draw, sender)
  const argument = {
    transfer: { sender, provider, inputs, outputs },
    context: world.context(draw, sender, draw.rarely(2) ? provider : undefined),
    expectedDso: DSO,
  }
  return { actAs: draw.rarely(10) ? [sender] : ALL, argument }
})

const tap = byRules('CoinRules_DevNet_Tap', (world, draw) => {
  const receiver = user(draw)
  return {
    actAs: [receiver],
    argument: {
      receiver,
      amount: draw.amount(),
      openRoundCid: draw.one(world.opened('OpenMiningRound'))?.label,
    },
  }
})

/** Keys of a choice's context, as a registry gives them. */
function extraArgs(
  world: CoinWorld,
  _draw: Draw,
  more: Readonly<Record<string, object>> = {},
): object {
  const values = {
    'coin-rules': { tag: 'AV_ContractId', value: world.rules.label },
    'open-round': { tag: 'AV_ContractId', value: world.openRounds[0]?.label },
    ...more,
  }
  return { context: { values }, meta: NO_META }
}

/** A command of the token standard, with what newer packages want in the context besides. */
export function byStandard(world: CoinWorld, command: Omit<Command, 'released'>): Command {
  const { argument } = command
  const values = {
    ...Object(path(argument, 'extraArgs', 'context', 'values')),
    ...world.externalConfig,
  }
  const extra = { context: { values }, meta: NO_META }
  return { ...command, released: { argument: { ...argument, extraArgs: extra } } }
}

const unlocking = (world: CoinWorld, draw: Draw): object =>
  extraArgs(world, draw, { 'expire-lock': { tag: 'AV_Bool', value: !draw.rarely(5) } })

/** The argument of a transfer by the token standard. */
export function transferArgument(
  world: CoinWorld,
  draw: Draw,
  { sender, receiver }: { readonly sender: string; readonly receiver: string },
): object {
  const holdings = draw.some([...world.coins(sender), ...world.all('LockedCoin', sender)], 3)
  const preapproval = world
    .all('TransferPreapproval')
    .find(({ payload }) => member(payload, 'receiver') === receiver)
  return {
    expectedAdmin: DSO,
    transfer: {
      sender,
      receiver,
      amount: draw.amount(),
      instrumentId: { admin: DSO, id: instrumentId() },
      requestedAt: world.at(draw.rarely(10) ? SECOND : -SECOND),
      executeBefore: world.at(BigInt(draw.below(4)) * 500n * SECOND),
      inputHoldingCids: holdings.map(({ label }) => label),
      meta: draw.rarely(3) ? { values: { 'example.org/note': 'x' } } : NO_META,
    },
    extraArgs: extraArgs(
      world,
      draw,
      preapproval && draw.rarely(2)
        ? { 'transfer-preapproval': { tag: 'AV_ContractId', value: preapproval.label } }
        : {},
    ),
  }
}

const offer: Kind = (world, draw) => {
  const [sender, receiver] = [user(draw), user(draw)]
  return byStandard(world, {
    on: world.factory,
    choice: 'TransferFactory_Transfer',
    actAs: [sender],
    argument: transferArgument(world, draw, { sender, receiver }),
  })
}

const instruction = (choice: string, who: 'sender' | 'receiver', args: typeof extraArgs): Kind =>
  on('CoinTransferInstruction', choice, (of, world, draw) =>
    byStandard(world, {
      on: of,
      choice,
      actAs: texts(path(of.payload, 'transfer', draw.rarely(10) ? 'sender' : who)),
      argument: { extraArgs: args(world, draw) },
    }),
  )

const allocate: Kind = (world, draw) => {
  const [sender, receiver] = [user(draw), user(draw)]
  const holdings = draw.some([...world.coins(sender), ...world.all('LockedCoin', sender)], 3)
  const until = BigInt(draw.below(4)) * 300n * SECOND
  const argument = {
    expectedAdmin: DSO,
    allocation: {
      settlement: {
        executor: APP,
        settlementRef: { id: 'trade', cid: null },
        requestedAt: world.at(-SECOND),
        allocateBefore: world.at(until),
        settleBefore: world.at(until + BigInt(draw.below(4) - 1) * 200n * SECOND),
        meta: NO_META,
      },
      transferLegId: 'leg',
      transferLeg: {
        sender,
        receiver,
        amount: draw.amount(),
        instrumentId: { admin: DSO, id: instrumentId() },
        meta: NO_META,
      },
    },
    requestedAt: world.at(-SECOND),
    inputHoldingCids: holdings.map(({ label }) => label),
    extraArgs: extraArgs(world, draw),
  }
  return byStandard(world, {
    on: world.factory,
    choice: 'AllocationFactory_Allocate',
    actAs: [sender],
    argument,
  })
}

const allocation = (choice: string, alone: boolean, args: typeof extraArgs): Kind =>
  on('CoinAllocation', choice, (of, world, draw) => {
    const party = (name: string): unknown => path(of.payload, 'allocation', 'transferLeg', name)
    const actAs = alone ? texts(party('sender')) : texts(APP, party('sender'), party('receiver'))
    return byStandard(world, { on: of, choice, actAs, argument: { extraArgs: args(world, draw) } })
  })

const unlock = (choice: string): Kind =>
  on('LockedCoin', choice, ({ payload }, world) => ({
    actAs: choice === 'LockedCoin_Unlock' ? ALL : texts(path(payload, 'coin', 'owner')),
    argument: {},
    released: world.isNewest
      ? { choice: `${choice}V2` }
      : { argument: { openRoundCid: world.openRounds[0]?.label } },
  }))

/** Dust, of newer packages by the latest two configuration states. */
const expire = (template: string, choice: string): Kind =>
  on(template, choice, (_of, world) => {
    const argument = { openRoundCid: world.openRounds[0]?.label }
    if (!world.isNewest) return { actAs: [DSO], argument }
    const [first, second] = world.all('ExternalPartyConfigState').slice(-2)
    const states = {
      externalPartyConfigState0Cid: first?.label,
      externalPartyConfigState1Cid: second?.label,
    }
    return (
      second && { actAs: [DSO], argument, released: { choice: `${choice}V2`, argument: states } }
    )
  })

const createPreapproval = byRules('CoinRules_CreateTransferPreapproval', (world, draw) => {
  const receiver = user(draw)
  const context = world.context(draw, VALIDATOR)
  const argument = {
    receiver,
    provider: VALIDATOR,
    inputs: world.inputs(draw, VALIDATOR),
    expiresAt: world.at(BigInt(draw.below(120)) * DAY),
    expectedDso: DSO,
  }
  return {
    actAs: [receiver, VALIDATOR],
    argument: { ...argument, context, createdAt: world.at(0n) },
    released: { argument: { ...argument, context: { coinRules: world.rules.label, context } } },
  }
})

const renew = on('TransferPreapproval', 'TransferPreapproval_Renew', (_of, world, draw) => ({
  actAs: [VALIDATOR],
  argument: {
    context: world.payment(draw, VALIDATOR),
    inputs: world.inputs(draw, VALIDATOR),
    newExpiresAt: world.at(BigInt(draw.below(200)) * DAY),
  },
}))

const send = on('TransferPreapproval', 'TransferPreapproval_Send', (_of, world, draw) => {
  const sender = user(draw)
  return {
    actAs: [sender],
    argument: {
      context: world.payment(draw, sender, draw.rarely(2) ? VALIDATOR : undefined),
      inputs: world.inputs(draw, sender),
      amount: draw.amount(),
      sender,
      description: draw.rarely(2) ? 'thanks' : null,
    },
  }
})

const cancel = on('TransferPreapproval', 'TransferPreapproval_Cancel', (_of, _world, draw) => {
  const actor = user(draw)
  return { actAs: [actor], argument: { p: actor } }
})

const buyTraffic = byRules('CoinRules_BuyMemberTraffic', (world, draw) => {
  const provider = user(draw)
  return {
    actAs: [provider],
    argument: {
      inputs: world.inputs(draw, provider),
      context: world.context(draw, provider),
      provider,
      memberId: 'PAR::node::12',
      synchronizerId: 'net::12',
      migrationId: '0',
      trafficAmount: String(draw.below(3) * 150_000 + 150_000),
      expectedDso: DSO,
    },
  }
})

const advance = byRules('CoinRules_AdvanceOpenMiningRounds', (world, draw) => {
  const [oldest, middle, latest] = world.openRounds
  if (latest === undefined || oldest === undefined || middle === undefined) return undefined
  // Too early, now and then.
  const wait = draw.rarely(4) ? 0n : 1800n * SECOND
  return {
    actAs: [DSO],
    argument: {
      conversionRate: formatDecimal(BigInt(draw.below(1000) + 1) * 10n ** 7n),
      roundToArchiveCid: oldest.label,
      middleRoundCid: middle.label,
      latestRoundCid: latest.label,
      now: world.at(wait),
    },
    wait,
  }
})

const issue = byRules('CoinRules_MiningRound_StartIssuing', (world, draw) => {
  const round = draw.one(world.all('SummarizingMiningRound'))
  // Of next to nothing, roundings can make more than the cap; released.test.ts
  const count = (): string => `${draw.below(1000) * draw.below(1000)}.0000000000`
  return (
    round && {
      actAs: [DSO],
      argument: {
        miningRoundCid: round.label,
        summary: {
          totalValidatorRewardCoupons: count(),
          totalFeaturedAppRewardCoupons: count(),
          totalUnfeaturedAppRewardCoupons: count(),
          totalSvRewardWeight: String(draw.below(50)),
          optTotalValidatorFaucetCoupons: String(draw.below(20)),
        },
        now: world.at(0n),
      },
    }
  )
})

const close = byRules('CoinRules_MiningRound_Close', (world, draw) => {
  const round = draw.one(world.all('IssuingMiningRound'))
  return round && { actAs: [DSO], argument: { issuingRoundCid: round.label } }
})

const archiveRound = byRules('CoinRules_MiningRound_Archive', (world, draw) => {
  const round = draw.one(world.all('ClosedMiningRound'))
  return round && { actAs: [DSO], argument: { closedRoundCid: round.label } }
})

/** Shares in a round that is over or about to be, of a user. */
const coupon: Kind = (world, draw) => {
  const round = { number: String(draw.below(4)) }
  const [owner, amount] = [user(draw), draw.amount()]
  const kinds: readonly (readonly [string, object])[] = [
    [
      'AppRewardCoupon',
      {
        provider: owner,
        featured: draw.rarely(2),
        amount,
        round,
        beneficiary: draw.rarely(2) ? user(draw) : null,
      },
    ],
    ['ValidatorRewardCoupon', { user: owner, amount, round }],
    [
      'SvRewardCoupon',
      { sv: owner, beneficiary: user(draw), round, weight: String(draw.below(9)) },
    ],
    ['ValidatorLivenessActivityRecord', { validator: owner, round }],
    [
      'UnclaimedActivityRecord',
      {
        beneficiary: owner,
        amount,
        reason: 'work',
        expiresAt: world.at(BigInt(draw.below(4)) * 500n * SECOND),
      },
    ],
    [
      'DevelopmentFundCoupon',
      {
        beneficiary: owner,
        fundManager: APP,
        amount,
        expiresAt: world.at(BigInt(draw.below(4)) * 500n * SECOND),
        reason: 'work',
      },
    ],
    ['UnclaimedReward', { amount }],
    ['UnclaimedDevelopmentFundCoupon', { amount }],
  ]
  const [template = '', payload = {}] = draw.one(kinds) ?? []
  return { create: template, actAs: [DSO], payloads: [{ dso: DSO, ...payload }] }
}

const labels = (all: readonly Twin[]): readonly string[] => all.map(({ label }) => label)

const claimExpired = byRules('CoinRules_ClaimExpiredRewards', (world, draw) => {
  const round = draw.one(world.all('ClosedMiningRound'))
  if (round === undefined) return undefined
  const of = (template: string): readonly string[] =>
    labels(
      world
        .all(template)
        .filter(
          ({ payload }) =>
            path(payload, 'round', 'number') === path(round.payload, 'round', 'number'),
        ),
    )
  return {
    actAs: [DSO],
    argument: {
      closedRoundCid: round.label,
      validatorRewardCouponCids: of('ValidatorRewardCoupon'),
      appRewardCouponCids: of('AppRewardCoupon'),
      svRewardCouponCids: of('SvRewardCoupon'),
      validatorLivenessActivityRecordCids: of('ValidatorLivenessActivityRecord'),
    },
  }
})

const mergeRewards = byRules(
  'CoinRules_MergeUnclaimedRewards',
  (world, draw) => ({
    actAs: [DSO],
    argument: { unclaimedRewardCids: labels(draw.some(world.all('UnclaimedReward'), 4)) },
  }),
  'UnclaimedReward',
)

const mergeTraffic = byRules(
  'CoinRules_MergeMemberTrafficContracts',
  (world, draw) => ({
    actAs: [DSO],
    argument: { trafficCids: labels(draw.some(world.all('MemberTraffic'), 4)) },
  }),
  'MemberTraffic',
)

const mint = byRules('CoinRules_Mint', (world, draw) => {
  const receiver = user(draw)
  return {
    actAs: [DSO, receiver],
    argument: { receiver, amount: draw.amount(), openRoundCid: world.openRounds[0]?.label },
  }
})

const featureApp = byRules('CoinRules_DevNet_FeatureApp', (_world, draw) => {
  const provider = user(draw)
  return { actAs: [provider], argument: { provider } }
})

const unfeatureApp = on('FeaturedAppRight', 'FeaturedAppRight_Cancel', ({ payload }) => ({
  actAs: texts(member(payload, 'provider')),
  argument: {},
}))

const licence: Kind = (_world, draw) => {
  const validator = user(draw)
  return {
    create: 'ValidatorLicense',
    actAs: [DSO],
    payloads: [
      {
        validator,
        sponsor: validator,
        dso: DSO,
        faucetState: null,
        metadata: null,
        lastActiveAt: null,
      },
    ],
  }
}

const live = on(
  'ValidatorLicense',
  'ValidatorLicense_RecordValidatorLivenessActivity',
  ({ payload }, world, draw) => ({
    actAs: texts(member(payload, 'validator')),
    argument: { openRoundCid: world.openRound(draw), now: world.at(0n) },
  }),
)

const reportActive = on(
  'ValidatorLicense',
  'ValidatorLicense_ReportActive',
  ({ payload }, world) => ({
    actAs: texts(member(payload, 'validator')),
    argument: { now: world.at(0n) },
  }),
)

const updateMetadata = on(
  'ValidatorLicense',
  'ValidatorLicense_UpdateMetadata',
  ({ payload }, world) => ({
    actAs: texts(member(payload, 'validator')),
    argument: { version: '1.0.0', contactPoint: 'somebody', now: world.at(0n) },
  }),
)

const allocateFund = byRules(
  'CoinRules_AllocateDevelopmentFundCoupon',
  (world, draw) => ({
    actAs: [draw.rarely(6) ? VALIDATOR : APP],
    argument: {
      unclaimedDevelopmentFundCouponCids: labels(
        draw.some(world.all('UnclaimedDevelopmentFundCoupon'), 3),
      ),
      beneficiary: user(draw),
      fundManager: APP,
      amount: draw.amount(),
      expiresAt: world.at(BigInt(draw.below(4)) * 500n * SECOND),
      reason: 'work',
      mintAfter: null,
      now: world.at(0n),
    },
  }),
  'UnclaimedDevelopmentFundCoupon',
)

const fund = (choice: string, who: 'fundManager' | 'beneficiary' | 'dso', argument: object): Kind =>
  on('DevelopmentFundCoupon', choice, ({ payload }) => ({
    actAs: texts(member(payload, who)),
    argument,
    ...(who === 'dso' && { released: { choice: 'DevelopmentFundCoupon_DsoExpire' } }),
  }))

const setupProposal = byRules('CoinRules_CreateExternalPartySetupProposal', (world, draw) => {
  const context = world.context(draw, VALIDATOR)
  const argument = {
    user: user(draw),
    validator: VALIDATOR,
    inputs: world.inputs(draw, VALIDATOR),
    preapprovalExpiresAt: world.at(BigInt(draw.below(120)) * DAY),
    expectedDso: DSO,
  }
  return {
    actAs: [VALIDATOR],
    argument: { ...argument, context, createdAt: world.at(0n) },
    released: { argument: { ...argument, context: { coinRules: world.rules.label, context } } },
  }
})

const proposal = (choice: string, who: 'user' | 'validator', reason: boolean): Kind =>
  on('ExternalPartySetupProposal', choice, ({ payload }) => ({
    actAs: texts(member(payload, who)),
    argument: {},
    ...(reason && { released: { argument: { reason: 'why' } } }),
  }))

const order: Kind = (world, draw) => {
  const sender = user(draw)
  return {
    on: world.factory,
    choice: 'ExternalPartyCoinRules_CreateTransferCommand',
    actAs: [sender],
    argument: {
      sender,
      receiver: user(draw),
      delegate: VALIDATOR,
      amount: draw.amount(),
      expiresAt: world.at(BigInt(draw.below(4)) * 500n * SECOND),
      nonce: String(draw.below(2)),
      description: draw.rarely(2) ? 'thanks' : null,
      expectedDso: DSO,
    },
  }
}

const counter: Kind = (_world, draw) => ({
  create: 'TransferCommandCounter',
  actAs: [DSO],
  payloads: [{ dso: DSO, sender: user(draw), nextNonce: '0' }],
})

const sendOrder = on('TransferCommand', 'TransferCommand_Send', ({ payload }, world, draw) => {
  const [sender, receiver] = texts(member(payload, 'sender'), member(payload, 'receiver'))
  const preapproval = world
    .all('TransferPreapproval')
    .find((each) => member(each.payload, 'receiver') === receiver)
  const nonces = world.all('TransferCommandCounter', sender)
  const nonce = draw.one(nonces)
  return (
    nonce && {
      actAs: [VALIDATOR],
      argument: {
        context: world.payment(draw, sender ?? ''),
        inputs: world.inputs(draw, sender ?? ''),
        transferPreapprovalCid: preapproval?.label ?? null,
        transferCounterCid: nonce.label,
      },
    }
  )
})

const endOrder = (choice: string, who: 'sender' | 'delegate'): Kind =>
  on('TransferCommand', choice, ({ payload }) => ({
    actAs: texts(member(payload, who)),
    argument: who === 'delegate' ? { actor: member(payload, who) } : {},
  }))

const wait: Kind = (_world, draw) => ({ wait: BigInt(draw.below(6) + 1) * 200n * SECOND })

/** Kinds that need nothing but the network and coins. */
export const starting: Kinds = {
  tap,
  transfer,
  offer,
  allocate,
  createPreapproval,
  buyTraffic,
  advance,
  coupon,
  mint,
  featureApp,
  licence,
  setupProposal,
  counter,
  order,
  wait,
}

/** Kinds about what others have made. */
export const following: Kinds = {
  accept: instruction('TransferInstruction_Accept', 'receiver', extraArgs),
  reject: instruction('TransferInstruction_Reject', 'receiver', unlocking),
  withdraw: instruction('TransferInstruction_Withdraw', 'sender', unlocking),
  execute: allocation('Allocation_ExecuteTransfer', false, extraArgs),
  cancelAllocation: allocation('Allocation_Cancel', false, unlocking),
  withdrawAllocation: allocation('Allocation_Withdraw', true, unlocking),
  unlock: unlock('LockedCoin_Unlock'),
  // The preset's word for a round where something expires is not that of older versions' locks.
  expireLock: (world, draw) =>
    world.isNewest ? unlock('LockedCoin_OwnerExpireLock')(world, draw) : undefined,
  expireCoin: expire('Coin', 'Coin_Expire'),
  expireLocked: expire('LockedCoin', 'LockedCoin_ExpireCoin'),
  renew,
  send,
  cancel,
  issue,
  close,
  archiveRound,
  claimExpired,
  mergeRewards,
  mergeTraffic,
  unfeatureApp,
  live,
  reportActive,
  updateMetadata,
  allocateFund,
  withdrawFund: fund('DevelopmentFundCoupon_Withdraw', 'fundManager', { reason: 'why' }),
  rejectFund: fund('DevelopmentFundCoupon_Reject', 'beneficiary', { reason: 'why' }),
  expireFund: fund('DevelopmentFundCoupon_Expire', 'dso', {}),
  acceptProposal: proposal('ExternalPartySetupProposal_Accept', 'user', false),
  rejectProposal: proposal('ExternalPartySetupProposal_Reject', 'user', true),
  withdrawProposal: proposal('ExternalPartySetupProposal_Withdraw', 'validator', true),
  sendOrder,
  withdrawOrder: endOrder('TransferCommand_Withdraw', 'sender'),
  expireOrder: endOrder('TransferCommand_Expire', 'delegate'),
}
