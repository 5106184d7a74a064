// Functions and control: applications, abstractions, cases and lets.
import { COMPUTING, CONSTANTS, isCalling, isConstant } from '../../builtins/index.ts'
import { EvaluationError, illTyped } from '../../values/failure.ts'
import { Cons, Optional, Variant } from '../../values/value.ts'
import { Closure, ComputingValue, Plain, Step } from '../code.ts'
import { constant } from './data.ts'
import {
  capturedBy,
  costOf,
  depthAround,
  goOn,
  sequence,
  stepOf,
  valuesOf,
  withOperands,
} from './scope.ts'
import type { Computing } from '../../builtins/index.ts'
import type { BuiltinFunction } from '../../program/builtin-functions.ts'
import type { Alternative, Expression, FlowExpression, Pattern } from '../../program/expressions.ts'
import type { Value } from '../../values/value.ts'
import type { Evaluate, Frame } from '../code.ts'
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

/** `isLast`: it is what a function answers. */
export function compileApplication(
  scope: Scope,
  expression: Of<'application'>,
  isLast: boolean,
): Compiled {
  const applied = erased(expression.function)
  const computing = applied.kind === 'builtin' ? COMPUTING.get(applied.name) : undefined
  if (computing !== undefined && computing.arity === expression.arguments.length)
    return withOperands(scope, expression.arguments, (operands) => computed(computing, operands))
  return withOperands(scope, [applied, ...expression.arguments], ([called, ...operands]) => {
    if (called === undefined) throw illTyped('a function is missing')
    const cost = costOf([called, ...operands])
    if (scope.isDirect) return new Plain(calling(called, operands, isLast), cost)
    const of = called.evaluate
    const args = operands.map(({ evaluate }) => evaluate)
    return new Step((frame, machine) => {
      const value = of(frame, machine)
      return machine.apply(value, valuesOf(args, frame, machine))
    }, cost)
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

/** Evaluates a function and its arguments, and calls it. Most calls have all arguments. */
function calling(
  { evaluate, definition }: Plain,
  operands: readonly Plain[],
  isLast: boolean,
): Evaluate {
  const args = operands.map(({ evaluate }) => evaluate)
  const slots = operands.map(({ slot }) => slot ?? NO_SLOT)
  const [a, b, c, d] = args
  const count = args.length
  return (frame, machine) => {
    const known = definition?.value
    const of = known instanceof Closure ? known : evaluate(frame, machine)
    if (!(of instanceof Closure) || of.lambda.arity !== count) {
      if (of instanceof ComputingValue && of.arity === count)
        return of.compute(
          machine.meter,
          a?.(frame, machine),
          b?.(frame, machine),
          c?.(frame, machine),
          d?.(frame, machine),
        )
      return machine.call(of, valuesOf(args, frame, machine))
    }
    const { lambda, captured } = of
    const inner = new Array<Value>(lambda.direct.frameSize)
    for (let at = 0; at < count; at += 1) {
      const slot = slots[at] ?? NO_SLOT
      inner[at] = slot === NO_SLOT ? args[at]?.(frame, machine) : frame[slot]
    }
    for (let at = 0; at < captured.length; at += 1) inner[lambda.captureOffset + at] = captured[at]
    return isLast ? machine.leave(lambda, inner) : machine.callIn(lambda, inner)
  }
}

const NO_SLOT = -1

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
    if (plains.length === bodies.length) {
      const evaluates = plains.map((plain) => plain.evaluate)
      return new Plain(
        (frame, machine) => {
          const body = evaluates[choose(evaluate(frame, machine), frame)]
          return body === undefined ? unmatched() : body(frame, machine)
        },
        costOf([operand, { cost, cells, depth }]),
      )
    }
    const steps = bodies.map(stepOf)
    const step = { ...costOf([operand]), depth: Math.max(operand.depth, depthAround(...steps)) + 1 }
    return new Step((frame, machine) => {
      const body = steps[choose(evaluate(frame, machine), frame)]
      return body === undefined ? unmatched() : goOn(machine, body, frame)
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

function unmatched(): never {
  throw new EvaluationError({ kind: 'error', message: 'match error' })
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
  const count = Math.max(2, ...patterns.map((pattern) => (rankOf(pattern) ?? 0) + 1))
  const indexes = Array.from({ length: count }, (_, rank) => table[rank] ?? missing)
  return matching(first, indexes, missing, patterns)
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

/** Finds a value's pattern among those of its type, and binds what that binds. */
function matching(
  { kind }: Pattern,
  indexes: readonly number[],
  missing: number,
  patterns: readonly Pattern[],
): (value: Value, frame: Frame) => number {
  const slots = patterns.map((pattern) => ('slot' in pattern ? pattern.slot : undefined))
  const bind = (index: number, value: Value, frame: Frame): number => {
    const slot = slots[index]
    if (slot !== undefined) frame[slot] = value
    return index
  }
  const [first = missing, second = missing] = indexes
  switch (kind) {
    case 'variant':
      return (value, frame) =>
        value instanceof Variant
          ? bind(indexes[value.rank] ?? missing, value.value, frame)
          : mismatch()
    case 'none':
    case 'some':
      return (value, frame) =>
        value instanceof Optional
          ? bind(value.isSome ? second : first, value.value, frame)
          : mismatch()
    case 'enum':
      return (value) => (typeof value === 'number' ? (indexes[value] ?? missing) : mismatch())
    case 'bool':
      return (value) => (value === true ? second : value === false ? first : mismatch())
    case 'nil':
    case 'cons':
      return matchingList(first, second, patterns[second])
    default:
      return () => first
  }
}

function matchingList(
  empty: number,
  full: number,
  pattern: Pattern | undefined,
): (value: Value, frame: Frame) => number {
  return (value, frame) => {
    if (value === null) return empty
    if (!(value instanceof Cons)) throw mismatch()
    if (pattern?.kind === 'cons') {
      frame[pattern.head] = value.head
      frame[pattern.tail] = value.tail
    }
    return full
  }
}

function mismatch(): never {
  throw illTyped('a pattern is of another type than the value')
}
