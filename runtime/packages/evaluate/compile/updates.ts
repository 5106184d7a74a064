// Updates, both as values, which something else runs later, and run at once where they stand.
import { integer, text } from '../../builtins/arguments.ts'
import { illTyped } from '../../values/failure.ts'
import { demandNesting } from '../../values/nesting.ts'
import { Optional } from '../../values/value.ts'
import { Catch, Plain, Step, Update } from '../code.ts'
import { contractOf } from './interfaces.ts'
import { capturedBy, costOf, sequence, stepOf, valuesOf, withOperands } from './scope.ts'
import type { Thrown } from '../../values/failure.ts'
import type { Expression, UpdateExpression } from '../../program/expressions.ts'
import type { Value } from '../../values/value.ts'
import type { Savepoint } from '../host.ts'
import type { Continuation, Frame, Lambda, Machine, Next } from '../code.ts'
import type { Captured, Compiled, Scope } from './scope.ts'

type Of<K extends UpdateExpression['kind']> = Extract<UpdateExpression, { readonly kind: K }>
type Operation = (machine: Machine, operands: readonly Value[]) => Next

/** The update as a value. */
export function compileUpdate(scope: Scope, expression: UpdateExpression): Compiled {
  switch (expression.kind) {
    case 'bind':
      return bindValue(scope, expression)
    case 'embed':
      return entering(scope.lambda(expression.code, run))
    case 'tryCatch':
      return trying(scope, expression)
    default: {
      const { operands, operation } = operationOf(expression)
      return withOperands(scope, operands, (plains) => {
        const evaluates = plains.map(({ evaluate }) => evaluate)
        return new Plain(
          (frame, machine) => new Operating(operation, valuesOf(evaluates, frame, machine)),
          costOf(plains, plains.length + 4),
        )
      })
    }
  }
}

/** The update's result: it is run at once. */
export function compileUpdateRun(scope: Scope, expression: UpdateExpression): Compiled {
  switch (expression.kind) {
    case 'pure':
      return scope.compile(expression.value)
    case 'bind':
      return bindRun(scope, expression)
    case 'embed':
    case 'tryCatch':
      return compileRunOf(scope.compile(expression))
    default: {
      const { operands, operation } = operationOf(expression)
      return withOperands(scope, operands, (plains) => {
        const evaluates = plains.map(({ evaluate }) => evaluate)
        return new Step(
          (frame, machine) => operation(machine, valuesOf(evaluates, frame, machine)),
          costOf(plains, plains.length),
        )
      })
    }
  }
}

/** Runs the update that an expression evaluates to. */
export function compileRunOf(compiled: Compiled): Compiled {
  if (compiled instanceof Plain) {
    const { evaluate } = compiled
    return new Step((frame, machine) => runUpdate(evaluate(frame, machine), machine), compiled)
  }
  return new Step(
    (frame, machine) => {
      machine.push(RUNNING)
      return machine.jump(compiled, frame)
    },
    { cost: 1, cells: 0 },
  )
}

/** Runs an update. */
export function runUpdate(value: Value, machine: Machine): Next {
  if (value instanceof Update) return value.run(machine)
  throw illTyped('an update is expected')
}

const RUNNING: Continuation = { resume: (value, _, machine) => runUpdate(value, machine) }

/** The body of code that is an update, run. */
function run(scope: Scope, body: Expression): Compiled {
  return scope.compileRun(body)
}

/** An action of the ledger with its operands. */
class Operating extends Update {
  readonly #operation: Operation
  readonly #operands: readonly Value[]

  constructor(operation: Operation, operands: readonly Value[]) {
    super()
    this.#operation = operation
    this.#operands = operands
  }

  override run(machine: Machine): Next {
    return this.#operation(machine, this.#operands)
  }
}

type Action = Exclude<UpdateExpression, Of<'bind' | 'embed' | 'tryCatch'>>

function operationOf(expression: Action): {
  readonly operands: readonly Expression[]
  readonly operation: Operation
} {
  switch (expression.kind) {
    case 'pure':
      return { operands: [expression.value], operation: (_, [value]) => value }
    case 'create':
    case 'createInterface':
      return { operands: [expression.argument], operation: creating(expression) }
    case 'exercise':
    case 'exerciseInterface':
      return {
        operands: [expression.contractId, expression.argument],
        operation: exercising(expression),
      }
    case 'fetch':
      return {
        operands: [expression.contractId],
        operation: ({ host }, [id]) => host.fetch(expression.template, text(id)),
      }
    case 'fetchInterface':
      return {
        operands: [expression.contractId],
        operation: ({ host }, [id]) => host.fetchInterface(expression.interface, text(id)),
      }
    case 'getTime':
      return { operands: [], operation: ({ host }) => host.getTime() }
    case 'ledgerTimeLessThan':
      return {
        operands: [expression.time],
        operation: ({ host }, [time]) => host.ledgerTimeBefore(integer(time)),
      }
  }
}

function creating(expression: Of<'create' | 'createInterface'>): Operation {
  return ({ host, meter }, [argument]) => {
    if (expression.kind === 'create') {
      demandNesting(argument, meter)
      return host.create(expression.template, argument)
    }
    const { template, payload } = contractOf(argument)
    demandNesting(payload, meter)
    return host.create(template, payload)
  }
}

function exercising(expression: Of<'exercise' | 'exerciseInterface'>): Operation {
  const isInterface = expression.kind === 'exerciseInterface'
  const on = isInterface ? expression.interface : expression.template
  const { choice } = expression
  return ({ host, meter }, [id, argument]) => {
    demandNesting(argument, meter)
    return host.exercise({ on, isInterface, choice, contractId: text(id), argument })
  }
}

function blockOf(scope: Scope, { then, block }: Of<'bind'>): Captured {
  return scope.lambda(block, (inner, body) =>
    sequence(
      then.map(({ slot, bound }) => ({ slot, bound: inner.compileRun(bound) })),
      inner.compileRun(body),
    ),
  )
}

function bindValue(scope: Scope, expression: Of<'bind'>): Compiled {
  const { lambda, captures } = blockOf(scope, expression)
  return withOperands(scope, [expression.first], ([first]) => {
    if (first === undefined) throw illTyped('an operand is missing')
    return new Plain(
      (frame, machine) =>
        new Binding(first.evaluate(frame, machine), lambda, capturedBy(captures, frame)),
      costOf([first], captures.length + 6),
    )
  })
}

function bindRun(scope: Scope, expression: Of<'bind'>): Compiled {
  const { lambda, captures } = blockOf(scope, expression)
  const first = scope.compileRun(expression.first)
  const block: Continuation = {
    resume: (value, frame, machine) => machine.enter(lambda, [value], capturedBy(captures, frame)),
  }
  const inner = stepOf(first)
  return new Step(
    (frame, machine) => {
      machine.push(block, frame)
      return machine.jump(inner, frame)
    },
    { cost: 1, cells: captures.length },
  )
}

/** An update whose result goes into the frame of a block. */
class Binding extends Update implements Continuation {
  readonly #first: Value
  readonly #block: Lambda
  readonly #captured: readonly Value[]

  constructor(first: Value, block: Lambda, captured: readonly Value[]) {
    super()
    this.#first = first
    this.#block = block
    this.#captured = captured
  }

  /** Bindings within each other wait on the machine's stack, not on the host's. */
  override run(machine: Machine): Next {
    let first: Value = this
    for (; first instanceof Binding; first = first.#first) machine.push(first)
    return runUpdate(first, machine)
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    return machine.enter(this.#block, [value], this.#captured)
  }
}

function entering({ lambda, captures }: Captured): Plain {
  return new Plain((frame) => new Entering(lambda, capturedBy(captures, frame)), {
    cells: captures.length + 5,
  })
}

/** An update that is code of its own. */
class Entering extends Update {
  readonly #lambda: Lambda
  readonly #captured: readonly Value[]

  constructor(lambda: Lambda, captured: readonly Value[]) {
    super()
    this.#lambda = lambda
    this.#captured = captured
  }

  override run(machine: Machine): Next {
    return machine.enter(this.#lambda, [], this.#captured)
  }
}

function trying(scope: Scope, { attempt, handler }: Of<'tryCatch'>): Plain {
  const [tried, handling] = [entering(scope.lambda(attempt, run)), scope.lambda(handler)]
  const { lambda, captures } = handling
  return new Plain(
    (frame, machine) =>
      new Trying(tried.evaluate(frame, machine), lambda, capturedBy(captures, frame)),
    costOf([tried], captures.length + 6),
  )
}

class Trying extends Update {
  readonly #attempt: Value
  readonly #handler: Lambda
  readonly #captured: readonly Value[]

  constructor(attempt: Value, handler: Lambda, captured: readonly Value[]) {
    super()
    this.#attempt = attempt
    this.#handler = handler
    this.#captured = captured
  }

  override run(machine: Machine): Next {
    const savepoint = machine.host.savepoint()
    machine.push(new Catching(savepoint, this.#handler, this.#captured))
    return runUpdate(this.#attempt, machine)
  }
}

class Catching extends Catch {
  readonly #savepoint: Savepoint
  readonly #handler: Lambda
  readonly #captured: readonly Value[]

  constructor(savepoint: Savepoint, handler: Lambda, captured: readonly Value[]) {
    super()
    this.#savepoint = savepoint
    this.#handler = handler
    this.#captured = captured
  }

  override resume(value: Value): Next {
    return value
  }

  override caught(thrown: Thrown, machine: Machine): void {
    machine.push(new Handled(this.#savepoint, thrown))
    const handle = (): Next => machine.enter(this.#handler, [thrown.exception], this.#captured)
    machine.jump(new Step(handle, { cost: 1, cells: 0 }), [])
  }
}

/** Runs what the handler answers instead of what failed, or lets the exception pass. */
class Handled implements Continuation {
  readonly #savepoint: Savepoint
  readonly #thrown: Thrown

  constructor(savepoint: Savepoint, thrown: Thrown) {
    this.#savepoint = savepoint
    this.#thrown = thrown
  }

  resume(value: Value, _: Frame, machine: Machine): Next {
    if (!(value instanceof Optional)) throw illTyped('an optional update is expected')
    if (!value.isSome) throw this.#thrown
    this.#savepoint.rollBack()
    return runUpdate(value.value, machine)
  }
}
