// Runs a plugin's work under a time limit. A plugin that hangs costs its limit and no more.
import { systemClock } from './clock.ts'

type Timed<T> =
  | { readonly ok: true; readonly value: T; readonly ms: number }
  | { readonly ok: false; readonly error: unknown; readonly timedOut: boolean; readonly ms: number }

/**
 * Waits for `work` at most `limitMs`. Never rejects. Work that ends after its limit is handed to
 * `late`, so that what it opened can be closed.
 */
export async function within<T>(
  limitMs: number,
  work: () => Promise<T> | T,
  late?: (value: T) => void,
): Promise<Timed<T>> {
  const began = systemClock.monotonicMs()
  const elapsed = (): number => Math.round((systemClock.monotonicMs() - began) * 10) / 10
  let expired = false
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Timed<T>>((resolve) => {
    timer = setTimeout(() => {
      expired = true
      resolve({
        ok: false,
        error: new Error(`took longer than ${limitMs} ms`),
        timedOut: true,
        ms: elapsed(),
      })
    }, limitMs)
  })
  const run = async (): Promise<Timed<T>> => {
    try {
      const value = await work()
      if (expired) late?.(value)
      return { ok: true, value, ms: elapsed() }
    } catch (error) {
      return { ok: false, error, timedOut: false, ms: elapsed() }
    }
  }
  const result = await Promise.race([run(), limit])
  clearTimeout(timer)
  return result
}
