// The one contract with the coin's rules; other files bind choices to it, whose bodies have the
// network's authority.
import { CoinRules } from '../../generated/contracts.gen.ts'
import type { CoinConfig } from '../../generated/contracts.gen.ts'
import { defineTemplate } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { requireParty } from './requirements.ts'
import { ofNetwork } from './of-network.ts'

export const coinRules = defineTemplate(CoinRules, ofNetwork)

/**
 * The configuration that holds: changes take effect when `CoinRules_SetConfig` is exercised, never
 * by the clock.
 */
export function configOf(rules: CoinRules): CoinConfig {
  return rules.configSchedule.initialValue
}

/** The rules that a choice elsewhere refers to; they must be those of `dso`. */
export function fetchCoinRules(tx: Tx, dso: string, contractId: string): CoinRules {
  const rules = tx.fetch(coinRules, contractId)
  requireParty(tx, 'the network party of the coin rules', rules.dso, dso)
  return rules
}
