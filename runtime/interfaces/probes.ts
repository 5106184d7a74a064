// Probes and version under the prefixes of validator and scan, where deployments ask each of its
// own: they are one process here, so all of it answers for each. docs/ledger-rules.md, "Health and
// version"
import type { Handlers as ScanHandlers } from '../../generated/scan/handlers.gen.ts'
import type { Handlers as ValidatorHandlers } from '../../generated/validator/handlers.gen.ts'
import { timeText } from '../participant/time.ts'
import type { ServiceOptions } from './parts.ts'
import type { Context } from './reply.ts'

type Probe = 'isReady' | 'isLive' | 'getHealthStatus' | 'getVersion'
/** Operations that both interfaces have. */
export type Probes = Pick<ScanHandlers<Context>, Probe> & Pick<ValidatorHandlers<Context>, Probe>

const MS_PER_SECOND = 1_000

/** The same for both interfaces. */
export function probeHandlers(
  {
    clock,
    notReady,
    productVersion,
  }: Pick<ServiceOptions, 'clock' | 'notReady' | 'productVersion'>,
  participantId: string,
): Probes {
  const [startedAt, startedMs] = [timeText(clock.nowMicros()), clock.monotonicMs()]
  return {
    isReady: async () => ({ status: (await notReady()) === undefined ? 200 : 503 }),
    isLive: () => ({ status: 200 }),
    getHealthStatus: () => ({
      status: 200,
      body: {
        success: {
          id: participantId,
          uptime: `PT${(clock.monotonicMs() - startedMs) / MS_PER_SECOND}S`,
          ports: {},
          active: true,
        },
      },
    }),
    getVersion: () => ({ status: 200, body: { version: productVersion, commit_ts: startedAt } }),
  }
}
