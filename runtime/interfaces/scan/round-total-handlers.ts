// Scan's operations on what rounds came to. All but the fees of a round and the list of live
// validators are of rounds that are added up. docs/economy-rules.md, "Scan"
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type {
  PartyAndRewards,
  RoundPartyTotals,
  RoundTotals,
  ValidatorPurchasedTraffic,
} from '../../../generated/scan/types.gen.ts'
import type { Economy } from '../../economy/economy.ts'
import { answer, badRequest, notFound, PlainError } from '../../economy/errors.ts'
import {
  addedUpRounds,
  boardAt,
  configOfRound,
  roundPartyTotals,
  roundTotal,
  roundTotals,
} from '../../economy/round-totals/index.ts'
import type {
  AddedUpRounds,
  BoardName,
  Place,
  RoundRange,
  RoundSums,
  RoundTotal,
} from '../../economy/round-totals/index.ts'
import { formatDecimal } from '../../engine/decimal.ts'
import { scheduler } from '../../work/scheduler.ts'
import { timeText } from '../../participant/time.ts'
import { Page } from '../pages.ts'
import type { Context } from '../reply.ts'
import { activitiesPage } from './activities.ts'
import { BlankBlocks } from './blank-blocks.ts'
import { liveValidators } from './live-validators.ts'

const MAX_ROUNDS = 200n
const MAX_ROUNDS_BY_PARTY = 50n
const PARTIES = 500

/** Handlers of the totals of rounds. */
export function roundTotalHandlers(economy: Pick<Economy, 'settings' | 'store'>) {
  const { store } = economy
  return {
    getAggregatedRounds: async () =>
      answer(await known(economy), ({ start, end }) => ({ start, end })),
    getRoundOfLatestData: async () =>
      answer(await latest(economy), ({ round, effectiveAt }) => ({
        round,
        effectiveAt: timeText(effectiveAt),
      })),
    listRoundTotals: async ({ body }) => {
      const range = await rangeOf(economy, body, MAX_ROUNDS, ({ start }) => start)
      return answer(
        range instanceof PlainError ? range : await roundTotals(store, range),
        (all) => ({
          entries: all.map(totalToWire),
        }),
      )
    },
    listRoundPartyTotals: async ({ body }, { signal }) => {
      const range = await rangeOf(economy, body, MAX_ROUNDS_BY_PARTY, ({ keptFrom }) => keptFrom)
      return answer(
        range instanceof PlainError ? range : await partyTotals(economy, range, signal),
        (entries) => ({ entries }),
      )
    },
    getCoinConfigForRound: async ({ query: { round } }) =>
      answer((await configOfRound(store, round)) ?? notAddedUp(round), (config) => ({
        coin_create_fee: config.createFee,
        holding_fee: config.holdingFee,
        lock_holder_fee: config.lockHolderFee,
        transfer_fee: config.transferFee,
      })),
    getRewardsCollected: async ({ query: { round } }) =>
      answer(await collected(economy, round), (amount) => ({ amount: formatDecimal(amount) })),
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of the lists of who comes first. */
export function boardHandlers(economy: Pick<Economy, 'reader' | 'store'>) {
  const places = (name: BoardName, round: bigint, limit: number) =>
    placesOf(economy, name, round, limit)
  const topValidators = liveValidators(economy)
  return {
    getTopProvidersByAppRewards: async ({ query: { round, limit } }) =>
      answer(await places('providers', round, limit), (all) => ({
        providersAndRewards: all.map((place) => rewardsToWire(place, 'appRewards')),
      })),
    getTopValidatorsByValidatorRewards: async ({ query: { round, limit } }) =>
      answer(await places('validators', round, limit), (all) => ({
        validatorsAndRewards: all.map((place) => rewardsToWire(place, 'validatorRewards')),
      })),
    getTopValidatorsByPurchasedTraffic: async ({ query: { round, limit } }) =>
      answer(await places('traffic', round, limit), (all) => ({
        validatorsByPurchasedTraffic: all.map(trafficToWire),
      })),
    getTopValidatorsByValidatorFaucets: async ({ query: { limit } }) => ({
      status: 200,
      body: { validatorsByReceivedFaucets: (await topValidators()).slice(0, limit) },
    }),
  } satisfies Partial<Handlers<Context>>
}

/** Handlers of what was done with coin, in the earlier forms. */
export function activityHandlers(economy: Pick<Economy, 'node' | 'store'>) {
  const blank = new BlankBlocks()
  return {
    listActivity: async ({ body }, { signal }) =>
      answer(
        await activitiesPage(economy, {
          order: 'desc',
          after: body.begin_after_id,
          pageSize: body.page_size,
          signal,
          blank,
        }),
        (items) => ({ activities: [...items] }),
      ),
    listTransactionHistory: async ({ body }, { signal }) =>
      answer(
        await activitiesPage(economy, {
          order: body.sort_order ?? 'asc',
          after: body.page_end_event_id,
          pageSize: body.page_size,
          signal,
          blank,
        }),
        (items) => ({
          transactions: items.map(({ activity_type, ...item }) => ({
            transaction_type: activity_type,
            ...item,
          })),
        }),
      ),
  } satisfies Partial<Handlers<Context>>
}

function notAddedUp(round: bigint): PlainError {
  return notFound(`Nothing is known of round ${round}`)
}

/** 404 until a round is added up. */
async function known({ store }: Pick<Economy, 'store'>): Promise<PlainError | AddedUpRounds> {
  return (await addedUpRounds(store)) ?? notFound('No round is added up yet')
}

async function latest(
  economy: Pick<Economy, 'store'>,
): Promise<PlainError | (RoundTotal & { readonly round: bigint })> {
  const range = await known(economy)
  return range instanceof PlainError ? range : one(economy, range, range.end)
}

async function one(
  { store }: Pick<Economy, 'store'>,
  { era }: RoundRange,
  round: bigint,
): Promise<PlainError | (RoundTotal & { readonly round: bigint })> {
  const total = await roundTotal(store, era, round)
  return total === undefined ? notAddedUp(round) : { round, ...total }
}

/** The rounds that are asked for; 400 where not all of them are there, or they are too many. */
async function rangeOf(
  economy: Pick<Economy, 'store'>,
  asked: { readonly start_round: bigint; readonly end_round: bigint },
  most: bigint,
  firstOf: (all: AddedUpRounds) => bigint,
): Promise<PlainError | RoundRange> {
  const [start, end] = [asked.start_round, asked.end_round]
  if (end < start) return badRequest('end_round is before start_round')
  if (end - start >= most) return badRequest(`At most ${most} rounds can be asked for`)
  const all = await known(economy)
  if (all instanceof PlainError) return all
  const first = firstOf(all)
  return start < first || end > all.end
    ? badRequest(`Rounds ${start} to ${end} are not all among ${first} to ${all.end}`)
    : { era: all.era, start, end }
}

/** 400 where the rounds have more than one answer can have. */
async function partyTotals(
  { settings, store }: Pick<Economy, 'settings' | 'store'>,
  { era, start, end }: RoundRange,
  signal: AbortSignal,
): Promise<PlainError | RoundPartyTotals[]> {
  const page = new Page<RoundPartyTotals>(Infinity, settings.validator.maxListBytes)
  const pause = scheduler.parts()
  for (let round = start; round <= end; round += 1n) {
    for (let after: string | undefined = ''; after !== undefined;) {
      await pause()
      if (signal.aborted) return []
      const parties = await roundPartyTotals(store, era, round, after, PARTIES)
      for (const { party, ...sums } of parties)
        if (!page.add(partyTotalToWire(round, party, sums)))
          return badRequest('The rounds have too many parties for one answer: ask for fewer rounds')
      after = parties.length < PARTIES ? undefined : parties.at(-1)?.party
    }
  }
  const now = await addedUpRounds(store)
  return now?.era === era && start >= now.keptFrom
    ? page.items
    : badRequest(`Round ${start} is not kept any more`)
}

async function collected(
  economy: Pick<Economy, 'store'>,
  round: bigint | undefined,
): Promise<PlainError | bigint> {
  const range = await known(economy)
  if (range instanceof PlainError) return range
  const found = await one(economy, range, round ?? range.end)
  if (found instanceof PlainError) return found
  const { appRewards, validatorRewards } = round === undefined ? found.all : found.own
  return appRewards + validatorRewards
}

async function placesOf(
  economy: Pick<Economy, 'store'>,
  name: BoardName,
  round: bigint,
  limit: number,
): Promise<PlainError | readonly Place[]> {
  const range = await known(economy)
  if (range instanceof PlainError) return range
  return (await boardAt(economy.store, range.era, name, round, limit)) ?? notAddedUp(round)
}

function totalToWire({
  round,
  effectiveAt,
  own,
  all,
}: RoundTotal & { readonly round: bigint }): RoundTotals {
  return {
    closed_round: round,
    closed_round_effective_at: timeText(effectiveAt),
    app_rewards: formatDecimal(own.appRewards),
    validator_rewards: formatDecimal(own.validatorRewards),
    change_to_initial_amount_as_of_round_zero: formatDecimal(own.initialAmount),
    change_to_holding_fees_rate: formatDecimal(own.holdingRate),
    cumulative_app_rewards: formatDecimal(all.appRewards),
    cumulative_validator_rewards: formatDecimal(all.validatorRewards),
    cumulative_change_to_initial_amount_as_of_round_zero: formatDecimal(all.initialAmount),
    cumulative_change_to_holding_fees_rate: formatDecimal(all.holdingRate),
    // At its end a round has cost a fee for itself and for each one before.
    total_coin_balance: formatDecimal(all.initialAmount - all.holdingRate * (round + 1n)),
  }
}

function partyTotalToWire(round: bigint, party: string, { own, all }: RoundSums): RoundPartyTotals {
  return {
    closed_round: round,
    party,
    app_rewards: formatDecimal(own.appRewards),
    validator_rewards: formatDecimal(own.validatorRewards),
    traffic_purchased: own.trafficPurchased,
    traffic_purchased_cc_spent: formatDecimal(own.trafficSpent),
    traffic_num_purchases: own.trafficPurchases,
    cumulative_app_rewards: formatDecimal(all.appRewards),
    cumulative_validator_rewards: formatDecimal(all.validatorRewards),
    cumulative_change_to_initial_amount_as_of_round_zero: formatDecimal(all.initialAmount),
    cumulative_change_to_holding_fees_rate: formatDecimal(all.holdingRate),
    cumulative_traffic_purchased: all.trafficPurchased,
    cumulative_traffic_purchased_cc_spent: formatDecimal(all.trafficSpent),
    cumulative_traffic_num_purchases: all.trafficPurchases,
  }
}

function rewardsToWire(
  { party, sums }: Place,
  name: 'appRewards' | 'validatorRewards',
): PartyAndRewards {
  return { provider: party, rewards: formatDecimal(sums[name]) }
}

function trafficToWire({ party, sums }: Place): ValidatorPurchasedTraffic {
  return {
    validator: party,
    numPurchases: sums.trafficPurchases,
    totalTrafficPurchased: sums.trafficPurchased,
    totalCcSpent: formatDecimal(sums.trafficSpent),
    lastPurchasedInRound: sums.afterLastPurchase - 1n,
  }
}
