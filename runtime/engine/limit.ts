// A time limit for work that might never end.

/**
 * What `work` comes to, or `late` where that takes longer than `limitMs`. Rejects as `work` does.
 */
export async function inTime<T>(limitMs: number, work: Promise<T>): Promise<T | 'late'> {
  const { promise: late, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, limitMs, 'late')
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
