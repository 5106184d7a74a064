// What a random command is made of: numbers that choose among what there is when it is its turn.
import { DECIMAL_ONE, formatDecimal } from '../../../runtime/engine/index.ts'
import fc from 'fast-check'

/** The numbers of a command; the smaller, the simpler is what they choose. */
export interface Numbers {
  readonly choices: readonly number[]
  readonly amounts: readonly bigint[]
}

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 100n }).map((whole) => whole * DECIMAL_ONE),
  fc.bigInt({ min: 1n, max: 1000n }),
  fc.bigInt({ min: 1n, max: 10n ** 13n }),
)

export const numbers: fc.Arbitrary<Numbers> = fc.record({
  choices: fc.array(fc.nat(1000), { minLength: 12, maxLength: 12 }),
  amounts: fc.array(amount, { minLength: 4, maxLength: 4 }),
})

export class Draw {
  readonly #choices: number[]
  readonly #amounts: bigint[]

  constructor({ choices, amounts }: Numbers) {
    this.#choices = [...choices]
    this.#amounts = [...amounts]
  }

  /** A number below `end`. */
  below(end: number): number {
    return (this.#choices.shift() ?? 0) % end
  }

  /** One of them; undefined where there is none. */
  one<T>(all: readonly T[]): T | undefined {
    return all[this.below(Math.max(all.length, 1))]
  }

  /** True once in so many times. */
  rarely(times: number): boolean {
    return this.below(times) === times - 1
  }

  /** Some of them in their order, at most so many. */
  some<T>(all: readonly T[], most: number): readonly T[] {
    const first = this.below(Math.max(all.length, 1))
    return all.slice(first, first + 1 + this.below(most))
  }

  amount(): string {
    return formatDecimal(this.#amounts.shift() ?? DECIMAL_ONE)
  }
}
