// A storage plugin: what is kept in memory, but every call takes a moment, as a database's does, so
// that two requests at once meet in the middle of what they do.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { definePlugin } from '../../../runtime/index.ts'
import { memoryCalls } from './memory-calls.ts'

const MAX_TURNS = 3

export default definePlugin({
  kind: 'storage',
  name: 'late-memory',
  options: z.strictObject({}),
  setup: () =>
    memoryCalls(async () => {
      for (let turns = Math.floor(Math.random() * (MAX_TURNS + 1)); turns > 0; turns -= 1)
        await turn()
    }),
})
