// What the wallet has the engine write with every update. rulings.md 26
import type { Projector } from '../../ledger/submission.ts'
import { historyProjector } from './history/projector.ts'
import { trackingProjector } from './tracking.ts'
import { operationProjector } from './treasury/operation-facts.ts'

/** History lines, statuses of tracking ids, outcomes of deduplicated operations. */
export const walletProjectors: readonly Projector[] = [historyProjector, trackingProjector, operationProjector]
