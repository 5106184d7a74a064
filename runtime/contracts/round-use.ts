// How a choice uses a round: it must be the network's and have opened. Rounds are used until they
// are archived, whatever their target times say. docs/economy-rules.md, "Rounds"
import type { IssuingMiningRound, OpenMiningRound } from '../../generated/contracts.gen.ts'
import type { Tx } from '../engine/template.ts'
import { issuingMiningRound, openMiningRound } from './rounds.ts'
import { requireParty } from './requirements.ts'

/** The open round, which the update's time must not precede. */
export function openRoundInUse(tx: Tx, dso: string, contractId: string): OpenMiningRound {
  const round = tx.fetch(openMiningRound, contractId)
  requireParty(tx, 'the network party of the open round', round.dso, dso)
  tx.notBefore(round.opensAt)
  return round
}

/** The issuing round, which the update's time must not precede. */
export function issuingRoundInUse(tx: Tx, dso: string, contractId: string): IssuingMiningRound {
  const round = tx.fetch(issuingMiningRound, contractId)
  requireParty(tx, 'the network party of the issuing round', round.dso, dso)
  tx.notBefore(round.opensAt)
  return round
}
