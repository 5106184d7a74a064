// One transaction's use of a program: evaluates its code on a ledger, within limits. A choice that
// runs others, which run here too, comes back in: there is one evaluation for a transaction.
import { list, text } from '../builtins/arguments.ts'
import { EvaluationError, Thrown } from '../values/failure.ts'
import { Meter } from '../values/meter.ts'
import { demandNesting } from '../values/nesting.ts'
import { elementsOf } from '../values/value.ts'
import { runUpdate } from './compile/updates.ts'
import { Closure, Step } from './code.ts'
import { EvaluationMachine } from './machine.ts'
import { TopLevelValues } from './top-level.ts'
import type { ReadCode } from '../program/definitions.ts'
import type { Reference } from '../program/types.ts'
import type { EvaluationLimits } from '../values/failure.ts'
import type { Value } from '../values/value.ts'
import type { UpdateHost } from './host.ts'
import type { ProgramLinker } from './linker.ts'
import type { Next } from './code.ts'

export class Evaluation {
  readonly #linker: ProgramLinker
  readonly #machine: EvaluationMachine
  /** Evaluations that are under way, each in a choice of the one before. */
  #level = 0

  /** Without a host, updates cannot be run. */
  constructor(linker: ProgramLinker, limits: EvaluationLimits, host?: UpdateHost) {
    this.#linker = linker
    const meter = new Meter(limits)
    this.#machine = new EvaluationMachine(meter, new TopLevelValues(linker, meter), { host })
  }

  /** What was used up to now. */
  get used(): { readonly steps: number; readonly cells: number } {
    const { steps, cells } = this.#machine.meter
    return { steps, cells }
  }

  /** Counts what was evaluated up to now as repeated, and `read` characters as read for it. */
  again(read: number): void {
    this.#machine.meter.again(read)
  }

  /**
   * The value of code with its arguments. Throws `EvaluationError`; `Thrown` only where a choice
   * around it may catch the exception.
   */
  evaluate(code: ReadCode, args: readonly Value[]): Value {
    const of = new Closure(this.#linker.lambda(code), [])
    return this.#ran(() => this.#machine.directly(() => this.#machine.call(of, [...args])))
  }

  /** Parties that code says, each once. */
  parties(code: ReadCode, args: readonly Value[]): readonly string[] {
    const parties = list(this.evaluate(code, args))
    if (parties?.tail === null) return [text(parties.head)]
    return [...new Set(elementsOf(parties).map(text))]
  }

  /** The result of an update that is the value of code. */
  run(code: ReadCode, args: readonly Value[]): Value {
    const of = new Closure(this.#linker.lambda(code), [])
    const start = (): Next => runUpdate(this.#machine.call(of, [...args]), this.#machine)
    return this.#ran(() => {
      this.#machine.jump(new Step(start, { cost: 1, cells: 0 }), [])
      return this.#machine.run()
    })
  }

  /** The result of a choice's update, which is part of a transaction. */
  runChoice(code: ReadCode, args: readonly Value[]): Value {
    const result = this.run(code, args)
    demandNesting(result, this.#machine.meter)
    return result
  }

  /** The view that code makes of a contract. */
  view(code: ReadCode, args: readonly Value[]): Value {
    const view = this.evaluate(code, args)
    demandNesting(view, this.#machine.meter)
    return view
  }

  /** A top-level value. */
  value(reference: Reference): Value {
    return this.evaluate(this.#linker.program.value(reference).code, [])
  }

  /** What a function answers. */
  apply(of: Value, args: readonly Value[]): Value {
    return this.#ran(() => this.#machine.directly(() => this.#machine.call(of, [...args])))
  }

  #ran(work: () => Value): Value {
    this.#level += 1
    try {
      return work()
    } catch (error) {
      throw error instanceof Thrown && this.#level === 1 ? this.#unhandled(error) : error
    } finally {
      this.#level -= 1
    }
  }

  #unhandled({ exception }: Thrown): EvaluationError {
    const messageOf = this.#linker.calling('ANY_EXCEPTION_MESSAGE')
    let message = ''
    try {
      message = text(this.apply(messageOf, [exception]))
    } catch (error) {
      // An exception whose message throws has none.
      if (!(error instanceof Thrown)) throw error
    }
    return new EvaluationError({ kind: 'unhandled', exception: exception.type.key, message })
  }
}
