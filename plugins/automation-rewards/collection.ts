// Mints the rewards of hosted parties while their rounds issue, and merges their coins on the way:
// self transfers, until there is nothing left. docs/economy-rules.md, "Rewards"
import {
  forEachOf,
  isPassing,
  mintableValidatorCoupons,
  mintValue,
  operatorPriority,
  readFunds,
  SubmissionRejected,
  treasuryError,
  Tries,
  unspentCoupons,
  walletAppInstall,
} from '../../runtime/economy.ts'
import type {
  Contract,
  Economy,
  EconomyRun,
  EconomyServices,
  Funds,
  IssuingMiningRound,
  TreasuryResult,
} from '../../runtime/economy.ts'
import { collectionWindow, instantWithin } from './schedule.ts'

interface CollectionOptions {
  readonly schedule: 'random' | 'at-once'
  /** Microseconds. */
  readonly closeBuffer: bigint
  readonly parallel: number
  readonly random: () => number
}

type Round = Contract<IssuingMiningRound>

/** Parties that one run begins with; the rest is for the next one, so that no run takes long. */
const MAX_PARTIES = 1_000

/**
 * Merges of one party in one run, so that nobody with very many coins or coupons keeps the others
 * waiting.
 */
const MAX_MERGES = 20

/** Pages of users' coupons that one run goes through. */
const MAX_PAGES = 50

const MERGE = { tag: 'CO_MergeTransferInputs', value: {} } as const

export class Collection {
  readonly #options: CollectionOptions
  /** The round that is scheduled: the latest that issues. */
  #round: Round | undefined
  /**
   * Parties that are not done with it, and when each begins; those that had their turn last come
   * last.
   */
  #beginsAt = new Map<string, bigint>()
  /** Coupons of the users that are left to go through; undefined before each round. */
  #ofUsers: AsyncIterator<readonly string[], void> | undefined
  readonly #tries = new Tries(Infinity)

  constructor(options: CollectionOptions) {
    this.#options = options
  }

  /**
   * Collects for the parties whose time has come; once a party has nothing left, not again before
   * the next round.
   */
  async run(services: EconomyRun): Promise<void> {
    const { economy, signal, again } = services
    const now = economy.clock.nowMicros()
    const [first, ...others] = (await economy.network.issuingRounds()).filter(
      ({ payload }) => payload.opensAt <= now,
    )
    if (first === undefined) return
    const latest = others.at(-1) ?? first
    if (this.#round?.id !== latest.id) await this.#schedule(economy, [first, ...others], latest)
    const due = [...this.#beginsAt]
      .flatMap(([party, begin]) => (begin <= now ? [party] : []))
      .slice(0, MAX_PARTIES)
    await forEachOf(due, this.#options.parallel, signal, (party) =>
      this.#turn(services, party, latest),
    )
    for (const begin of this.#beginsAt.values()) again.at(begin)
  }

  /** Each party has an instant of its own. */
  async #schedule(
    economy: Pick<Economy, 'clock' | 'network' | 'parties' | 'reader'>,
    issuing: readonly [Round, ...Round[]],
    latest: Round,
  ): Promise<void> {
    const { schedule, closeBuffer, random } = this.#options
    const parties = await hostedParties(economy)
    const [first, ...others] = issuing
    const { start, end } = collectionWindow({
      issuing: [first.payload, ...others.map(({ payload }) => payload)],
      previous: this.#round?.payload,
      now: economy.clock.nowMicros(),
      closeBuffer,
    })
    const begin = () => (schedule === 'random' ? instantWithin({ start, end }, random()) : start)
    this.#beginsAt = new Map(parties.map((party) => [party, begin()]))
    this.#round = latest
    this.#ofUsers = mintableValidatorCoupons(economy)
  }

  async #turn(services: EconomyRun, party: string, round: Round): Promise<void> {
    const begin = this.#beginsAt.get(party)
    if (begin === undefined) return
    this.#beginsAt.delete(party)
    this.#beginsAt.set(party, begin)
    await this.#tries.attempt(
      { id: party, party, what: 'the rewards of a party cannot be collected' },
      services,
      async () => {
        await this.#collect(services, party, round)
        return true
      },
    )
  }

  async #collect(services: EconomyRun, party: string, round: Round): Promise<void> {
    const { economy, signal } = services
    const isDone = party !== economy.parties.operator || (await this.#mintForUsers(services))
    for (let merges = 0; merges < MAX_MERGES && !signal.aborted; merges += 1) {
      const funds = await readFunds(economy, party)
      if (funds === undefined) return
      if (!isWorthwhile(funds)) return isDone ? this.#finish(party, round) : undefined
      if (!(await merge(services, party))) return
    }
  }

  /** Mints for the burns of the validator's users. Answers whether it is all done. */
  async #mintForUsers({ economy, treasury, signal }: EconomyRun): Promise<boolean> {
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const next = await this.#ofUsers?.next()
      if (next === undefined || next.done === true) return true
      if (!(await mintPage({ economy, treasury }, next.value, signal))) {
        this.#ofUsers = mintableValidatorCoupons(economy)
        return false
      }
    }
    return false
  }

  #finish(party: string, round: Round): void {
    if (this.#round?.id === round.id) this.#beginsAt.delete(party)
  }
}

/** Answers whether all of a page is minted. */
async function mintPage(
  { economy, treasury }: EconomyServices,
  coupons: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  let left = coupons
  while (left.length > 0) {
    if (signal.aborted || !(await merge({ economy, treasury }, economy.parties.operator, left)))
      return false
    left = await unspentCoupons(economy, left)
  }
  return true
}

/**
 * Answers whether it is worth going on: not where other operations merged meanwhile, nor where it
 * is not the moment; the next poll looks again.
 */
async function merge(
  { economy, treasury }: EconomyServices,
  party: string,
  validatorCoupons?: readonly string[],
): Promise<boolean> {
  const priority = party === economy.parties.operator ? await operatorPriority(economy) : 'low'
  const chosen = validatorCoupons === undefined ? {} : { validatorCoupons }
  const done = await treasury.enqueue(party, MERGE, { priority, ...chosen })
  if (done.ok)
    return done.outcome.tag === 'COO_MergeTransferInputs' && done.outcome.value.coin !== null
  if (isNoFault(done)) return false
  throw new SubmissionRejected(
    `the rewards of ${party} were not collected: ${treasuryError(done).message}`,
  )
}

/** The wallet was closed or is busy, others were faster, or it is not the moment. */
function isNoFault(failure: Exclude<TreasuryResult, { readonly ok: true }>): boolean {
  if (failure.kind === 'refused') return isPassing(failure.rejection)
  return (
    failure.kind === 'no-wallet' || failure.kind === 'queue-full' || failure.kind === 'no-round'
  )
}

async function hostedParties({
  reader,
  parties: { operator },
}: Pick<Economy, 'parties' | 'reader'>): Promise<readonly string[]> {
  const installs = await reader.all(walletAppInstall, { validatorParty: operator })
  return [...new Set(installs.map(({ payload }) => payload.endUserParty))]
}

/**
 * There is something to mint, or more than one coin to merge; or coupons that are worth nothing may
 * hide others.
 */
function isWorthwhile({
  rewards,
  coinCount,
  unclaimedActivity,
  developmentFund,
  hasMoreRewards,
}: Funds): boolean {
  return (
    mintValue(rewards) > 0n ||
    coinCount > 1 ||
    unclaimedActivity.length + developmentFund.length > 0 ||
    hasMoreRewards
  )
}
