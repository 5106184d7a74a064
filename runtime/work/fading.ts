// Sums by name of what was used lately. What was used counts less and less: after one window about
// a third of it, after five nothing. Per server, in memory.
import { Remembered } from './remembered.ts'

interface Used {
  readonly amount: number
  readonly atMs: number
}

export class Fading {
  readonly #windowMs: number
  readonly #nowMs: () => number
  readonly #used = new Remembered<Used>()

  /** @param nowMs time that only rises, milliseconds */
  constructor(windowMs: number, nowMs: () => number) {
    this.#windowMs = windowMs
    this.#nowMs = nowMs
  }

  /** Adds an amount, or with a negative one takes back what was added; answers what it comes to. */
  add(name: string, amount: number): number {
    const atMs = this.#nowMs()
    const before = this.#used.get(name)
    const rest =
      before === undefined ? 0 : before.amount * Math.exp((before.atMs - atMs) / this.#windowMs)
    const sum = Math.max(0, rest + amount)
    this.#used.set(name, { amount: sum, atMs })
    return sum
  }
}
