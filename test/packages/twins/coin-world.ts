// The network on two ledgers: its rules, rounds, a featured app and a validator, and what commands
// need to know of it.
import { CoinConfig } from '../../../generated/contracts.gen.ts'
import { member } from '../../../runtime/host/member.ts'
import { isFields, time } from '../../../generated/contract-codec.gen.ts'
import { initialCoinConfig } from '../../../runtime/economy/network/initial-config.ts'
import { networkSection } from '../../../runtime/economy/network/settings.ts'
import { releasedModule, wire } from '../released.ts'
import { ALICE, BOB, CAROL, DAY, dec, DSO, SECOND, SYNCHRONIZER } from '../../support/ledger.ts'
import { path } from '../../interfaces/ledger-kit.ts'
import type { Draw } from './draw.ts'
import { NEWEST, OLDER, OLDEST } from './known-differences.ts'
import type { ReleasedTemplates } from './released-templates.ts'
import { TwinLedgers } from './twin-ledgers.ts'
import type { Command, Creation, Outcome, Twin } from './twin-ledgers.ts'

export const USERS = [ALICE, BOB, CAROL] as const
export const ALL = [DSO, ...USERS] as const
/** Alice’s validator hosts everybody, and Bob’s app is featured. */
export const [VALIDATOR, APP] = [ALICE, BOB] as const
export const TICK = 600n * SECOND

/** A kind of command; undefined where the ledgers have nothing that it could be about. */
export type Kind = (world: CoinWorld, draw: Draw) => Command | Creation | Wait | undefined
export type Kinds = Readonly<Record<string, Kind>>

/** Nothing happens for so many microseconds. */
export interface Wait {
  readonly wait: bigint
}

export class CoinWorld {
  readonly ledgers: TwinLedgers
  readonly rules: Twin
  readonly factory: Twin

  /** True for packages whose token-standard transfers refer to a configuration state. */
  readonly isNewest: boolean
  #followed: string | undefined

  private constructor(ledgers: TwinLedgers, rules: Twin, factory: Twin, isNewest: boolean) {
    this.isNewest = isNewest
    this.ledgers = ledgers
    this.rules = rules
    this.factory = factory
  }

  static async start(released: ReleasedTemplates): Promise<CoinWorld> {
    const isNewest = released.named(CONFIG_STATE) !== undefined
    const older = released.named(FUND) === undefined ? OLDEST : OLDER
    const ledgers = await TwinLedgers.open(released, ALL, isNewest ? NEWEST : older)
    const network = {
      ...networkSection.parse({}),
      isDevNet: true,
      developmentFundPercentage: dec('0.05'),
    }
    const parties = { dso: DSO, sv: 'sv::12', operator: APP, member: 'PAR::node::12' }
    const config = initialCoinConfig(network, parties, SYNCHRONIZER)
    const initialValue = configOf({
      ...config,
      // This version of the package knows none of these.
      transferConfig: { ...config.transferConfig, tokenStandardMaxTTL: null },
      transferPreapprovalBaseDuration: 0n,
      minDevelopmentFundMintingDelay: null,
      legacyTransferRewardRate: null,
    })
    const rules = await ledgers.create(
      'CoinRules',
      [DSO],
      rulesOf(initialValue),
      rulesOf({ ...initialValue, featuredAppActivityMarkerAmount: '1.0000000000' }),
    )
    const factory = await ledgers.create('ExternalPartyCoinRules', [DSO], { dso: DSO })
    const world = new CoinWorld(ledgers, rules, factory, isNewest)
    await ledgers.create('FeaturedAppRight', [DSO], { dso: DSO, provider: APP })
    await ledgers.do({
      create: 'ValidatorRight',
      actAs: [DSO, ...USERS],
      payloads: USERS.map((user) => ({ dso: DSO, user, validator: VALIDATOR })),
    })
    await ledgers.do({
      create: 'Coin',
      actAs: ALL,
      payloads: USERS.flatMap((owner) => AMOUNTS.map((amount) => coinOf(owner, amount))),
    })
    await world.bootstrap()
    await world.#follow()
    return world
  }

  /** The first three rounds; the last opens later. */
  async bootstrap(): Promise<void> {
    const argument = {
      conversionRate: '0.0050000000',
      round0Duration: { microseconds: String(TICK) },
      initialRound: null,
      now: this.at(0n),
    }
    await this.ledgers.exercise({
      on: this.rules,
      choice: 'CoinRules_Bootstrap_Rounds',
      actAs: [DSO],
      argument,
    })
  }

  /**
   * Makes the configuration that newer packages refer to follow the open round, as a network's
   * operators do.
   */
  async #follow(): Promise<void> {
    const [round] = this.openRounds
    if (!this.isNewest || round === undefined || round.label === this.#followed) return
    this.#followed = round.label
    const { holdingFee, maxNumInputs, maxNumOutputs, maxNumLockHolders } = Object(
      path(round.payload, 'transferConfigUsd'),
    )
    await this.ledgers.createReleased(CONFIG_STATE, [DSO], {
      dso: DSO,
      holdingFeesOpenRoundNumber: path(round.payload, 'round'),
      conversionRate: path(round.payload, 'conversionRate'),
      transferConfig: { holdingFee, maxNumInputs, maxNumOutputs, maxNumLockHolders },
      targetArchiveAfter: this.at(30n * DAY),
    })
  }

  get now(): bigint {
    return this.ledgers.clock.nowMicros()
  }

  /** A time so many microseconds from now. */
  at(micros: bigint): string {
    return String(time.encode(this.now + micros))
  }

  /** Does a command on both ledgers, and says what became of it. */
  async do(command: Command | Creation | Wait): Promise<Outcome> {
    if ('wait' in command && command.wait !== undefined)
      this.ledgers.clock.moveTo(this.now + command.wait)
    if (!('create' in command || 'choice' in command)) return 'done'
    const outcome = await this.ledgers.do(command)
    await this.#follow()
    return outcome
  }

  all(template: string, owner?: string): readonly Twin[] {
    const found = this.ledgers.active(template)
    return owner === undefined ? found : found.filter((each) => ownerOf(each) === owner)
  }

  coins(owner: string): readonly Twin[] {
    return this.all('Coin', owner)
  }

  /** Open rounds by number; the last has not opened. */
  get openRounds(): readonly Twin[] {
    return this.all('OpenMiningRound')
  }

  /** Rounds of a template that have opened. */
  opened(template: string): readonly Twin[] {
    return this.all(template).filter(
      ({ payload }) => time.decode(path(payload, 'opensAt')) <= this.now,
    )
  }

  /** An open round; rarely the one that opens later. */
  openRound(draw: Draw): string {
    const rounds = this.openRounds
    const round = draw.rarely(12) ? rounds.at(-1) : draw.one(this.opened('OpenMiningRound'))
    return round?.label ?? ''
  }

  /** A transfer's context: the sender's rights, and the provider's where it is to be featured. */
  context(draw: Draw, sender: string, provider?: string): object {
    const right = this.all('FeaturedAppRight').find(
      ({ payload }) => member(payload, 'provider') === provider,
    )
    return {
      openMiningRound: this.openRound(draw),
      issuingMiningRounds: this.opened('IssuingMiningRound').map(({ payload, label }) => [
        member(payload, 'round'),
        label,
      ]),
      validatorRights: this.all('ValidatorRight')
        .filter(({ payload }) => member(payload, 'validator') === sender)
        .map(({ payload, label }) => [member(payload, 'user'), label]),
      featuredAppRight: right?.label ?? null,
    }
  }

  /** The additional context that newer packages want of a choice of the token standard. */
  get externalConfig(): Readonly<Record<string, object>> {
    const value = this.all('ExternalPartyConfigState').at(-1)?.label
    return value === undefined
      ? {}
      : { 'external-party-config-state': { tag: 'AV_ContractId', value } }
  }

  payment(draw: Draw, sender: string, provider?: string): object {
    return { coinRules: this.rules.label, context: this.context(draw, sender, provider) }
  }

  /** Coins of a party, and whatever else it could put into a transfer. */
  inputs(draw: Draw, owner: string): readonly object[] {
    const coins = draw.some(this.coins(owner), 4)
    const others = REWARDS.flatMap(([tag, template]) =>
      this.all(template, tag === 'InputValidatorRewardCoupon' ? undefined : owner).map((each) => ({
        tag,
        value: each.label,
      })),
    )
    return [
      ...coins.map(({ label }) => ({ tag: 'InputCoin', value: label })),
      ...(draw.rarely(2) ? draw.some(others, 3) : []),
    ]
  }
}

function configOf(config: CoinConfig): object {
  const encoded = CoinConfig.encode(config)
  return isFields(encoded) ? encoded : {}
}

function rulesOf(initialValue: object): object {
  return { dso: DSO, configSchedule: { initialValue, futureValues: [] }, isDevNet: true }
}

const CONFIG_STATE = `${releasedModule('ExternalPartyConfigState')}:ExternalPartyConfigState`

const FUND = `${releasedModule(wire('Coin'))}:DevelopmentFundCoupon`

const AMOUNTS = ['1000.0000000000', '77.7000000001', '0.0000000001']

function coinOf(owner: string, initialAmount: string): object {
  const amount = {
    initialAmount,
    createdAt: { number: '0' },
    ratePerRound: { rate: '0.0038051800' },
  }
  return { dso: DSO, owner, amount }
}

const REWARDS = [
  ['InputAppRewardCoupon', 'AppRewardCoupon'],
  ['InputValidatorRewardCoupon', 'ValidatorRewardCoupon'],
  ['InputSvRewardCoupon', 'SvRewardCoupon'],
  ['InputValidatorLivenessActivityRecord', 'ValidatorLivenessActivityRecord'],
  ['InputUnclaimedActivityRecord', 'UnclaimedActivityRecord'],
  ['InputDevelopmentFundCoupon', 'DevelopmentFundCoupon'],
] as const

const OWNERS = ['beneficiary', 'owner', 'sender', 'validator', 'provider', 'user', 'receiver']

/** The owner of a contract, under the name that its template has for it. */
export function ownerOf({ payload }: Pick<Twin, 'payload'>): unknown {
  const places = [
    payload,
    path(payload, 'coin'),
    path(payload, 'transfer'),
    path(payload, 'allocation', 'transferLeg'),
  ]
  return places
    .flatMap((place) => OWNERS.map((name) => member(place, name)))
    .find((owner) => typeof owner === 'string')
}
