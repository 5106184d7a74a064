// Top lists by a sum over all rounds. Sums only grow, so a party on the list was there before the
// round, or had a share in it: a list follows from the previous one and the parties of the round.
// docs/decisions/0041-round-totals.md
import { z } from 'zod'
import type { FactName, FactRecord } from '../../store/store.ts'
import { compareUtf8 } from '../../store/rules.ts'
import type { Kinds } from './names.ts'
import { storedForm } from '../../store/stored-form.ts'
import { sumsForm } from './sums.ts'
import type { Sums } from './sums.ts'

/** The sum that orders each list. */
export const BOARDS = {
  providers: 'appRewards',
  validators: 'validatorRewards',
  traffic: 'trafficPurchased',
} as const satisfies Readonly<Record<string, keyof Sums>>

export type BoardName = keyof typeof BOARDS

/** Places of a list. */
export const BOARD_SIZE = 100

/** A party and its sums over all rounds. */
export interface Place {
  readonly party: string
  readonly sums: Sums
}

const stored = storedForm(z.array(z.tuple([z.string(), sumsForm])))

const NAMES: readonly BoardName[] = ['providers', 'validators', 'traffic']

/** The newest list of each, for the one that makes the next. */
export function latestBoards({ latestBoard: kind }: Kinds): readonly FactName[] {
  return NAMES.map((key) => ({ kind, key }))
}

/** The facts of lists by what parties have after a round: the newest, and as they then were. */
export function boardsAfter(
  kinds: Kinds,
  round: bigint,
  places: readonly Place[],
  latestOf: (name: FactName) => string | undefined,
): readonly FactRecord[] {
  return NAMES.flatMap((key) => {
    const latest = { kind: kinds.latestBoard, key }
    const first = merged(BOARDS[key], readPlaces(latestOf(latest)), places)
    const body = stored.write(first.map(({ party, sums }) => [party, sums]))
    return [
      { ...latest, body },
      { kind: kinds.board(round), key, body },
    ]
  })
}

/** The places that a fact of a list has, first to last. */
export function readPlaces(body = '[]'): readonly Place[] {
  return stored.read(body).map(([party, sums]) => ({ party, sums }))
}

function merged(
  by: keyof Sums,
  before: readonly Place[],
  places: readonly Place[],
): readonly Place[] {
  const all = new Map([...before, ...places].map((place) => [place.party, place]))
  return [...all.values()]
    .filter(({ sums }) => sums[by] > 0n)
    .sort((a, b) => descending(a.sums[by], b.sums[by]) || compareUtf8(a.party, b.party))
    .slice(0, BOARD_SIZE)
}

function descending(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one > other ? -1 : 1
}
