// The machine that evaluates the contract language. Code is compiled to steps; what waits for a
// value waits on the machine's own stack, so nothing a program does makes the host's stack deep.
// Expressions that only read, compute and build are evaluated inside a step.
// docs/decisions/0056-packages-that-run.md
import { Thrown, illTyped } from '../values/failure.ts'
import { exceeded } from '../values/meter.ts'
import { FunctionValue } from '../values/value.ts'
import type { Compute } from '../builtins/index.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'
import type { UpdateHost } from './host.ts'

/** What a step answers that left the machine the next one, instead of a value. */
export const JUMP = Symbol('jump')
/** The place of a value that is not there yet. */
export const UNSET = Symbol('unset')
/** Thrown by an expression that needs a definition's value first; the step is then repeated. */
const NEEDED = Symbol('needed')

/** Expressions that are deeper are steps of their own. */
export const MAX_DEPTH = 24

export type Next = Value | typeof JUMP

/** The places of a function's parameters, captured values and what it binds. */
export type Frame = Value[]

export type Evaluate = (frame: Frame, machine: Machine) => Value
export type Run = (frame: Frame, machine: Machine) => Next

/** An expression that is evaluated inside a step. */
export class Plain {
  readonly evaluate: Evaluate
  /** Steps that it counts as. */
  readonly cost: number
  /** Cells that it allocates. */
  readonly cells: number
  /** Calls of the host that it is deep. */
  readonly depth: number
  /** Whether it can be evaluated later as well: it neither fails nor allocates. */
  readonly isTrivial: boolean
  /** The place in the frame that it reads, if it does no more. */
  readonly slot: number | undefined

  constructor(evaluate: Evaluate, options: Partial<Omit<Plain, 'evaluate'>> = {}) {
    const { cost = 1, cells = 0, depth = 1, isTrivial = false, slot } = options
    this.evaluate = evaluate
    this.slot = slot
    this.cost = cost
    this.cells = cells
    this.depth = depth
    this.isTrivial = isTrivial
  }
}

/** What the machine does between two looks at its meter. */
export class Step {
  readonly run: Run
  readonly cost: number
  readonly cells: number
  readonly depth: number

  constructor(
    run: Run,
    { cost, cells, depth }: { readonly cost: number; readonly cells: number; depth?: number },
  ) {
    this.run = run
    this.cost = cost
    this.cells = cells
    this.depth = depth ?? 1
  }
}

/** What waits for a value. */
export interface Continuation {
  resume(value: Value, frame: Frame, machine: Machine): Next
}

/** A function's code. It is compiled when it is first entered. */
export class Lambda {
  readonly arity: number
  /** Where captured values are in the frame. */
  readonly captureOffset: number
  readonly #compile: () => Compiled
  #code: Code | undefined

  constructor(arity: number, captureOffset: number, compile: () => Compiled) {
    this.arity = arity
    this.captureOffset = captureOffset
    this.#compile = compile
  }

  get code(): Code {
    return (this.#code ??= codeOf(this.#compile()))
  }
}

interface Compiled {
  readonly body: Plain | Step
  readonly frameSize: number
}

interface Code {
  readonly step: Step
  /** The body, where it only reads, computes and builds. */
  readonly plain: Plain | undefined
  readonly frameSize: number
}

function codeOf({ body, frameSize }: Compiled): Code {
  if (body instanceof Step) return { step: body, plain: undefined, frameSize }
  const isShallow = body.depth <= MAX_DEPTH
  return { step: new Step(body.evaluate, body), plain: isShallow ? body : undefined, frameSize }
}

export class Closure extends FunctionValue {
  readonly lambda: Lambda
  readonly captured: readonly Value[]

  constructor(lambda: Lambda, captured: readonly Value[]) {
    super()
    this.lambda = lambda
    this.captured = captured
  }

  get arity(): number {
    return this.lambda.arity
  }
}

/** A function of the language as a value. */
export class ComputingValue extends FunctionValue {
  readonly arity: number
  readonly compute: Compute

  constructor(arity: number, compute: Compute) {
    super()
    this.arity = arity
    this.compute = compute
  }
}

/** A function of the language that calls others. */
export class CallingValue extends FunctionValue {
  readonly arity: number
  readonly call: (machine: Machine, args: readonly Value[]) => Next

  constructor(arity: number, call: (machine: Machine, args: readonly Value[]) => Next) {
    super()
    this.arity = arity
    this.call = call
  }
}

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

/** An update: an action that happens when it is run. */
export abstract class Update extends FunctionValue {
  readonly arity = 1
  abstract run(machine: Machine): Next
}

/** A top-level value that has to be evaluated. */
export interface Definition {
  value: Value | typeof UNSET
  readonly lambda: Lambda
  /** Keeps the value; `cells` is what its evaluation allocated. */
  evaluated(value: Value, cells: number): void
}

/** A continuation that can take an exception. */
export abstract class Catch implements Continuation {
  abstract resume(value: Value, frame: Frame, machine: Machine): Next
  /** Sets the machine to what handles the exception. */
  abstract caught(thrown: Thrown, machine: Machine): void
}

const NO_FRAME: Frame = []

export class Machine {
  /** What to go on with after a jump. */
  step: Step = new Step(() => undefined, { cost: 0, cells: 0 })
  frame: Frame = NO_FRAME
  readonly meter: Meter
  readonly #host: UpdateHost | undefined
  readonly #continuations: Continuation[] = []
  readonly #frames: Frame[] = []
  #depth = 0
  #needed: Definition | undefined

  constructor(meter: Meter, host?: UpdateHost) {
    this.meter = meter
    this.#host = host
  }

  /** The ledger. Throws where code is evaluated that has none. */
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

  /** Leaves the machine a step to go on with. */
  jump(step: Step, frame: Frame): typeof JUMP {
    this.step = step
    this.frame = frame
    return JUMP
  }

  /**
   * Goes on with a step at once. Only where that ends soon in a jump or a value: the meter is
   * looked at with the next jump.
   */
  follow(step: Step, frame: Frame): Next {
    this.step = step
    this.frame = frame
    this.meter.steps += step.cost
    this.meter.cells += step.cells
    return step.run(frame, this)
  }

  /** Lets a continuation wait for the next value. */
  push(continuation: Continuation, frame: Frame = NO_FRAME): void {
    if (this.#depth >= this.meter.limits.depth) throw exceeded('depth', this.meter.limits.depth)
    this.#continuations[this.#depth] = continuation
    this.#frames[this.#depth] = frame
    this.#depth += 1
  }

  /** Ends the step until the definition has its value. */
  need(definition: Definition): never {
    this.#needed = definition
    throw NEEDED
  }

  /**
   * Calls a function from a step: what only reads, computes and builds is evaluated at once, and
   * the step repeated where that needs a definition.
   */
  call(of: Value, args: readonly Value[]): Next {
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
    return this.apply(called, args, from)
  }

  /** Calls a function with arguments, of which some may have been used up. */
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

  /** Jumps to a function's code. */
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
