// The machine that evaluates the contract language. Expressions are evaluated on the host's stack
// while that has room. Where it has none, and where updates run, code is steps, and what waits for
// a value waits on the machine's own stack: nothing a program does makes the host's deep.
// docs/decisions/0056-packages-that-run.md
import { Thrown, illTyped } from '../values/failure.ts'
import { exceeded } from '../values/meter.ts'
import { FunctionValue } from '../values/value.ts'
import { CallingValue, Catch, Closure, ComputingValue, JUMP, LEFT, Step, UNSET } from './code.ts'
import type { Meter } from '../values/meter.ts'
import type { Value } from '../values/value.ts'
import type { Continuation, Definition, Frame, Lambda, Machine, Next, TopLevel } from './code.ts'
import type { UpdateHost } from './host.ts'

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

/** Calls of the host that expressions may be deep altogether: less than half of its stack. */
const ROOM = 1_000
/** Calls of the host that a run takes. */
const RUN_DEPTH = 8
const FREE = { cost: 0, cells: 0 }

export class EvaluationMachine implements Machine {
  /** What to go on with after a jump. */
  step: Step = new Step(() => undefined, FREE)
  frame: Frame = NO_FRAME
  readonly meter: Meter
  readonly #values: TopLevel
  readonly #host: UpdateHost | undefined
  readonly #continuations: Continuation[] = []
  readonly #frames: Frame[] = []
  #depth = 0
  #room: number
  #left: Lambda | undefined
  #leftFrame: Frame = NO_FRAME

  constructor(
    meter: Meter,
    values: TopLevel,
    { host, room = ROOM }: { readonly host?: UpdateHost | undefined; readonly room?: number } = {},
  ) {
    this.meter = meter
    this.#values = values
    this.#host = host
    this.#room = room
  }

  get host(): UpdateHost {
    if (this.#host === undefined) throw illTyped('an update is run outside of a transaction')
    return this.#host
  }

  /** Runs what was jumped to until it has a value. Works inside a run too. */
  run(): Value {
    const base = this.#depth
    const room = this.#room
    for (;;) {
      try {
        return this.#run(base)
      } catch (error) {
        this.#room = room
        if (error instanceof Thrown) this.#unwind(error, base)
        else {
          this.#depth = base
          throw error
        }
      }
    }
  }

  /** What work on the host's stack answers; what it throws leaves the stack's room as it was. */
  directly(work: () => Value): Value {
    const room = this.#room
    try {
      return work()
    } catch (error) {
      this.#room = room
      throw error
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

  define(definition: Definition): Value {
    if (definition.kept !== UNSET || !definition.isFunction) return this.#values.valueOf(definition)
    definition.value = definition.lambda.direct.evaluate(NO_FRAME, this)
    return definition.value
  }

  call(of: Value, args: Value[]): Value {
    let called = of
    let given = args
    let from = 0
    for (;;) {
      const count = given.length - from
      if (!(called instanceof FunctionValue)) throw illTyped('what is applied is no function')
      const { arity } = called
      if (arity > count) return this.#partial(called, from === 0 ? given : given.slice(from))
      if (called instanceof Closure) {
        const { lambda, captured } = called
        const value = this.callIn(lambda, frameOf(lambda, captured, given, from))
        if (arity === count) return value
        called = value
        from += arity
      } else if (called instanceof Applied) {
        const { function: of, args: before } = called
        if (of instanceof Closure) {
          const { lambda, captured } = of
          const value = this.callIn(lambda, frameOf(lambda, captured, given, from, before))
          if (arity === count) return value
          called = value
          from += arity
        } else {
          given = before.concat(given.slice(from))
          called = of
          from = 0
        }
      } else return this.#callOther(called, from === 0 ? given : given.slice(from))
    }
  }

  /** A function of the language, or an update. */
  #callOther(called: FunctionValue, args: Value[]): Value {
    if (called.arity === args.length) {
      if (called instanceof ComputingValue)
        return called.compute(this.meter, args[0], args[1], args[2], args[3])
      const room = this.#room
      if (called instanceof CallingValue && called.direct && room >= RUN_DEPTH) {
        this.#room = room - RUN_DEPTH
        const value = called.direct(this, args)
        this.#room = room
        return value
      }
    }
    return this.#within(new Step(() => this.apply(called, args), FREE), NO_FRAME)
  }

  callIn(called: Lambda, given: Frame): Value {
    const { meter } = this
    const { steps, cells } = meter.limits
    let lambda = called
    let frame = given
    for (;;) {
      const { direct } = lambda
      if (this.#room < direct.depth) return this.#within(lambda.deep.step, frame)
      meter.steps += direct.cost
      meter.cells += direct.cells
      if (meter.steps > steps) throw exceeded('steps', steps)
      if (meter.cells > cells) throw exceeded('cells', cells)
      this.#room -= direct.depth
      const value = direct.evaluate(frame, this)
      this.#room += direct.depth
      if (value !== LEFT || this.#left === undefined) return value
      lambda = this.#left
      frame = this.#leftFrame
    }
  }

  leave(lambda: Lambda, frame: Frame): Value {
    this.#left = lambda
    this.#leftFrame = frame
    return LEFT
  }

  apply(of: Value, args: Value[], from = 0): Next {
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
    if (of instanceof CallingValue) {
      const given = args.slice(from, from + arity)
      // A step of its own: what it calls may be one of its kind.
      return this.jump(new Step(() => of.call(this, given), FREE), NO_FRAME)
    }
    throw illTyped('what is applied is no function')
  }

  enter(lambda: Lambda, args: Value[], captured: readonly Value[], from = 0): Next {
    const frame = frameOf(lambda, captured, args, from)
    if (!lambda.runs && lambda.direct.depth <= this.#room) return this.callIn(lambda, frame)
    this.meter.cells += frame.length
    return this.jump(lambda.deep.step, frame)
  }

  /** Runs a step within the one that is running. */
  #within(step: Step, frame: Frame): Value {
    const room = this.#room
    this.#room = Math.max(room - RUN_DEPTH, 0)
    this.jump(step, frame)
    const value = this.run()
    this.#room = room
    return value
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

/**
 * The frame of a function: arguments that were there before, and more from a place on. It is the
 * arguments themselves where nothing else is in it.
 */
function frameOf(
  { arity, captureOffset, frameSize }: Lambda,
  captured: readonly Value[],
  args: Value[],
  from: number,
  before: readonly Value[] = NO_FRAME,
): Frame {
  const count = before.length
  if (frameSize === args.length && arity === frameSize && from + count === 0) return args
  const frame = new Array<Value>(frameSize)
  for (let at = 0; at < count; at += 1) frame[at] = before[at]
  for (let at = count; at < arity; at += 1) frame[at] = args[from + at - count]
  for (let at = 0; at < captured.length; at += 1) frame[captureOffset + at] = captured[at]
  return frame
}

/** The arguments that a function does not take, for what it answers. */
class ApplyRest implements Continuation {
  readonly #args: Value[]
  readonly #from: number

  constructor(args: Value[], from: number) {
    this.#args = args
    this.#from = from
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    return machine.apply(value, this.#args, this.#from)
  }
}
