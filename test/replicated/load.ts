// Clients that take coin as fast as they are answered, and remember what was acknowledged.
import { setTimeout as sleep } from 'node:timers/promises'
import { member } from '../../runtime/host/member.ts'
import { call } from '../support/http.ts'

const TAP = 'POST /api/validator/v0/wallet/tap'
const PAUSE_MS = 50

interface Acknowledged {
  readonly contractId: string
  /** Times of request and answer, milliseconds. */
  readonly askedMs: number
  readonly answeredMs: number
}

export class Load {
  readonly acknowledged: Acknowledged[] = []
  /** Statuses that were no 200, and how often; 0 where no answer came. */
  readonly others = new Map<number, number>()
  readonly #clients: readonly Promise<void>[]
  #isOver = false

  constructor(url: string, tokens: readonly string[], clients: number) {
    this.#clients = Array.from({ length: clients }, (_, index) =>
      this.#client(url, tokens[index % tokens.length] ?? ''),
    )
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  /** The longest time between two answers from a moment on, milliseconds. */
  longestGap(fromMs: number): number {
    const times = this.acknowledged
      .map(({ answeredMs }) => answeredMs)
      .filter((answeredMs) => answeredMs >= fromMs)
      .sort((one, other) => one - other)
    const gaps = times.map((time, index) => time - (times[index - 1] ?? fromMs))
    return Math.max(0, ...gaps)
  }

  hasAnsweredSince(fromMs: number): boolean {
    return this.acknowledged.some(({ askedMs }) => askedMs > fromMs)
  }

  async #client(url: string, token: string): Promise<void> {
    while (!this.#isOver) {
      const askedMs = performance.now()
      const answer = await call(url, TAP, { token, body: { amount: '1.0' } }).catch(() => undefined)
      const contractId = member(answer?.json, 'contract_id')
      if (answer?.status === 200 && typeof contractId === 'string') {
        this.acknowledged.push({ contractId, askedMs, answeredMs: performance.now() })
        continue
      }
      const status = answer?.status ?? 0
      this.others.set(status, (this.others.get(status) ?? 0) + 1)
      await sleep(PAUSE_MS)
    }
  }
}
