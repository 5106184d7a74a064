// The templates of the coin, its rules, transfers, traffic and preapprovals, with their choices bound.
import { bindTemplate } from '../ledger/index.ts'
import { coinExpire, coin } from './coin.ts'
import { coinRules } from './coin-rules.ts'
import { lockedCoin, lockedCoinExpireCoin, lockedCoinOwnerExpireLock, lockedCoinUnlock } from './locked-coin.ts'
import { coinRulesLegacyTransfer, coinRulesTransfer } from './transfer.ts'
import { validatorRight, validatorRightArchiveAsUser, validatorRightArchiveAsValidator } from './validator-right.ts'

/** For `allTemplates`. */
export const coinTemplates = [
  bindTemplate(coin, [coinExpire]),
  bindTemplate(lockedCoin, [lockedCoinUnlock, lockedCoinOwnerExpireLock, lockedCoinExpireCoin]),
  bindTemplate(coinRules, [coinRulesTransfer, coinRulesLegacyTransfer]),
  bindTemplate(validatorRight, [validatorRightArchiveAsUser, validatorRightArchiveAsValidator]),
]
