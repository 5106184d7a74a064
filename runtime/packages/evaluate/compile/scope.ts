// What the parts of the compiler share: the frame that code is compiled for, and how expressions
// are put together from compiled ones.
import { MAX_DEPTH, Plain, Step } from '../code.ts'
import type { Closure as ClosureCode, Expression } from '../../program/expressions.ts'
import type { Reference, Type } from '../../program/types.ts'
import type { TypeRep } from '../../values/type-rep.ts'
import type { CallingFunction } from '../../builtins/index.ts'
import type { Contract, Value } from '../../values/value.ts'
import type {
  CallingValue,
  Continuation,
  Definition,
  Evaluate,
  Frame,
  Lambda,
  Machine,
  Next,
} from '../code.ts'

export type Compiled = Plain | Step

/** The compiler, as its parts see it. */
export interface Scope {
  readonly linker: Linker
  /** Whether expressions are evaluated on the host's stack, whatever they call. */
  readonly isDirect: boolean
  compile(expression: Expression): Compiled
  /** Compiles what a function answers: where it is direct, the last call may be left. */
  compileLast(expression: Expression): Compiled
  /** What evaluates the expression, which is an update, and runs it. */
  compileRun(expression: Expression): Compiled
  /** A place in the frame that nothing else has. */
  temporary(): number
  /**
   * Code with a frame of its own, and where the values are that it captures. `compileBody` where
   * its body is not just evaluated.
   */
  lambda(closure: ClosureCode, compileBody?: CompileBody): Captured
}

export type CompileBody = (inner: Scope, body: Expression) => Compiled

export interface Captured {
  readonly lambda: Lambda
  /** Places in the frame. */
  readonly captures: readonly number[]
}

/** Code and names across packages. */
export interface Linker {
  definition(reference: Reference): Definition
  /** The calling function of this name. */
  calling(name: CallingFunction): CallingValue
  typeRep(type: Type): TypeRep
  /** The type that a name without arguments is. */
  nameRep(name: Reference): TypeRep
  implements(contract: Contract, interfaceName: Reference): boolean
  /** The code of these has the payload as its argument. */
  method(contract: Contract, interfaceName: Reference, method: string): Lambda
  view(contract: Contract, interfaceName: Reference): Lambda
  stakeholders(template: Reference): Stakeholders
}

export interface Stakeholders {
  readonly signatories: Lambda
  readonly observers: Lambda
}

/** What a part of code takes, as steps and expressions say it. */
export type Cost = Pick<Plain, 'cost' | 'cells' | 'depth'>

/** What an evaluation of several expressions takes altogether. */
export function costOf(parts: readonly Cost[], cells = 0): Cost {
  let [cost, allocated, depth] = [1, cells, 0]
  for (const part of parts) {
    cost += part.cost
    allocated += part.cells
    depth = Math.max(depth, part.depth)
  }
  return { cost, cells: allocated, depth: depth + 1 }
}

/** The values of these places. */
export function capturedBy(places: readonly number[], frame: Frame): readonly Value[] {
  const values = new Array<Value>(places.length)
  for (let at = 0; at < values.length; at += 1) values[at] = frame[places[at] ?? 0]
  return values
}

/** The values of expressions, in order. */
export function valuesOf(evaluates: readonly Evaluate[], frame: Frame, machine: Machine): Value[] {
  const values = new Array<Value>(evaluates.length)
  for (let at = 0; at < values.length; at += 1) values[at] = evaluates[at]?.(frame, machine)
  return values
}

/** An expression as a step that answers its value. */
export function stepOf(compiled: Compiled): Step {
  return compiled instanceof Step ? compiled : new Step(compiled.evaluate, compiled)
}

/** The expression that `build` makes of its operands, which are evaluated first and in order. */
export function withOperands(
  scope: Scope,
  expressions: readonly Expression[],
  build: (operands: readonly Plain[]) => Compiled,
): Compiled {
  const compiled = expressions.map((expression) => scope.compile(expression))
  const last = compiled.findLastIndex((part) => part instanceof Step)
  if (last < 0) return build(compiled.filter((part) => part instanceof Plain))
  const bindings: Bound[] = []
  const operands = compiled.map((part, at) => {
    if (part instanceof Plain && (at > last || part.isTrivial)) return part
    const slot = scope.temporary()
    bindings.push({ slot, bound: part })
    return slotOf(slot)
  })
  return sequence(bindings, build(operands))
}

/** The value of a place in the frame. */
export function slotOf(slot: number): Plain {
  return new Plain((frame) => frame[slot], { isTrivial: true, slot })
}

export interface Bound {
  readonly slot: number
  readonly bound: Compiled
}

/** Binds one after the other, then evaluates `body`. */
export function sequence(bindings: readonly Bound[], body: Compiled): Compiled {
  let rest = body
  let plains: PlainBound[] = []
  for (const { slot, bound } of bindings.toReversed()) {
    if (bound instanceof Plain) plains.unshift({ slot, bound })
    else {
      rest = bindStep(stepOf(bound), slot, stepOf(assigned(plains, rest)))
      plains = []
    }
  }
  return assigned(plains, rest)
}

interface PlainBound {
  readonly slot: number
  readonly bound: Plain
}

function assigned(bindings: readonly PlainBound[], rest: Compiled): Compiled {
  const [first, ...others] = bindings
  if (first === undefined) return rest
  const total = costOf(bindings.map(({ bound }) => bound))
  const { slot, bound } = first
  const { evaluate } = bound
  if (others.length > 0) return assignedAll(bindings, rest, total)
  if (rest instanceof Plain) {
    const last = rest.evaluate
    return new Plain(
      (frame, machine) => {
        frame[slot] = evaluate(frame, machine)
        return last(frame, machine)
      },
      joined(total, rest),
    )
  }
  if (rest.depth > MAX_DEPTH)
    return new Step((frame, machine) => {
      frame[slot] = evaluate(frame, machine)
      return machine.jump(rest, frame)
    }, total)
  const { run } = rest
  return new Step(
    (frame, machine) => {
      frame[slot] = evaluate(frame, machine)
      return run(frame, machine)
    },
    joined(total, rest),
  )
}

function assignedAll(bindings: readonly PlainBound[], rest: Compiled, total: Cost): Compiled {
  const slots = bindings.map(({ slot }) => slot)
  const values = bindings.map(({ bound }) => bound.evaluate)
  const count = slots.length
  const assign = (frame: Frame, machine: Machine): void => {
    for (let at = 0; at < count; at += 1) frame[slots[at] ?? 0] = values[at]?.(frame, machine)
  }
  if (rest instanceof Plain) {
    const { evaluate } = rest
    return new Plain(
      (frame, machine) => {
        assign(frame, machine)
        return evaluate(frame, machine)
      },
      joined(total, rest),
    )
  }
  const depth = Math.max(total.depth, depthAround(rest)) + 1
  return new Step(
    (frame, machine) => {
      assign(frame, machine)
      return goOn(machine, rest, frame)
    },
    { ...total, depth },
  )
}

function joined(a: Cost, b: Cost): Cost {
  return {
    cost: a.cost + b.cost,
    cells: a.cells + b.cells,
    depth: Math.max(a.depth, b.depth) + 1,
  }
}

/** Evaluates `inner`, puts its value into the frame and goes on with `rest`. */
function bindStep(inner: Step, slot: number, rest: Step): Step {
  const continuation: Continuation = {
    resume(value: Value, frame: Frame, machine: Machine): Next {
      frame[slot] = value
      return machine.follow(rest, frame)
    },
  }
  return new Step(
    (frame, machine) => {
      machine.push(continuation, frame)
      return goOn(machine, inner, frame)
    },
    { cost: 1, cells: 0, depth: depthAround(inner) },
  )
}

/** Goes on with a step that is part of another, by a jump where that is deep already. */
export function goOn(machine: Machine, step: Step, frame: Frame): Next {
  return step.depth > MAX_DEPTH ? machine.jump(step, frame) : machine.follow(step, frame)
}

/** The depth of a step that goes on with others. */
export function depthAround(...steps: readonly Step[]): number {
  return steps.reduce((most, { depth }) => Math.max(most, depth > MAX_DEPTH ? 1 : depth + 1), 1)
}
