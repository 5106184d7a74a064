// What inputs would bring and which prices hold. Rounds and coupons are the network's to show, so
// this is a choice of its rules; batches ask before they act. docs/economy-rules.md, "Treasury"
import { CoinRules } from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules, configOf } from './coin-rules.ts'
import { inputScope, valueInputs } from './transfer-inputs.ts'
import { requireParty } from './requirements.ts'

/** The payer, whose inputs they are; nothing changes. */
export const coinRulesQuote = choice(coinRules, CoinRules.choices.CoinRules_Quote, {
  controllers: (_rules, { payer }) => [payer],
  run: (tx: Tx, { payload: rules }, { payer, inputs, context, expectedDso }) => {
    requireParty(tx, 'the expected network party', expectedDso, rules.dso)
    const scope = inputScope(tx, rules, payer, context)
    const { total: inputAmount } = valueInputs(tx, scope, inputs)
    return { inputAmount, round: scope.round, config: configOf(rules), isDevNet: rules.isDevNet }
  },
})
