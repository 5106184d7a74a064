// Top-level values in one evaluation: each counts once, as much as it takes when nothing that it
// needs is there, whether or not this server has kept it. docs/decisions/0056
import { Meter, exceeded } from '../values/meter.ts'
import { UNSET } from './code.ts'
import { EvaluationMachine } from './machine.ts'
import type { Definition, Taken, TopLevel } from './code.ts'
import type { Value } from '../values/value.ts'
import type { ProgramLinker } from './linker.ts'

/** Thrown by the code of a top-level value that needs another one first. */
const NEEDED = Symbol('needed')
/** Steps and cells that beginning with the code of one counts as. */
const BEGIN = 50
/** Calls of the host that it may be deep, whatever was called before. */
const ROOM = 250

export class TopLevelValues implements TopLevel {
  readonly #linker: ProgramLinker
  readonly #meter: Meter
  /** 1 at the index of what was counted. */
  #counted: Uint8Array
  /** Values that the linker has no room for. */
  readonly #passing = new Map<Definition, Value>()

  constructor(linker: ProgramLinker, meter: Meter) {
    this.#linker = linker
    this.#meter = meter
    this.#counted = new Uint8Array(linker.definitionCount)
  }

  valueOf(definition: Definition): Value {
    const { kept, index } = definition
    if (this.#counted[index] !== 1) this.count(definition)
    else if (kept !== UNSET) return kept
    const value = this.atHand(definition)
    return value === UNSET ? this.#evaluated(definition) : value
  }

  /** The value, where it need not be evaluated. */
  atHand(definition: Definition): Value | typeof UNSET {
    const { kept } = definition
    if (kept !== UNSET || !this.#passing.has(definition)) return kept
    return this.#passing.get(definition)
  }

  /** The meter of a run of its code: what is known to take something was counted as that. */
  meterOf({ taken }: Definition): Meter {
    return taken === undefined ? this.#meter : new Meter(this.#meter.limits)
  }

  /** Counts what is known to be taken by a value and all that it needs, as far as it is not yet. */
  count(definition: Definition): void {
    if (definition.taken === undefined) return
    const pending = [definition]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      if (next.taken === undefined || this.#counted[next.index] === 1) continue
      this.#mark(next)
      this.#meter.work(next.taken.steps)
      this.#meter.allocate(next.taken.cells)
      for (const needed of next.taken.needs)
        if (this.#counted[needed.index] !== 1) pending.push(needed)
    }
  }

  /** One after the other: values that need each other do not make the host’s stack deep. */
  #evaluated(definition: Definition): Value {
    const begun = new Set([definition])
    const waiting: Run[] = []
    for (let run = new Run(this, definition); ;) {
      const value = run.evaluate()
      if (value === NEEDED) {
        const { needed } = run
        if (begun.has(needed)) throw exceeded('depth', this.#meter.limits.depth)
        begun.add(needed)
        waiting.push(run)
        run = new Run(this, needed)
      } else {
        this.#keep(run.definition, value, run.taken)
        begun.delete(run.definition)
        const next = waiting.pop()
        if (next === undefined) return value
        run = next
      }
    }
  }

  #keep(definition: Definition, value: Value, taken: Taken): void {
    this.#mark(definition)
    definition.taken = taken
    if (this.#linker.takeRoom(taken.cells)) definition.kept = value
    else this.#passing.set(definition, value)
  }

  #mark({ index }: Definition): void {
    if (index >= this.#counted.length) {
      const grown = new Uint8Array(this.#linker.definitionCount)
      grown.set(this.#counted)
      this.#counted = grown
    }
    this.#counted[index] = 1
  }
}

/** The code of a top-level value, which begins again for each value that is not there. */
class Run implements TopLevel {
  readonly definition: Definition
  readonly #values: TopLevelValues
  readonly #meter: Meter
  readonly #needs = new Set<Definition>()
  /** Steps and cells that begin again, also where they need not. */
  readonly #repeated = { steps: 0, cells: 0 }
  /** The meter at the start, and others' counts since. */
  #start = { steps: 0, cells: 0 }
  /** The value that it waits for. */
  needed: Definition

  constructor(values: TopLevelValues, definition: Definition) {
    this.#values = values
    this.definition = definition
    this.needed = definition
    this.#meter = values.meterOf(definition)
  }

  /** Everything that it takes, after its end. */
  get taken(): Taken {
    const { steps, cells } = this.#own()
    return {
      steps: steps + this.#repeated.steps,
      cells: cells + this.#repeated.cells,
      needs: [...this.#needs],
    }
  }

  evaluate(): Value | typeof NEEDED {
    this.#start = this.#shown()
    this.#meter.work(BEGIN)
    this.#meter.allocate(BEGIN)
    const machine = new EvaluationMachine(this.#meter, this, { room: ROOM })
    try {
      return machine.callIn(this.definition.lambda, [])
    } catch (error) {
      if (error === NEEDED) return NEEDED
      throw error
    }
  }

  valueOf(definition: Definition): Value {
    const value = this.#values.atHand(definition)
    if (!this.#needs.has(definition)) this.#need(definition, value !== UNSET)
    if (value !== UNSET) return value
    this.needed = definition
    throw NEEDED
  }

  #need(definition: Definition, isThere: boolean): void {
    this.#needs.add(definition)
    const { steps, cells } = this.#own()
    this.#repeated.steps += steps
    this.#repeated.cells += cells
    const before = this.#shown()
    if (isThere) {
      this.#meter.work(steps)
      this.#meter.allocate(cells)
    }
    this.#values.count(definition)
    this.#start.steps += this.#meter.steps - before.steps
    this.#start.cells += this.#meter.cells - before.cells
  }

  #shown() {
    const { steps, cells } = this.#meter
    return { steps, cells }
  }

  /** Its own steps and cells since it began last. */
  #own() {
    const { steps, cells } = this.#shown()
    return { steps: steps - this.#start.steps, cells: cells - this.#start.cells }
  }
}
