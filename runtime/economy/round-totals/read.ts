// The totals of rounds as they are asked for. A round is there once it is added up, all of it at
// once.
import type { Store } from '../../store/store.ts'
import { readPlaces } from './boards.ts'
import type { BoardName, Place } from './boards.ts'
import { digits, kindsOf, PROGRESS } from './names.ts'
import { progressForm } from './progress.ts'
import { roundSumsForm, roundTotalForm } from './stored-round.ts'
import type { RoundSums, RoundTotal } from './stored-round.ts'

type Reads = Pick<Store, 'contracts'>

/** Rounds of one reckoning, the first and the last. */
export interface RoundRange {
  readonly era: bigint
  readonly start: bigint
  readonly end: bigint
}

/** All rounds that are added up. */
export interface AddedUpRounds extends RoundRange {
  /** The first one whose parties and lists are kept. */
  readonly keptFrom: bigint
}

/** All that are added up; undefined while there is none. */
export async function addedUpRounds({ contracts }: Reads): Promise<AddedUpRounds | undefined> {
  const fact = await contracts.fact(PROGRESS.kind, PROGRESS.key)
  if (fact === undefined) return undefined
  const { era, first, last, keptFrom = 0n } = progressForm.read(fact.body)
  return first === undefined || last === undefined
    ? undefined
    : { era, start: first, end: last, keptFrom: keptFrom > first ? keptFrom : first }
}

/** One round; undefined where it is not added up. */
export async function roundTotal(
  { contracts }: Reads,
  era: bigint,
  round: bigint,
): Promise<RoundTotal | undefined> {
  const fact = await contracts.fact(kindsOf(era).round, digits(round))
  return fact && roundTotalForm.read(fact.body)
}

/** Totals of rounds, lowest first. */
export async function roundTotals(
  { contracts }: Reads,
  { era, start, end }: RoundRange,
): Promise<readonly (RoundTotal & { readonly round: bigint })[]> {
  // The key before the first one: `after` is exclusive.
  const after = start === 0n ? '' : digits(start - 1n)
  const facts = await contracts.facts(kindsOf(era).round, after, Number(end - start + 1n))
  return facts
    .map(({ key, body }) => ({ round: BigInt(key), ...roundTotalForm.read(body) }))
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
  return facts.map(({ key: party, body }) => ({ party, ...roundSumsForm.read(body) }))
}

/** The first places of a list as it was after a round; undefined where it is not kept. */
export async function boardAt(
  { contracts }: Reads,
  era: bigint,
  name: BoardName,
  round: bigint,
  limit: number,
): Promise<readonly Place[] | undefined> {
  const fact = await contracts.fact(kindsOf(era).board(round), name)
  return fact && readPlaces(fact.body).slice(0, limit)
}
