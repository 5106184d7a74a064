// The four phases of a mining round: open, summarizing, issuing, closed; one contract a phase,
// never two of one number. docs/economy-rules.md, "Rounds"
import {
  ClosedMiningRound,
  IssuingMiningRound,
  OpenMiningRound,
  SummarizingMiningRound,
} from '../../generated/contracts.gen.ts'
import { defineTemplate } from '../engine/index.ts'
import { ofNetwork } from './of-network.ts'

interface Round {
  readonly dso: string
  readonly round: bigint
}

/** Rules of a round's template: the network's alone, ordered by number. */
function roundRules<T extends Round>(ensure: (round: T) => boolean) {
  return {
    ...ofNetwork,
    ensure: (round: T): boolean => round.round >= 0n && ensure(round),
    rank: (round: T): bigint => round.round,
  }
}

/** A round in which coin is paid. Rank: its number, as in all four. */
export const openMiningRound = defineTemplate(
  OpenMiningRound,
  roundRules(
    (round) =>
      round.conversionRate > 0n && round.tickDuration > 0n && round.targetClosesAt > round.opensAt,
  ),
)

/** A round whose shares are being counted. */
export const summarizingMiningRound = defineTemplate(
  SummarizingMiningRound,
  roundRules((round) => round.conversionRate > 0n && round.tickDuration > 0n),
)

/** A round whose shares can be minted. */
export const issuingMiningRound = defineTemplate(
  IssuingMiningRound,
  roundRules((round) => round.targetClosesAt > round.opensAt),
)

/** A round that is over; what is left of its shares goes back. */
export const closedMiningRound = defineTemplate(
  ClosedMiningRound,
  roundRules(() => true),
)
