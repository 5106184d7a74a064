// The variables of one function while it is decoded: each gets a slot of the frame that the
// function will have, or a place among what its closure captures.
import type { Variable } from '../program/expressions.ts'

/** One object for each slot that is in use somewhere. */
const locals: Variable[] = []

export class Frame {
  /** Variables that a closure takes from the frame around it. */
  readonly captures: Variable[] = []
  readonly #outer: Frame | undefined
  readonly #names: string[] = []
  /** Earlier slot of each slot's name. */
  readonly #shadowed: (number | undefined)[] = []
  #slots: Map<string, number> | undefined
  #captured: Map<string, Variable> | undefined
  #size = 0

  constructor(outer?: Frame) {
    this.#outer = outer
  }

  /** The slots that it needs at most. */
  get size(): number {
    return this.#size
  }

  bind(name: string): number {
    const slot = this.#names.push(name) - 1
    const slots = (this.#slots ??= new Map())
    this.#shadowed.push(slots.get(name))
    slots.set(name, slot)
    this.#size = Math.max(this.#size, slot + 1)
    return slot
  }

  /** Forgets the last names, whose slots are free again. */
  unbind(count: number): void {
    for (let left = count; left > 0; left--) {
      const [name, before] = [this.#names.pop(), this.#shadowed.pop()]
      if (name === undefined) return
      if (before === undefined) this.#slots?.delete(name)
      else this.#slots?.set(name, before)
    }
  }

  /** Undefined where no function around binds the name. */
  variable(name: string): Variable | undefined {
    const slot = this.#slots?.get(name)
    if (slot !== undefined) return (locals[slot] ??= { kind: 'local', slot })
    const known = this.#captured?.get(name)
    if (known !== undefined) return known
    const outer = this.#outer?.variable(name)
    if (outer === undefined) return undefined
    const captured: Variable = { kind: 'captured', index: this.captures.push(outer) - 1 }
    this.#captured ??= new Map()
    this.#captured.set(name, captured)
    return captured
  }
}
