// Counts the requests of one operation in flight: when a hundred arrive at once, the size of their
// answers is not known yet.
import type { WireOperation } from './wire.ts'

/** The requests of one server. */
export class Crowds {
  readonly #underWay = new Map<WireOperation, number>()

  /** How many there are, with this one, which has to leave again. */
  join(operation: WireOperation): number {
    const count = (this.#underWay.get(operation) ?? 0) + 1
    this.#underWay.set(operation, count)
    return count
  }

  leave(operation: WireOperation): void {
    const count = (this.#underWay.get(operation) ?? 0) - 1
    if (count > 0) this.#underWay.set(operation, count)
    else this.#underWay.delete(operation)
  }
}
