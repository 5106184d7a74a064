// All of scan: what anybody may read about the network, from the ledger's contracts, facts and
// updates.
import type { Handlers } from '../../../generated/scan/handlers.gen.ts'
import type { Projector } from '../../engine/index.ts'
import type { Economy } from '../../economy/economy.ts'
import { roundConfigProjector } from '../../economy/round-totals/index.ts'
import type { Context } from '../reply.ts'
import { discoveryHandlers } from './discovery-handlers.ts'
import { snapshotHandlers, updateHandlers } from './history-handlers.ts'
import type { Probes } from '../probes.ts'
import { nameHandlers } from './name-handlers.ts'
import { networkHandlers, roundHandlers, voteHandlers } from './network-handlers.ts'
import { featuredHandlers, transferHandlers, validatorHandlers } from './party-handlers.ts'
import { activityHandlers, boardHandlers, roundTotalHandlers } from './round-total-handlers.ts'
import { signedHashProjector } from './signed-hashes.ts'
import { transferCommandProjector } from './transfer-commands.ts'

/** Projectors of scan, which the engine runs with every update. */
export const scanProjectors: readonly Projector[] = [
  transferCommandProjector,
  signedHashProjector,
  roundConfigProjector,
]

/** Every operation of the scan interface but its probes. */
export function scanHandlers(economy: Economy): Omit<Handlers<Context>, keyof Probes> {
  return {
    ...networkHandlers(economy),
    ...roundHandlers(economy),
    ...voteHandlers(economy),
    ...featuredHandlers(economy),
    ...transferHandlers(economy),
    ...validatorHandlers(economy),
    ...nameHandlers(economy),
    ...snapshotHandlers(economy),
    ...updateHandlers(economy),
    ...discoveryHandlers(economy),
    ...roundTotalHandlers(economy),
    ...boardHandlers(economy),
    ...activityHandlers(economy),
  }
}
