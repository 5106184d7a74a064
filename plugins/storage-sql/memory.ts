// Storage that is gone with the process: for tests and demonstrations.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { MACHINE, openMemory } from './sqlite-database.ts'
import { sqlStore } from './store.ts'
import type { Store } from '../../runtime/index.ts'

/** An empty store in memory, with a clock of its own. */
export function createMemoryStore(clock = MACHINE): Store {
  return {
    ...sqlStore(openMemory(clock)),
    features: { durable: false, multiProcess: false },
  }
}

/** Keeps everything in memory. */
export default definePlugin({
  kind: 'storage',
  name: 'memory',
  options: z.strictObject({}),
  setup: ({ clock }) => {
    const store = createMemoryStore(clock)
    return { store, location: 'memory (nothing is kept)', stop: () => store.close() }
  },
})
