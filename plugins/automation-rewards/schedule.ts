// When a party collects the rewards of a round: at an instant of its own, so that not all of the
// network's validators come at once. docs/economy-rules.md, "Rewards"
import type { IssuingMiningRound } from '../../runtime/economy.ts'

type Issuing = Pick<IssuingMiningRound, 'round' | 'opensAt' | 'targetClosesAt'>

interface ScheduleTerms {
  /** Rounds that have begun to issue, by number; the last of them is scheduled. */
  readonly issuing: readonly [Issuing, ...Issuing[]]
  /** The round that was scheduled before. */
  readonly previous?: Issuing | undefined
  /** Microseconds since 1970. */
  readonly now: bigint
  /** How long before its close a round is left alone, microseconds. */
  readonly closeBuffer: bigint
}

/** The instants between which collection may begin; the same one twice without a choice. */
export function collectionWindow({ issuing, previous, now, closeBuffer }: ScheduleTerms): {
  readonly start: bigint
  readonly end: bigint
} {
  const { opensAt, targetClosesAt } = issuing.at(-1) ?? issuing[0]
  const tick = (targetClosesAt - opensAt) / 2n
  const start = latest(opensAt, now)
  const closes = [
    ...issuing,
    ...(previous !== undefined && previous.targetClosesAt > now ? [previous] : []),
  ].map((round) => round.targetClosesAt - closeBuffer)
  const end = closes.reduce(earliest, opensAt + tick)
  return { start, end: latest(start, end) }
}

/** The instant that `chance`, in [0, 1), picks. */
export function instantWithin(
  { start, end }: { readonly start: bigint; readonly end: bigint },
  chance: number,
): bigint {
  return start + BigInt(Math.floor(chance * Number(end - start)))
}

function earliest(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function latest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
