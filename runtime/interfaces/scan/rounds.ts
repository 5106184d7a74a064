// Mining rounds as scan shows them, and for how long a client may keep them. docs/economy-rules.md,
// "Scan"
import type {
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../../../generated/contracts.gen.ts'
import type {
  ContractIdInput,
  GetOpenAndIssuingMiningRoundsRequest,
  GetOpenAndIssuingMiningRoundsResponse,
} from '../../../generated/scan/types.gen.ts'
import { closedMiningRound, summarizingMiningRound } from '../../contracts/index.ts'
import type { Contract, KeyedBy, Template } from '../../engine/index.ts'
import { cachedContracts } from '../contract-wire.ts'
import type { Economy } from '../../economy/economy.ts'
import { notFound, PlainError } from '../../economy/errors.ts'
import { contractIdOf } from '../../economy/parse.ts'

interface OpenAndIssuing {
  /** Rounds by number, also those that have not opened. */
  readonly open: readonly Contract<OpenMiningRound>[]
  readonly issuing: readonly Contract<IssuingMiningRound>[]
}

/** All open and issuing rounds. */
export async function openAndIssuingRounds({
  network,
}: Pick<Economy, 'network'>): Promise<OpenAndIssuing> {
  const [open, issuing] = await Promise.all([network.openRounds(), network.issuingRounds()])
  return { open, issuing }
}

/**
 * All open and issuing rounds, relative to the ids that the caller holds; 503 while there is no
 * round at all.
 */
export async function roundsForCache(
  economy: Pick<Economy, 'network' | 'parties' | 'reader'>,
  request: GetOpenAndIssuingMiningRoundsRequest,
): Promise<GetOpenAndIssuingMiningRoundsResponse | PlainError> {
  const [{ open, issuing }, summarizing] = await Promise.all([
    openAndIssuingRounds(economy),
    byNumber(economy, summarizingMiningRound),
  ])
  const timeToLive = timeToLiveOf([...open, ...summarizing].map(payloadOf), issuing.map(payloadOf))
  if (timeToLive === undefined) return new PlainError(503, 'There are no mining rounds')
  return {
    time_to_live_in_microseconds: Number(timeToLive),
    open_mining_rounds: cachedContracts(open, idSet(request.cached_open_mining_round_contract_ids)),
    issuing_mining_rounds: cachedContracts(
      issuing,
      idSet(request.cached_issuing_round_contract_ids),
    ),
  }
}

/**
 * Microseconds for which a client may keep the rounds: the shortest tick, or half the life of an
 * issuing round. A round is announced a tick before it opens, so that who asks again in time knows
 * it. Undefined without rounds.
 */
export function timeToLiveOf(
  ticking: readonly Pick<OpenMiningRound | SummarizingMiningRound, 'tickDuration'>[],
  issuing: readonly Pick<IssuingMiningRound, 'opensAt' | 'targetClosesAt'>[],
): bigint | undefined {
  const ticks = ticking.map(({ tickDuration }) => tickDuration)
  const halves = issuing.map(({ opensAt, targetClosesAt }) => (targetClosesAt - opensAt) / 2n)
  const [first, ...others] = [...ticks, ...halves]
  const least = others.reduce((shortest, each) => (each < shortest ? each : shortest), first ?? 0n)
  if (first === undefined) return undefined
  return least > 0n ? least : 1n
}

/** Closed rounds whose rewards are not settled yet, by number. */
export async function closedRounds(economy: Pick<Economy, 'parties' | 'reader'>) {
  return byNumber(economy, closedMiningRound)
}

/**
 * The first round of the network once it is no longer open: from then on no activity is recorded
 * for it. All is recorded from the start on, so that no later round can be the earliest. 404 until
 * then.
 */
export async function earliestAvailableRound({
  network,
  settings,
}: Pick<Economy, 'network' | 'settings'>): Promise<bigint | PlainError> {
  const first = BigInt(settings.network.initialRound)
  const earliestOpen = await network.earliestRound()
  if (earliestOpen !== undefined && earliestOpen.payload.round > first) return first
  return notFound('No round has complete activity records yet')
}

async function byNumber<T>(
  { reader, parties: { dso } }: Pick<Economy, 'parties' | 'reader'>,
  template: Template<T, KeyedBy<'dso'>>,
): Promise<readonly Contract<T>[]> {
  return reader.active(template, { dso }, { order: 'rank' })
}

function payloadOf<T>({ payload }: Contract<T>): T {
  return payload
}

function idSet(ids: readonly ContractIdInput[]): ReadonlySet<string> {
  return new Set(ids.map(contractIdOf))
}
