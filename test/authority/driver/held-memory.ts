// A storage plugin: what is kept in memory, where a test (holds.ts) can hold a call just before it
// happens, and do something else meanwhile.
import { z } from 'zod'
import { definePlugin } from '../../../runtime/index.ts'
import { memoryCalls } from './memory-calls.ts'

export default definePlugin({
  kind: 'storage',
  name: 'held-memory',
  options: z.strictObject({ holds: z.url(), calls: z.array(z.string()) }),
  setup: (_host, { holds, calls }) =>
    memoryCalls(async (call) => {
      if (calls.includes(call)) await fetch(new URL(call, holds))
    }),
})
