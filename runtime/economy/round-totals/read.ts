// The totals of rounds as they are asked for. A round is there once it is added up, all of it at
// once.
import type { Store } from '../../store/store.ts'
import { readPlaces } from './boards.ts'
import type { BoardName, Place } from './boards.ts'
import { countdown, digits, kindsOf, PROGRESS } from './names.ts'
import { readProgress } from './progress.ts'
import { readRoundSums, readRoundTotal } from './stored-round.ts'
import type { RoundSums, RoundTotal } from './stored-round.ts'

type Reads = Pick<Store, 'contracts'>

/** Rounds of one reckoning, the first and the last. */
export interface RoundRange {
  readonly era: bigint
  readonly start: bigint
  readonly end: bigint
}

/** All that are added up; undefined while there is none. */
export async function addedUpRounds({ contracts }: Reads): Promise<RoundRange | undefined> {
  const fact = await contracts.fact(PROGRESS.kind, PROGRESS.key)
  if (fact === undefined) return undefined
  const { era, first, last } = readProgress(fact.body)
  return first === undefined || last === undefined ? undefined : { era, start: first, end: last }
}

/** One round; undefined where it is not added up. */
export async function roundTotal(
  { contracts }: Reads,
  era: bigint,
  round: bigint,
): Promise<RoundTotal | undefined> {
  const fact = await contracts.fact(kindsOf(era).round, digits(round))
  return fact && readRoundTotal(fact.body)
}

/** What they came to, lowest first. */
export async function roundTotals(
  { contracts }: Reads,
  { era, start, end }: RoundRange,
): Promise<readonly (RoundTotal & { readonly round: bigint })[]> {
  // The key before the first one: `after` is exclusive.
  const after = start === 0n ? '' : digits(start - 1n)
  const facts = await contracts.facts(kindsOf(era).round, after, Number(end - start + 1n))
  return facts
    .map(({ key, body }) => ({ round: BigInt(key), ...readRoundTotal(body) }))
    .filter(({ round }) => round <= end)
}

/** Parties that had a share in a round, after one of them ('' is the start), by their bytes. */
export async function roundPartyTotals(
  { contracts }: Reads,
  era: bigint,
  round: bigint,
  after: string,
  limit: number,
): Promise<readonly (RoundSums & { readonly party: string })[]> {
  const facts = await contracts.facts(kindsOf(era).roundParty(round), after, limit)
  return facts.map(({ key: party, body }) => ({ party, ...readRoundSums(body) }))
}

/** The first places of a list as it was after a round. */
export async function boardAt(
  { contracts }: Reads,
  era: bigint,
  name: BoardName,
  round: bigint,
  limit: number,
): Promise<readonly Place[]> {
  const kind = kindsOf(era).board(name)
  const [fact] = await contracts.facts(kind, beforeKey(countdown(round)), 1)
  return readPlaces(fact?.body).slice(0, limit)
}

/** The greatest text of digits of this length that is before one. */
function beforeKey(key: string): string {
  const number = BigInt(key)
  return number === 0n ? '' : digits(number - 1n)
}
