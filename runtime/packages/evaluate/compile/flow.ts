// Functions and control: applications, abstractions, cases and lets.
import { COMPUTING, CONSTANTS, isCalling, isConstant } from '../../builtins/index.ts'
import { EvaluationError, illTyped } from '../../values/failure.ts'
import { Cons, Optional, Variant } from '../../values/value.ts'
import { CallStep, Closure, ComputingValue, Plain, Step } from '../code.ts'
import { constant } from './data.ts'
import { capturedBy, costOf, depthAround, goOn, sequence, stepOf, withOperands } from './scope.ts'
import type { Computing } from '../../builtins/index.ts'
import type { BuiltinFunction } from '../../program/builtin-functions.ts'
import type { Alternative, Expression, FlowExpression, Pattern } from '../../program/expressions.ts'
import type { Value } from '../../values/value.ts'
import type { Evaluate, Frame, Run } from '../code.ts'
import type { Compiled, Cost, Scope } from './scope.ts'

type Of<K extends FlowExpression['kind']> = Extract<FlowExpression, { readonly kind: K }>

/** A function of the language as a value. */
export function builtinValue({ linker }: Scope, name: BuiltinFunction): Value {
  if (isConstant(name)) return CONSTANTS[name]
  if (isCalling(name)) return linker.calling(name)
  const computing = COMPUTING.get(name)
  if (computing === undefined) throw illTyped(`there is no function ${name}`)
  return new ComputingValue(computing.arity, computing.compute)
}

/** The expression without applications and abstractions of types, which do nothing here. */
export function erased(expression: Expression): Expression {
  let inner = expression
  for (;;) {
    if (inner.kind === 'typeApplication') inner = inner.expression
    else if (inner.kind === 'typeAbstraction') inner = inner.body
    else return inner
  }
}

export function compileApplication(scope: Scope, expression: Of<'application'>): Compiled {
  const of = erased(expression.function)
  const computing = of.kind === 'builtin' ? COMPUTING.get(of.name) : undefined
  if (computing !== undefined && computing.arity === expression.arguments.length)
    return withOperands(scope, expression.arguments, (operands) => computed(computing, operands))
  return withOperands(scope, [of, ...expression.arguments], ([called, ...operands]) => {
    if (called === undefined) throw illTyped('a function is missing')
    return new CallStep(beginning(called.evaluate, operands), costOf([called, ...operands]))
  })
}

function computed({ compute }: Computing, operands: readonly Plain[]): Plain {
  const [a, b, c, d] = operands.map(({ evaluate }) => evaluate)
  const cost = costOf(operands, 2)
  if (a === undefined) throw illTyped('an operand is missing')
  if (b === undefined)
    return new Plain(
      (frame, machine) =>
        compute(machine.meter, a(frame, machine), undefined, undefined, undefined),
      cost,
    )
  if (c === undefined)
    return new Plain(
      (frame, machine) =>
        compute(machine.meter, a(frame, machine), b(frame, machine), undefined, undefined),
      cost,
    )
  return new Plain(
    (frame, machine) =>
      compute(
        machine.meter,
        a(frame, machine),
        b(frame, machine),
        c(frame, machine),
        d?.(frame, machine),
      ),
    cost,
  )
}

/** Evaluates a function and its arguments, and begins the call. */
function beginning(called: Evaluate, operands: readonly Plain[]): Run {
  const evaluates = operands.map(({ evaluate }) => evaluate)
  const [a, b] = evaluates
  if (a !== undefined && evaluates.length === 1)
    return (frame, machine) => machine.begin(called(frame, machine), [a(frame, machine)])
  if (a !== undefined && b !== undefined && evaluates.length === 2)
    return (frame, machine) =>
      machine.begin(called(frame, machine), [a(frame, machine), b(frame, machine)])
  const count = evaluates.length
  return (frame, machine) => {
    const of = called(frame, machine)
    const args = new Array<Value>(count)
    for (let at = 0; at < count; at += 1) args[at] = evaluates[at]?.(frame, machine)
    return machine.begin(of, args)
  }
}

export function compileAbstraction(scope: Scope, expression: Of<'abstraction'>): Compiled {
  const { lambda, captures } = scope.lambda(expression)
  if (captures.length === 0) return constant(new Closure(lambda, []))
  return new Plain((frame) => new Closure(lambda, capturedBy(captures, frame)), {
    cost: 1,
    cells: captures.length + 5,
    isTrivial: false,
  })
}

export function compileLet(
  scope: Scope,
  { bindings, body }: Of<'let'>,
  compileBody: (body: Expression) => Compiled,
): Compiled {
  const bounds = bindings.map(({ slot, bound }) => ({ slot, bound: scope.compile(bound) }))
  return sequence(bounds, compileBody(body))
}

export function compileCase(
  scope: Scope,
  { scrutinee, alternatives }: Of<'case'>,
  compileBody: (body: Expression) => Compiled,
): Compiled {
  return withOperands(scope, [scrutinee], ([operand]) => {
    if (operand === undefined) throw illTyped('an operand is missing')
    const bodies = alternatives.map(({ body }) => compileBody(body))
    const choose = choosing(alternatives)
    const { evaluate } = operand
    const plains = bodies.filter((body) => body instanceof Plain)
    const { cost, cells, depth } = largest(plains)
    if (plains.length === bodies.length && depth <= MAX_PLAIN_DEPTH) {
      const evaluates = plains.map((plain) => plain.evaluate)
      return new Plain(
        (frame, machine) =>
          chosen(evaluates, choose(evaluate(frame, machine), frame))(frame, machine),
        costOf([operand, { cost, cells, depth }]),
      )
    }
    const steps = bodies.map(stepOf)
    const step = { ...costOf([operand]), depth: Math.max(operand.depth, depthAround(...steps)) + 1 }
    return new Step((frame, machine) => {
      const body = chosen(steps, choose(evaluate(frame, machine), frame))
      return goOn(machine, body, frame)
    }, step)
  })
}

/** The most that one of them takes. */
function largest(plains: readonly Plain[]): Cost {
  let [cost, cells, depth] = [0, 0, 0]
  for (const plain of plains) {
    cost = Math.max(cost, plain.cost)
    cells = Math.max(cells, plain.cells)
    depth = Math.max(depth, plain.depth)
  }
  return { cost, cells, depth }
}

const MAX_PLAIN_DEPTH = 16

function chosen<T>(bodies: readonly T[], index: number): T {
  const body = bodies[index]
  if (body === undefined) throw new EvaluationError({ kind: 'error', message: 'match error' })
  return body
}

/** Finds the first alternative that matches a value, and binds what its pattern binds. */
function choosing(alternatives: readonly Alternative[]): (value: Value, frame: Frame) => number {
  const patterns = alternatives.map(({ pattern }) => pattern)
  const otherwise = patterns.findIndex(({ kind }) => kind === 'any')
  const table: number[] = []
  for (const [at, pattern] of patterns.entries()) {
    if (otherwise >= 0 && at > otherwise) break
    const rank = rankOf(pattern)
    if (rank !== undefined) table[rank] ??= at
  }
  const first = patterns.find(({ kind }) => kind !== 'any')
  if (first === undefined) return () => otherwise
  const missing = otherwise < 0 ? patterns.length : otherwise
  const binders = patterns.map(binderOf)
  const select = selecting(first)
  return (value, frame) => {
    const index = table[select(value)] ?? missing
    binders[index]?.(value, frame)
    return index
  }
}

/** Where a pattern stands among those of its type. */
function rankOf(pattern: Pattern): number | undefined {
  switch (pattern.kind) {
    case 'any':
      return undefined
    case 'variant':
    case 'enum':
      return pattern.constructor
    case 'bool':
      return Number(pattern.value)
    case 'unit':
    case 'nil':
    case 'none':
      return 0
    case 'cons':
    case 'some':
      return 1
  }
}

/** The rank of a value among the patterns of its type. */
function selecting({ kind }: Pattern): (value: Value) => number {
  switch (kind) {
    case 'variant':
      return (value) => (value instanceof Variant ? value.rank : mismatch())
    case 'enum':
      return (value) => (typeof value === 'number' ? value : mismatch())
    case 'bool':
      return (value) => (value === true ? 1 : value === false ? 0 : mismatch())
    case 'nil':
    case 'cons':
      return (value) => (value === null ? 0 : 1)
    case 'none':
    case 'some':
      return (value) => (value instanceof Optional ? Number(value.isSome) : mismatch())
    default:
      return () => 0
  }
}

function binderOf(pattern: Pattern): ((value: Value, frame: Frame) => void) | undefined {
  if (pattern.kind === 'variant' || pattern.kind === 'some') {
    const { slot } = pattern
    return (value, frame) => {
      frame[slot] = value instanceof Variant || value instanceof Optional ? value.value : mismatch()
    }
  }
  if (pattern.kind === 'cons') {
    const { head, tail } = pattern
    return (value, frame) => {
      if (!(value instanceof Cons)) throw mismatch()
      frame[head] = value.head
      frame[tail] = value.tail
    }
  }
  return undefined
}

function mismatch(): never {
  throw illTyped('a pattern is of another type than the value')
}
