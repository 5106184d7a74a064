// On a development network a provider features itself; elsewhere a vote does.
// docs/economy-rules.md, "Featured transfers"
import { CoinRules } from '../../generated/contracts.gen.ts'
import { choice } from '../engine/index.ts'
import type { Tx } from '../engine/template.ts'
import { coinRules } from './coin-rules.ts'
import { featuredAppRight } from './featured-app.ts'

/** A provider features itself, on a development network only. */
export const coinRulesDevNetFeatureApp = choice(
  coinRules,
  CoinRules.choices.CoinRules_DevNet_FeatureApp,
  {
    controllers: (_rules, { provider }) => [provider],
    run: (tx: Tx, { payload: { dso, isDevNet } }, { provider }) => {
      tx.require(isDevNet, 'this is a development network', () => 'another one')
      return {
        featuredAppRightCid: tx.create(featuredAppRight, { dso, provider }),
      }
    },
  },
)
