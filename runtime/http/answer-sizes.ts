// How large the answers of operations are, as far as that can be told before one is made.
import { SMALL_BYTES } from '../work/limits.ts'
import type { WireOperation } from './wire.ts'

/** Sizes of the last answers of operations. */
export class AnswerSizes {
  readonly #sizes = new Map<WireOperation, number>()

  /** Bytes of the last answer, half as much after each small one; 0 where that is small. */
  expected(operation: WireOperation): number {
    return this.#sizes.get(operation) ?? 0
  }

  learn(operation: WireOperation, bytes: number): void {
    const size = Math.max(bytes, this.expected(operation) / 2)
    if (size > SMALL_BYTES) this.#sizes.set(operation, size)
    else this.#sizes.delete(operation)
  }
}
