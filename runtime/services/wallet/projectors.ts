// What the wallet has the engine write with every update. rulings.md 26
import type { Projector } from '../../ledger/submission.ts'
import { developmentFundProjector } from './development-fund-history.ts'
import { historyProjector } from './history/projector.ts'
import { tokenTransferProjector } from './token-transfer-outcomes.ts'
import { trackingProjector } from './tracking.ts'
import { operationProjector } from './treasury/operation-facts.ts'

/** History lines, statuses of tracking ids, outcomes of deduplicated operations and transfers, the development fund's history. */
export const walletProjectors: readonly Projector[] = [
  historyProjector, trackingProjector, operationProjector, tokenTransferProjector, developmentFundProjector,
]
