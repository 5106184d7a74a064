// A storage plugin: what is kept in memory, but every call takes a moment, as a database's does, so
// that two requests at once meet in the middle of what they do. Each call still happens as a whole.
import { setImmediate as turn } from 'node:timers/promises'
import { z } from 'zod'
import { createMemoryStore } from '../../../plugins/storage-memory/index.ts'
import { definePlugin } from '../../../runtime/index.ts'

const MAX_TURNS = 3

export default definePlugin({
  kind: 'storage',
  name: 'late-memory',
  options: z.strictObject({}),
  setup: () => {
    const store = late(createMemoryStore())
    return { store, location: 'memory', stop: () => store.close() }
  },
})

function late<T extends object>(part: T): T {
  return new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'object' && value !== null) return late(value)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]): Promise<unknown> => {
        for (let turns = Math.floor(Math.random() * (MAX_TURNS + 1)); turns > 0; turns -= 1)
          await turn()
        return Reflect.apply(value, target, given)
      }
    },
  })
}
