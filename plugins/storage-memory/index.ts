// Storage that is gone with the process: for tests, demonstrations and as the reference of the
// storage contract.
import { z } from 'zod'
import { definePlugin } from '../../runtime/index.ts'
import { createMemoryStore } from './memory-store.ts'

export { createMemoryStore }

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
