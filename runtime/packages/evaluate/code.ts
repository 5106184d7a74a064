// Code as the machine runs it: expressions that are evaluated on the host's stack, steps that wait
// on the machine's, functions, and what the machine is to them.
import { illTyped } from '../values/failure.ts'
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
/** Steps within a step. */
export const MAX_DEPTH = 24
/** Stands for the value of a call that is left to the caller. */
export const LEFT: Value = new (class extends FunctionValue {
  readonly arity = 0
})()

export type Next = Value | typeof JUMP

/** The places of a function's parameters, captured values and what it binds. */
export type Frame = Value[]

export type Evaluate = (frame: Frame, machine: Machine) => Value
export type Run = (frame: Frame, machine: Machine) => Next

/** An expression that is evaluated on the host's stack. */
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
  /** The definition that it is the value of. */
  readonly definition: Definition | undefined

  constructor(evaluate: Evaluate, options: Partial<Omit<Plain, 'evaluate'>> = {}) {
    const { cost = 1, cells = 0, depth = 1, isTrivial = false, slot, definition } = options
    this.evaluate = evaluate
    this.slot = slot
    this.definition = definition
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

/** How code is compiled: for the host's stack, or for the machine's where it may be deep. */
export type Style = 'direct' | 'deep'

/** A function's code. It is compiled when it is first entered, in either style. */
export class Lambda {
  readonly arity: number
  /** Where captured values are in the frame. */
  readonly captureOffset: number
  /** Whether it runs updates: it has no direct style. */
  readonly runs: boolean
  readonly #compile: (style: Style) => Compiled
  #direct: Direct | undefined
  #deep: Deep | undefined

  constructor(
    { arity, captureOffset, runs }: Pick<Lambda, 'arity' | 'captureOffset' | 'runs'>,
    compile: (style: Style) => Compiled,
  ) {
    this.arity = arity
    this.captureOffset = captureOffset
    this.runs = runs
    this.#compile = compile
  }

  get direct(): Direct {
    return (this.#direct ??= directOf(this.#compile('direct')))
  }

  get frameSize(): number {
    return this.runs ? this.deep.frameSize : this.direct.frameSize
  }

  get deep(): Deep {
    return (this.#deep ??= deepOf(this.#compile('deep')))
  }
}

interface Compiled {
  readonly body: Plain | Step
  readonly frameSize: number
}

interface Direct extends Pick<Plain, 'evaluate' | 'cost' | 'cells' | 'depth'> {
  readonly frameSize: number
}

interface Deep {
  readonly step: Step
  readonly frameSize: number
}

/** Calls of the host that a call of ours takes beside its body. */
const CALL_DEPTH = 6

function directOf({ body, frameSize }: Compiled): Direct {
  if (body instanceof Step) throw illTyped('an expression has no direct style')
  const { evaluate, cost, cells, depth } = body
  return { evaluate, cost, cells: cells + frameSize, depth: depth + CALL_DEPTH, frameSize }
}

function deepOf({ body, frameSize }: Compiled): Deep {
  return { step: body instanceof Step ? body : new Step(body.evaluate, body), frameSize }
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
  /** The same on the host's stack. */
  readonly direct: ((machine: Machine, args: readonly Value[]) => Value) | undefined

  constructor(
    arity: number,
    call: (machine: Machine, args: readonly Value[]) => Next,
    direct?: (machine: Machine, args: readonly Value[]) => Value,
  ) {
    super()
    this.arity = arity
    this.call = call
    this.direct = direct
  }
}

/** An update: an action that happens when it is run. */
export abstract class Update extends FunctionValue {
  readonly arity = 1
  abstract run(machine: Machine): Next
}

/** A top-level value. */
export interface Definition {
  /** Its place among those of the program. */
  readonly index: number
  readonly isFunction: boolean
  /** The definition as a function, made on first use: that takes no steps and no cells. */
  value: Value | typeof UNSET
  /** The value of a definition that is no function, once evaluated, if there was room for it. */
  kept: Value | typeof UNSET
  /** What its evaluation takes, once that was seen. */
  taken: Taken | undefined
  readonly lambda: Lambda
}

/** Steps and cells that the evaluation of a top-level value takes, others aside. */
export interface Taken {
  readonly steps: number
  readonly cells: number
  /** The others. */
  readonly needs: readonly Definition[]
}

/** Values of definitions that are no functions, as code finds them. */
export interface TopLevel {
  valueOf(definition: Definition): Value
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
  /** The value of a definition that was not seen to be a function. */
  define(definition: Definition): Value
  /** The value of a function with arguments, which nobody else keeps: they may be its frame. */
  call(of: Value, args: Value[]): Value
  /** The value of a function's code in a frame, which has arguments and captured values. */
  callIn(lambda: Lambda, frame: Frame): Value
  /** Answers `LEFT`, which the caller of the code takes for: go on with this. */
  leave(lambda: Lambda, frame: Frame): Value
  /** Calls a function with arguments, of which some may have been used up. */
  apply(of: Value, args: Value[], from?: number): Next
  /** Calls a function's code. */
  enter(lambda: Lambda, args: Value[], captured: readonly Value[], from?: number): Next
}
