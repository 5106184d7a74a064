// Sends a request again where no answer came, or one that says to come again.

/** Times at which a request is sent again, the same to the last byte: with the ids that it had. */
export interface RetryOptions {
  /** How often a request is sent at most, the first time too. */
  readonly attempts: number
  /** The pause after the first attempt, milliseconds; twice as long after each further one. 100 */
  readonly pauseMs?: number
  /** No pause is longer, whatever `Retry-After` says, milliseconds. 10,000 */
  readonly longestMs?: number
}

/** Answers that a server gives before it has done anything, or while it cannot be reached. */
const COME_AGAIN = new Set([429, 502, 503, 504])

/**
 * The answer to the last attempt. Rejects with what fetch rejects with, at once where the signal
 * ended it. A body that is a stream is sent once: it cannot be read again.
 */
export async function fetchRetried(
  send: typeof fetch,
  url: string,
  init: RequestInit,
  { attempts, pauseMs = 100, longestMs = 10_000 }: RetryOptions,
): Promise<Response> {
  const isLast = (attempt: number): boolean =>
    attempt >= attempts || init.body instanceof ReadableStream
  for (let attempt = 1; ; attempt++) {
    const backOffMs = pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    let askedMs = 0
    try {
      const answer = await send(url, init)
      if (isLast(attempt) || !COME_AGAIN.has(answer.status)) return answer
      askedMs = retryAfterMs(answer.headers)
      await answer.body?.cancel()
    } catch (error) {
      if (isLast(attempt) || init.signal?.aborted === true) throw error
    }
    await passed(Math.min(longestMs, Math.max(backOffMs, askedMs)), init.signal)
  }
}

/** `Retry-After` as seconds or as a date; 0 where it says nothing. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

/** Rejects with the signal's reason once it ends the wait. */
function passed(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, ms)
    signal?.addEventListener('abort', end, { once: true })
  })
}
