// The scheduler `postgres` in tests: quick to notice others.
import type { PluginContext } from '../../runtime/index.ts'
import { systemClock } from '../../runtime/host/clock.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'

export const TEST_CONTEXT: PluginContext = {
  name: 'postgres',
  log: silentLog,
  clock: systemClock,
  profile: 'dev',
  dataDir: '/nowhere',
  documents: [],
  listen: { host: '127.0.0.1', port: 0 },
}

export const TAKEOVER_MS = 3_000
export const POLL_MS = 150

export interface Wanted {
  readonly url: string
  readonly schema?: string
  readonly turnMs?: number
}

/** Options as the plugin has them once they are checked. */
export function schedulerOptions({ url, schema = 'ledgerwright_jobs', turnMs = 300 }: Wanted) {
  return {
    url,
    schema,
    backend: 'postgres' as const,
    pollMs: POLL_MS,
    turnMs,
    takeoverMs: TAKEOVER_MS,
  }
}
