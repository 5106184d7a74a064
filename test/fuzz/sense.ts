// Values that make sense for a member or parameter, by its name: what a caller who knows the
// service would write there.
import { keyOf } from '../../runtime/testing/conform/names.ts'
import type { Dice } from '../drive/dice.ts'
import type { Memory } from './memory.ts'

export interface Place {
  readonly name: string
  /**
   * What it belongs to: the member above, or the segment of the path that says what the operation
   * is about.
   */
  readonly owner: string
  /** The value that stands there now. */
  readonly value: unknown
  /** Party of the caller. */
  readonly party: string
  /** It may be something new: not what a path or a query asks for. */
  readonly mayBeNew: boolean
}

/** Templates whose contracts a path is about, by a segment of it. */
const ENTITIES: Readonly<Record<string, readonly string[]>> = {
  'transfer-offers': ['TransferOffer', 'TransferOffer', 'AcceptedTransferOffer'],
  transfers: ['CoinTransferInstruction'],
  'minting-delegation-proposals': ['MintingDelegationProposal'],
  'minting-delegations': ['MintingDelegation'],
  'development-fund-coupons': ['DevelopmentFundCoupon'],
  votes: ['VoteRequest'],
  voterequests: ['VoteRequest'],
  v1: ['CoinTransferInstruction', 'TestTokenTransferInstruction'],
  v2: ['TestTokenAllocationInstruction', 'CoinTransferInstruction'],
  'by-contract-id': ['FeaturedAppRight'],
  'setup-proposal': ['ExternalPartySetupProposal'],
}
const AMOUNTS = [
  '1',
  '0.5',
  '2.25',
  '10.0',
  '0.0000000001',
  '3.1415926535',
  '100',
  '1000.0000000000',
]
const MINUTE = 60_000_000
const AHEAD = [MINUTE, 10 * MINUTE, 60 * MINUTE, 3 * MINUTE]
const TIME = /^\d{4}-\d\d-\d\dT/
const PROVIDERS = ['', '', '', 'p', 'q']
const PARTY_NAMES =
  /part(y|ies)|receiver|sender|owner|beneficiary|delegate|provider$|requester|actas|readas|admin$|holder|dso|operator|user_party/i
const FRESH = /^(tracking_?id|command_?id|deduplication_?id|submission_?id)$/i

/** A fitting value, or the drawn one where nothing is known. A number stays one. */
export function sensible(memory: Memory, place: Place, dice: Dice): unknown {
  const { value } = place
  const found = known(memory, place, dice)
  if (found === undefined) return value
  if (typeof value !== 'number' && typeof value !== 'bigint') return found
  return /^-?\d{1,18}$/.test(String(found)) ? BigInt(String(found)) : value
}

function known(memory: Memory, place: Place, dice: Dice): unknown {
  const { name, owner, value, mayBeNew } = place
  const key = `name:${keyOf(name, owner)}`
  if (FRESH.test(name))
    return mayBeNew && dice.chance(0.75) ? `f-${memory.next()}` : memory.some(key, dice)
  if (/^(amount|quantity|coin_?price)$/i.test(name))
    return typeof value === 'object' ? undefined : dice.pick(AMOUNTS)
  if (/expires_?at$|execute_?before/i.test(name)) return timeAhead(value, dice)
  if (/provider.?id|idp.?id/i.test(name))
    return dice.chance(0.8) ? dice.pick(PROVIDERS) : memory.some('name:identityprovider', dice)
  if (name === 'instrumentId') return dice.pick(['Coin', 'Gold'])
  if (/contract_?id|cid$|instructionid/i.test(name)) return contractFor(memory, place, dice)
  if (name === 'member_id') return `PAR::${memory.some('place', dice)}`
  if (/synchronizer|domain_id|domain$|participant/i.test(name)) return memory.some('place', dice)
  if (/update_?id/i.test(name)) return memory.some('update', dice)
  if (name === 'migration_id') return 0
  if (/^(?:record_time|before|after)$/.test(name) && TIME.test(String(value)))
    return timeAround(memory, dice)
  if (/^(?:after|page_?token)$/i.test(name)) return memory.some('name:nextpagetoken', dice)
  if (name === 'stream_idle_timeout_ms') return dice.pick([0, 1, 20])
  if (/offset|beginexclusive|endinclusive/i.test(name)) return memory.some('name:offset', dice)
  if (owner === 'automations') return memory.some('automation', dice)
  if (/^(user|userid|user-id|username|name)$/i.test(name)) return memory.some('user', dice)
  if (PARTY_NAMES.test(name)) return memory.some(dice.chance(0.5) ? 'wallet' : 'party', dice)
  return memory.some(key, dice)
}

function timeAhead(value: unknown, dice: Dice): unknown {
  const micros = Date.now() * 1_000 + dice.pick(AHEAD)
  return typeof value === 'string' ? new Date(micros / 1_000).toISOString() : micros
}

function timeAround(memory: Memory, dice: Dice): string {
  const shown = dice.chance(0.8)
    ? memory.some(dice.chance(0.6) ? 'name:recordtime' : 'time', dice)
    : undefined
  return shown ?? new Date(Date.now() + dice.between(-600_000, 60_000)).toISOString()
}

function contractFor(memory: Memory, { owner, party }: Place, dice: Dice): string | undefined {
  const entities = ENTITIES[owner]
  const right =
    entities === undefined || dice.chance(0.15)
      ? undefined
      : memory.contract(dice.pick(entities), dice, party)?.id
  return right ?? memory.some('contract', dice)
}

/**
 * What a path is about: its last segment before `end` that names contracts of a template, or things
 * that have names.
 */
export function ownerIn(template: string, end = template.length): string {
  return (
    template
      .slice(0, end)
      .split('/')
      .findLast((segment) => Object.hasOwn(ENTITIES, segment) || segment === 'automations') ?? ''
  )
}
