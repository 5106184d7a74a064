// Code as the machine runs it: steps and the expressions within them, functions, and what the
// machine is to them.
import { FunctionValue } from '../values/value.ts'
import type { Compute } from '../builtins/index.ts'
import type { Meter } from '../values/meter.ts'
import type { Thrown } from '../values/failure.ts'
import type { Value } from '../values/value.ts'
import type { UpdateHost } from './host.ts'

/** What a step answers that left the machine the next one, instead of a value. */
export const JUMP = Symbol('jump')
/** The place of a value that is not there yet. */
export const UNSET = Symbol('unset')
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

/** A call, which may have its value at once. */
export class CallStep extends Step {
  /** Like `begin` of the machine. */
  readonly begin: Run

  constructor(begin: Run, cost: Omit<Plain, 'evaluate' | 'isTrivial' | 'slot'>) {
    super((frame, machine) => {
      const value = begin(frame, machine)
      return value === JUMP ? machine.finish() : value
    }, cost)
    this.begin = begin
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

/** The machine, as code sees it. */
export interface Machine {
  readonly meter: Meter
  /** The ledger. Throws where code is evaluated that has none. */
  readonly host: UpdateHost
  /** Leaves the machine a step to go on with. */
  jump(step: Step, frame: Frame): typeof JUMP
  /**
   * Goes on with a step at once. Only where that ends soon in a jump or a value: the meter is
   * looked at with the next jump.
   */
  follow(step: Step, frame: Frame): Next
  /** Lets a continuation wait for the next value. */
  push(continuation: Continuation, frame?: Frame): void
  /** Ends the step until the definition has its value. */
  need(definition: Definition): never
  /**
   * Begins a step's call: answers its value where that only takes reading, computing and
   * building, and the step is repeated where that needs a definition. Else a jump, with which
   * `finish` goes on.
   */
  begin(of: Value, args: readonly Value[]): Next
  /** Goes on with the call that was begun. */
  finish(): Next
  /** Calls a function with arguments, of which some may have been used up. */
  apply(of: Value, args: readonly Value[], from?: number): Next
  /** Jumps to a function's code. */
  enter(
    lambda: Lambda,
    args: readonly Value[],
    captured: readonly Value[],
    from?: number,
  ): typeof JUMP
}
