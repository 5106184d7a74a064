// The effects of an accepted vote. If an action is impossible, the vote gets that outcome instead
// of staying open permanently. This covers obstacles that can be seen without trying, so not a
// contract that is gone.
import type {
  ActionRequiringConfirmation,
  CoinSetConfigAction,
  DsoRules,
  DsoRulesAction,
} from '../../generated/contracts.gen.ts'
import type { Self, Tx } from '../engine/template.ts'
import {
  changedCoinConfig,
  changedDsoConfig,
  coinConfigProblem,
  coinRulesSetConfig,
  dsoConfigProblem,
} from './config.ts'
import { configOf, fetchCoinRules } from './coin-rules.ts'
import {
  dsoRulesGrantFeaturedAppRight,
  dsoRulesRevokeFeaturedAppRight,
  dsoRulesSetConfig,
} from './dso-rules.ts'

/** Answers why the action failed, undefined when it is done. */
export function carryOut(
  tx: Tx,
  rules: Self<DsoRules>,
  action: ActionRequiringConfirmation,
  coinRulesCid: string | null,
): string | undefined {
  if (action.tag === 'ARC_DsoRules') return carryOutDsoAction(tx, rules, action.value.dsoAction)
  if (coinRulesCid !== null)
    return setCoinConfig(tx, rules, action.value.coinRulesAction.value, coinRulesCid)
  return tx.abort({
    id: '',
    category: 'argument',
    message: "The action is on the coin's rules, but coinRulesCid names none",
  })
}

function carryOutDsoAction(
  tx: Tx,
  { id, payload }: Self<DsoRules>,
  action: DsoRulesAction,
): string | undefined {
  if (action.tag === 'SRARC_SetConfig') {
    const problem = dsoConfigProblem(changedDsoConfig(payload.config, action.value))
    if (problem === undefined) tx.exercise(dsoRulesSetConfig, id, action.value)
    return problem
  }
  if (action.tag === 'SRARC_GrantFeaturedAppRight')
    tx.exercise(dsoRulesGrantFeaturedAppRight, id, action.value)
  else tx.exercise(dsoRulesRevokeFeaturedAppRight, id, action.value)
  return undefined
}

function setCoinConfig(
  tx: Tx,
  { payload: { dso } }: Self<DsoRules>,
  change: CoinSetConfigAction,
  coinRulesCid: string,
): string | undefined {
  const current = configOf(fetchCoinRules(tx, dso, coinRulesCid))
  const problem = coinConfigProblem(changedCoinConfig(current, change))
  if (problem === undefined) tx.exercise(coinRulesSetConfig, coinRulesCid, change)
  return problem
}
