// A retry asks for exactly what the first try asked for: a key stands for one request, and the
// server refuses another one under it. What is made at the moment of sending (when it expires, how
// much there is) is made once.
import { useRef } from 'react'
import { isUncertain } from './problem.ts'

interface Asked<B> {
  readonly key: string
  readonly body: B
}

/**
 * Sends the body that `make` makes for a key, and the same one again as long as it is not known
 * whether it arrived. After a refusal nothing was done, so that the next try may ask for something
 * else.
 */
export function useSameRequest<B>(): <T>(
  key: string,
  make: () => B,
  send: (body: B) => Promise<T>,
) => Promise<T> {
  const asked = useRef<Asked<B>>(undefined)
  return async (key, make, send) => {
    if (asked.current?.key !== key) asked.current = { key, body: make() }
    try {
      return await send(asked.current.body)
    } catch (error) {
      if (!isUncertain(error)) asked.current = undefined
      throw error
    }
  }
}
