// The machine that evaluates the contract language. Code is compiled to steps; what waits for a
// value waits on the machine's own stack, so nothing a program does makes the host's stack deep.
// Expressions that only read, compute and build are evaluated inside a step.
// docs/decisions/0056-packages-that-run.md
import { Thrown, illTyped } from '../values/failure.ts'
import { exceeded } from '../values/meter.ts'
import { FunctionValue } from '../values/value.ts'
import { CallingValue, Catch, Closure, ComputingValue, JUMP, Step } from './code.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'
import type { Continuation, Definition, Frame, Lambda, Machine, Next } from './code.ts'
import type { UpdateHost } from './host.ts'

/** Thrown by an expression that needs a definition's value first; the step is then repeated. */
const NEEDED = Symbol('needed')

/** A function with fewer arguments than it needs. */
class Applied extends FunctionValue {
  readonly function: FunctionValue
  readonly args: readonly Value[]

  constructor(of: FunctionValue, args: readonly Value[]) {
    super()
    this.function = of
    this.args = args
  }

  get arity(): number {
    return this.function.arity - this.args.length
  }
}

const NO_FRAME: Frame = []

export class EvaluationMachine implements Machine {
  /** What to go on with after a jump. */
  step: Step = new Step(() => undefined, { cost: 0, cells: 0 })
  frame: Frame = NO_FRAME
  readonly meter: Meter
  readonly #host: UpdateHost | undefined
  readonly #continuations: Continuation[] = []
  readonly #frames: Frame[] = []
  #depth = 0
  #needed: Definition | undefined
  #begun: Value
  #args: readonly Value[] = NO_FRAME
  #from = 0

  constructor(meter: Meter, host?: UpdateHost) {
    this.meter = meter
    this.#host = host
  }

  get host(): UpdateHost {
    if (this.#host === undefined) throw illTyped('an update is run outside of a transaction')
    return this.#host
  }

  /** Runs what was jumped to until it has a value. Works inside a run too. */
  run(): Value {
    const base = this.#depth
    for (;;) {
      try {
        return this.#run(base)
      } catch (error) {
        if (error === NEEDED) this.#resolve()
        else if (error instanceof Thrown) this.#unwind(error, base)
        else {
          this.#depth = base
          throw error
        }
      }
    }
  }

  jump(step: Step, frame: Frame): typeof JUMP {
    this.step = step
    this.frame = frame
    return JUMP
  }

  follow(step: Step, frame: Frame): Next {
    this.step = step
    this.frame = frame
    this.meter.steps += step.cost
    this.meter.cells += step.cells
    return step.run(frame, this)
  }

  push(continuation: Continuation, frame: Frame = NO_FRAME): void {
    if (this.#depth >= this.meter.limits.depth) throw exceeded('depth', this.meter.limits.depth)
    this.#continuations[this.#depth] = continuation
    this.#frames[this.#depth] = frame
    this.#depth += 1
  }

  need(definition: Definition): never {
    this.#needed = definition
    throw NEEDED
  }

  begin(of: Value, args: readonly Value[]): Next {
    let called = of
    let from = 0
    while (called instanceof Closure && called.lambda.arity <= args.length - from) {
      const { lambda, captured } = called
      const { plain, frameSize } = lambda.code
      if (plain === undefined) break
      this.meter.steps += plain.cost
      this.meter.cells += plain.cells + frameSize
      called = plain.evaluate(frameOf(lambda, args, from, captured), this)
      from += lambda.arity
      if (from === args.length) return called
    }
    if (called instanceof ComputingValue && called.arity === args.length - from)
      return called.compute(this.meter, args[from], args[from + 1], args[from + 2], args[from + 3])
    this.#begun = called
    this.#args = args
    this.#from = from
    return JUMP
  }

  finish(): Next {
    return this.apply(this.#begun, this.#args, this.#from)
  }

  apply(of: Value, args: readonly Value[], from = 0): Next {
    const count = args.length - from
    if (!(of instanceof FunctionValue)) throw illTyped('what is applied is no function')
    const { arity } = of
    if (count < arity) return this.#partial(of, args.slice(from))
    if (count > arity) this.push(new ApplyRest(args, from + arity))
    if (of instanceof Closure) return this.enter(of.lambda, args, of.captured, from)
    if (of instanceof Applied)
      return this.apply(of.function, [...of.args, ...args.slice(from, from + arity)])
    if (of instanceof ComputingValue)
      return of.compute(this.meter, args[from], args[from + 1], args[from + 2], args[from + 3])
    if (of instanceof CallingValue) return of.call(this, args.slice(from, from + arity))
    throw illTyped('what is applied is no function')
  }

  enter(lambda: Lambda, args: readonly Value[], captured: readonly Value[], from = 0): typeof JUMP {
    const { step, frameSize } = lambda.code
    this.meter.cells += frameSize
    this.step = step
    this.frame = frameOf(lambda, args, from, captured)
    return JUMP
  }

  #partial(of: FunctionValue, args: readonly Value[]): Applied {
    const given = of instanceof Applied ? [...of.args, ...args] : args
    this.meter.allocate(given.length + 4)
    return new Applied(of instanceof Applied ? of.function : of, given)
  }

  #run(base: number): Value {
    const { meter } = this
    const { steps, cells } = meter.limits
    for (;;) {
      const { step } = this
      meter.steps += step.cost
      meter.cells += step.cells
      if (meter.steps > steps) throw exceeded('steps', steps)
      if (meter.cells > cells) throw exceeded('cells', cells)
      let next = step.run(this.frame, this)
      while (next !== JUMP) {
        if (this.#depth === base) return next
        this.#depth -= 1
        const continuation = this.#continuations[this.#depth]
        const frame = this.#frames[this.#depth]
        if (continuation === undefined || frame === undefined) throw illTyped('nothing waits')
        next = continuation.resume(next, frame, this)
      }
    }
  }

  /** Evaluates the definition that is needed, and then repeats the step. */
  #resolve(): void {
    const definition = this.#needed
    if (definition === undefined) throw illTyped('nothing is needed')
    this.push(new Defining(definition, this.step, this.meter.cells), this.frame)
    this.enter(definition.lambda, [], [])
  }

  #unwind(thrown: Thrown, base: number): void {
    while (this.#depth > base) {
      this.#depth -= 1
      const continuation = this.#continuations[this.#depth]
      if (continuation instanceof Catch) {
        continuation.caught(thrown, this)
        return
      }
    }
    throw thrown
  }
}

/** The frame of a function, with its arguments among `args`. */
function frameOf(
  { code, arity, captureOffset }: Lambda,
  args: readonly Value[],
  from: number,
  captured: readonly Value[],
): Frame {
  const frame = new Array<Value>(code.frameSize)
  for (let at = 0; at < arity; at += 1) frame[at] = args[from + at]
  for (let at = 0; at < captured.length; at += 1) frame[captureOffset + at] = captured[at]
  return frame
}

/** The arguments that a function does not take, for what it answers. */
class ApplyRest implements Continuation {
  readonly #args: readonly Value[]
  readonly #from: number

  constructor(args: readonly Value[], from: number) {
    this.#args = args
    this.#from = from
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    return machine.apply(value, this.#args, this.#from)
  }
}

/** Gives a definition its value, and repeats the step that needed it. */
class Defining implements Continuation {
  readonly #definition: Definition
  readonly #step: Step
  readonly #cells: number

  constructor(definition: Definition, step: Step, cells: number) {
    this.#definition = definition
    this.#step = step
    this.#cells = cells
  }

  resume(value: Value, frame: Frame, machine: Machine): Next {
    this.#definition.evaluated(value, machine.meter.cells - this.#cells)
    return machine.jump(this.#step, frame)
  }
}
