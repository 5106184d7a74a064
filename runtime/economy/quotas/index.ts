// Quotas: what one user or party may take of this node, so that the others keep working. Each
// server keeps its own, in memory, and they age by the monotonic clock. The operator, participant
// admins and the network's own parties have none. docs/decisions/0011-floods.md
import type { Claim, Rejection, Transaction, TrafficShare } from '../../engine/index.ts'
import type { ContractStore } from '../../store/store.ts'
import { OpenContracts, openingsOf } from './open-contracts.ts'
import type { Opening } from './open-contracts.ts'
import { openedBy } from './opened.ts'
import { Planted, plantingsOf } from './planted.ts'
import type { Planting } from './planted.ts'
import { fading, Rates } from '../../work/rates.ts'
import type { Used } from '../../work/rates.ts'
import type { QuotaSettings } from './settings.ts'

/** Milliseconds after which a party without room may retry. */
const NO_ROOM_MS = 1_000

const MINUTE_SECONDS = 60
const SECOND_MS = 1_000

/** Number of network addresses that use up what the users of one provider may register. */
const ADDRESSES_OF_PROVIDER = 10

/** Counts of one submission at most: each finds what the one before had not met yet. */
const MAX_COUNTS = 3

interface QuotasInput {
  readonly settings: QuotaSettings
  readonly contracts: Pick<ContractStore, 'count' | 'countStakes'>
  /** The network's parties: the operator's and the network's own submissions have no quotas. */
  readonly parties: Readonly<Record<'dso' | 'sv' | 'operator', string>>
  /** The operator, as the configuration names it: a user of the default provider. */
  readonly operatorUser: string
  readonly traffic: { readonly baseBurstBytes: number; readonly baseWindowSeconds: number }
  /** Time that only rises, milliseconds. */
  readonly monotonicMs: () => number
}

/** The submitter as quotas see it. */
interface Submitter {
  readonly user: { readonly id: string; readonly identityProviderId: string }
  readonly rights: { readonly isAdmin: boolean }
}

/** The party or user that a submission counts against. */
type Payer =
  /** The submitting user, and the parties that act. */
  | { readonly user: Submitter }
  /** A party's wallet. */
  | { readonly wallet: string }

/** Too much of something: whose, of what, and when to try again, milliseconds. */
export interface OverQuota {
  readonly whose: string
  readonly what: string
  readonly retryMs: number
}

interface Outcome {
  readonly ok: boolean
}

/** A rate, and how it is called where it is used up. */
interface Rule {
  readonly rates: Rates
  readonly what: string
}

type Ruled = 'submissions' | 'payments' | 'registrations' | 'registrationsOfProvider'

export class Quotas {
  readonly #input: QuotasInput
  readonly #rules: Readonly<Record<Ruled, Rule>>
  readonly #ground: Ground

  constructor(input: QuotasInput) {
    const {
      settings,
      contracts,
      parties: { dso, sv, operator },
      traffic,
      monotonicMs: nowMs,
    } = input
    this.#input = input
    this.#rules = rulesOf(settings, nowMs)
    this.#ground = {
      settings,
      exempt: new Set([dso, sv, operator]),
      reserve: (BigInt(traffic.baseBurstBytes) * BigInt(settings.walletReservePercent)) / 100n,
      used: fading(traffic.baseWindowSeconds * SECOND_MS, nowMs),
      open: new OpenContracts({
        contracts,
        limit: settings.openContracts,
        perSecond: settings.openedPerMinute / MINUTE_SECONDS,
        nowMs,
      }),
      planted: new Planted({ contracts, limit: settings.plantedContracts, nowMs }),
    }
  }

  /** Counts a submission of a user; undefined where it is within the rate. */
  overRate(submitter: Submitter): OverQuota | undefined {
    if (this.#isExempt(submitter)) return undefined
    return this.#over('submissions', nameOf(submitter), `the user ${submitter.user.id}`)
  }

  /**
   * Counts a wallet that a newcomer registers, by network address and by provider; undefined where
   * it is within both rates.
   *
   * @param network as `HandlerContext.network`
   */
  overRegistrations(network: string, identityProviderId: string): OverQuota | undefined {
    return (
      this.#over('registrations', network, `the address ${network}`) ??
      this.#over('registrationsOfProvider', identityProviderId, 'the identity provider')
    )
  }

  /**
   * Counts a payment out of a party's wallet, whoever asked for it; undefined where it is within
   * the rate.
   */
  overPayments(party: string): OverQuota | undefined {
    if (this.#ground.exempt.has(party)) return undefined
    return this.#over('payments', party, `the wallet of ${party}`)
  }

  /**
   * Submits with a claim on what the payer may take. What was claimed is given back where nothing
   * came of it.
   */
  async within<O extends Outcome>(
    payer: Payer,
    submit: (claim: Claim | undefined) => Promise<O>,
  ): Promise<O> {
    if (this.#isExemptPayer(payer)) return submit(undefined)
    for (let counts = 0; ; counts += 1) {
      const claim = new PayersClaim(this.#ground, payer)
      const outcome = await submit(claim)
      if (outcome.ok) {
        claim.end()
        return outcome
      }
      claim.giveBack()
      const { openings, plantings } = claim.uncounted
      if (openings.length + plantings.length === 0 || counts === MAX_COUNTS) return outcome
      const { open, planted } = this.#ground
      await Promise.all([
        ...openings.map((opening) => open.count(opening)),
        ...plantings.map((planting) => planted.count(planting)),
      ])
    }
  }

  #over(ruled: Ruled, name: string, whose: string): OverQuota | undefined {
    const { rates, what } = this.#rules[ruled]
    const retryMs = rates.take(name)
    return retryMs === 0 ? undefined : { whose, what, retryMs }
  }

  #isExemptPayer(payer: Payer): boolean {
    return 'user' in payer ? this.#isExempt(payer.user) : this.#ground.exempt.has(payer.wallet)
  }

  #isExempt({ user: { id, identityProviderId }, rights }: Submitter): boolean {
    return rights.isAdmin || (identityProviderId === '' && id === this.#input.operatorUser)
  }
}

/** Settings and counts that all claims share. */
interface Ground {
  readonly settings: QuotaSettings
  readonly exempt: ReadonlySet<string>
  /** Bytes of traffic that are the wallets'. */
  readonly reserve: bigint
  readonly used: Used
  readonly open: OpenContracts
  readonly planted: Planted
}

interface Uncounted {
  readonly openings: readonly Opening[]
  readonly plantings: readonly Planting[]
}

const NOTHING: Uncounted = { openings: [], plantings: [] }

/** The claim of one submission; each interpretation replaces the one before. */
class PayersClaim implements Claim {
  readonly #ground: Ground
  readonly #payer: Payer
  readonly payer: string
  #traffic: { readonly names: readonly string[]; readonly bytes: number } = { names: [], bytes: 0 }
  #openings: readonly Opening[] = []
  #plantings: readonly Planting[] = []
  /** Amounts that have to be counted before the submission can continue. */
  uncounted = NOTHING

  constructor(ground: Ground, payer: Payer) {
    this.#ground = ground
    this.#payer = payer
    this.payer = 'wallet' in payer ? partyOf(payer.wallet).name : nameOf(payer.user)
  }

  take(transaction: Transaction): TrafficShare | Rejection {
    this.giveBack()
    const opened = openedBy(transaction)
    const acting =
      'wallet' in this.#payer ? [...transaction.actAs, this.#payer.wallet] : transaction.actAs
    return (
      this.#open(openingsOf(opened)) ??
      this.#plant(plantingsOf(opened, this.#ground.exempt, acting)) ??
      this.#share(transaction)
    )
  }

  giveBack(): void {
    const { used, open, planted } = this.#ground
    for (const name of this.#traffic.names) used.add(name, -this.#traffic.bytes)
    for (const opening of this.#openings) open.giveBack(opening)
    for (const planting of this.#plantings) planted.add({ ...planting, count: -planting.count })
    this.#plantings = []
    this.#traffic = { names: [], bytes: 0 }
    this.#openings = []
  }

  /** It is committed, or, of what was staged, on its way. */
  end(): void {
    for (const opening of this.#openings) this.#ground.open.end(opening)
  }

  #open(openings: readonly Opening[]): Rejection | undefined {
    const {
      open,
      exempt,
      settings: { openContracts, openedPerMinute },
    } = this.#ground
    const counted = openings.filter(({ party }) => !exempt.has(party))
    const uncounted = counted.filter((opening) => open.roomFor(opening) === 'uncounted')
    this.uncounted = { openings: uncounted, plantings: [] }
    const lacking = counted.find((opening) => open.roomFor(opening) !== 'there')
    if (lacking !== undefined)
      return tooMany(lacking, `${openContracts} open contracts`, NO_ROOM_MS)
    for (const opening of counted) {
      const waitMs = open.take(opening)
      if (waitMs > 0) return tooMany(opening, `${openedPerMinute} new contracts a minute`, waitMs)
      this.#openings = [...this.#openings, opening]
    }
    return undefined
  }

  #plant(plantings: readonly Planting[]): Rejection | undefined {
    const {
      planted,
      settings: { plantedContracts },
    } = this.#ground
    const uncounted = plantings.filter((planting) => planted.roomFor(planting) === 'uncounted')
    this.uncounted = { openings: [], plantings: uncounted }
    for (const planting of [...uncounted, ...plantings]) {
      if (planted.roomFor(planting) !== 'there')
        return {
          kind: 'over-quota',
          whose: `the party ${planting.on}`,
          what: `${plantedContracts} open contracts of the kind ${nameIn(planting.reference)} made by others, half of them kept for those who have few`,
          retryMs: NO_ROOM_MS,
        }
      planted.add(planting)
      this.#plantings = [...this.#plantings, planting]
    }
    return undefined
  }

  /**
   * Shares out traffic: whoever used `u` of it lately leaves so much that `u` is no more than the
   * share of both together.
   */
  #share({ actAs, bytes }: Transaction): TrafficShare {
    const {
      settings: { trafficPercent },
      exempt,
      reserve,
      used,
    } = this.#ground
    const ownBytes = Number(bytes)
    const payers =
      'wallet' in this.#payer
        ? [partyOf(this.#payer.wallet)]
        : [
            { name: nameOf(this.#payer.user), whose: `the user ${this.#payer.user.user.id}` },
            ...actAs.filter((party) => !exempt.has(party)).map(partyOf),
          ]
    this.#traffic = { names: payers.map(({ name }) => name), bytes: ownBytes }
    const first = 'wallet' in this.#payer ? 0n : reserve
    return payers.reduce<TrafficShare>(
      (most, { name, whose }) => {
        const leaves = BigInt(
          Math.ceil((used.add(name, ownBytes) * (100 - trafficPercent)) / trafficPercent),
        )
        return leaves > most.leaves
          ? { whose, what: `${trafficPercent} % of the traffic`, leaves }
          : most
      },
      { whose: 'all users', what: 'the traffic that is not kept for wallets', leaves: first },
    )
  }
}

function rulesOf(settings: QuotaSettings, nowMs: () => number): Readonly<Record<Ruled, Rule>> {
  const { submissionsPerSecond, submissionBurst, paymentsPerSecond, paymentBurst } = settings
  const { registrationsPerMinute, registrationBurst } = settings
  const rule = (perSecond: number, burst: number, what: string): Rule => ({
    rates: new Rates({ perSecond, burst }, nowMs),
    what,
  })
  const registrations = (times: number): Rule => {
    const perMinute = times * registrationsPerMinute
    const what = `${perMinute} new wallets a minute`
    return rule(perMinute / MINUTE_SECONDS, times * registrationBurst, what)
  }
  return {
    submissions: rule(
      submissionsPerSecond,
      submissionBurst,
      `${submissionsPerSecond} submissions a second`,
    ),
    payments: rule(paymentsPerSecond, paymentBurst, `${paymentsPerSecond} payments a second`),
    registrations: registrations(1),
    registrationsOfProvider: registrations(ADDRESSES_OF_PROVIDER),
  }
}

function tooMany({ party, kind }: Opening, contracts: string, retryMs: number): Rejection {
  const what = `${contracts} of the kind ${kind.name}`
  return { kind: 'over-quota', whose: `the party ${party}`, what, retryMs }
}

/** The template's own name in a reference. */
function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf(':') + 1)
}

function partyOf(party: string) {
  return { name: `party ${party}`, whose: `the party ${party}` }
}

/** Users of one name in two providers are two. */
function nameOf({ user: { id, identityProviderId } }: Submitter): string {
  return `user ${identityProviderId}/${id}`
}

/** The quota that was exceeded, for people. */
export function overQuotaText({ whose, what, retryMs }: OverQuota): string {
  return `The quota of ${whose} is used up: ${what}; it may be tried again in ${secondsOf(retryMs)} s`
}

/** Whole seconds, as `Retry-After` has them. */
export function secondsOf(retryMs: number): number {
  return Math.max(1, Math.ceil(retryMs / 1_000))
}
