// Requests as the generated arbitraries draw them. Drawing one costs more than sending it, so each
// operation has a bank of them that is renewed one by one.
import fc from 'fast-check'
import { drawsOf } from '../../runtime/testing/conform/draws.ts'
import { seedOf } from '../../runtime/testing/conform/samples.ts'
import type { RequestCase } from '../../runtime/testing/conform.ts'
import type { Dice } from '../drive/dice.ts'
import type { Target } from './surface.ts'

export type Kind = 'valid' | 'flawed'

const SIZE = 40
/** The first of a draw are small: so many at once, all of which are kept. */
const DRAWN = 4
/** Share of the requests that lead to another draw. */
const RENEWED = 0.06

export class Bank {
  readonly #seed: number
  readonly #cases = new Map<string, RequestCase[]>()
  #draws = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** A drawn request; an admitted one where the document admits every request. */
  take(target: Target, wanted: Kind, dice: Dice): RequestCase {
    const kind = drawsOf(target.facts)?.flawed === undefined ? 'valid' : wanted
    const key = `${target.name} ${kind}`
    const cases = this.#cases.get(key) ?? []
    this.#cases.set(key, cases)
    if (cases.length === 0 || dice.chance(RENEWED)) cases.push(...this.#draw(target, kind))
    if (cases.length > SIZE) cases.splice(0, cases.length - SIZE)
    return dice.pick(cases)
  }

  #draw({ facts, name }: Target, kind: Kind): readonly RequestCase[] {
    this.#draws += 1
    const draws = drawsOf(facts)
    const arbitrary = (kind === 'flawed' ? draws?.flawed : undefined) ?? draws?.valid
    if (arbitrary === undefined) throw new Error(`${name} cannot be asked`)
    return fc.sample<RequestCase>(arbitrary, {
      numRuns: DRAWN,
      seed: seedOf(this.#seed + this.#draws, name),
    })
  }
}
