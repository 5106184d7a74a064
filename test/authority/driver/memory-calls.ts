// What is kept in memory, with something before every call.
import { createMemoryStore } from '../../../plugins/storage-sql/memory.ts'
import type { Store } from '../../../runtime/index.ts'

interface MemoryCalls {
  readonly store: Store
  readonly location: string
  stop(): Promise<void>
}

/** `before` gets the call's name, such as `users.grant`. The call itself happens as a whole. */
export function memoryCalls(before: (call: string) => Promise<void>): MemoryCalls {
  const store = preceded(createMemoryStore(), '', before)
  return { store, location: 'memory', stop: () => store.close() }
}

function preceded<T extends object>(
  part: T,
  path: string,
  before: (call: string) => Promise<void>,
): T {
  return new Proxy(part, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      const call = `${path}${String(name)}`
      if (typeof value === 'object' && value !== null) return preceded(value, `${call}.`, before)
      if (typeof value !== 'function') return value
      return async (...given: unknown[]): Promise<unknown> => {
        await before(call)
        return Reflect.apply(value, target, given)
      }
    },
  })
}
