// What the wallet has the engine write with every update. docs/ledger-rules.md, "Commits"
import type { Projector } from '../../engine/submission.ts'
import { developmentFundProjector } from './development-fund-history.ts'
import { historyProjector } from '../history/projector.ts'
import { trackingProjector } from './tracking.ts'

/** History lines, statuses of tracking ids, the development fund's history. */
export const walletProjectors: readonly Projector[] = [
  historyProjector,
  trackingProjector,
  developmentFundProjector,
]
