// Expressions that build data and take it apart.
import { illTyped } from '../../values/failure.ts'
import { Cons, NONE, Rec, some, Struct, Variant } from '../../values/value.ts'
import { list } from '../../builtins/arguments.ts'
import { Plain } from '../code.ts'
import { costOf, valuesOf, withOperands } from './scope.ts'
import type { DataExpression } from '../../program/expressions.ts'
import type { Value } from '../../values/value.ts'
import type { Evaluate } from '../code.ts'
import type { Compiled, Scope } from './scope.ts'

type Of<K extends DataExpression['kind']> = Extract<DataExpression, { readonly kind: K }>

export function compileData(scope: Scope, expression: DataExpression): Compiled {
  switch (expression.kind) {
    case 'record':
      return withOperands(scope, expression.fields, recordOf)
    case 'recordField':
      return recordField(scope, expression)
    case 'recordUpdate':
      return recordUpdate(scope, expression)
    case 'variant':
      return variant(scope, expression)
    case 'enum':
      return constant(expression.constructor)
    case 'struct':
      return struct(scope, expression)
    case 'structField':
      return structField(scope, expression)
    case 'structUpdate':
      return structUpdate(scope, expression)
    case 'nil':
      return constant(null)
    case 'cons':
      return cons(scope, expression)
    case 'none':
      return constant(NONE)
    case 'some':
      return withOperands(scope, [expression.value], ([value]) => unary(value, (of) => some(of), 3))
  }
}

/** The expression of a value that is known. */
export function constant(value: Value): Plain {
  return new Plain(() => value, { isTrivial: true })
}

/** What a function makes of one operand. */
export function unary(
  operand: Plain | undefined,
  of: (value: Value) => Value,
  cells: number,
): Plain {
  if (operand === undefined) throw illTyped('an operand is missing')
  const { evaluate } = operand
  return new Plain((frame, machine) => of(evaluate(frame, machine)), costOf([operand], cells))
}

/** What a function makes of two operands. */
export function binary(
  [first, second]: readonly Plain[],
  of: (first: Value, second: Value) => Value,
  cells: number,
): Plain {
  if (first === undefined || second === undefined) throw illTyped('an operand is missing')
  const [a, b] = [first.evaluate, second.evaluate]
  return new Plain(
    (frame, machine) => of(a(frame, machine), b(frame, machine)),
    costOf([first, second], cells),
  )
}

function recordOf(operands: readonly Plain[]): Plain {
  return new Plain(recordWith(operands), costOf(operands, operands.length + 4))
}

/** Records of few fields are the most of what programs build. */
function recordWith(operands: readonly Plain[]): Evaluate {
  const [a, b, c] = operands.map(({ evaluate }) => evaluate)
  if (operands.length === 1 && a !== undefined)
    return (frame, machine) => new Rec([a(frame, machine)])
  if (operands.length === 2 && a !== undefined && b !== undefined)
    return (frame, machine) => new Rec([a(frame, machine), b(frame, machine)])
  if (operands.length === 3 && a !== undefined && b !== undefined && c !== undefined)
    return (frame, machine) => new Rec([a(frame, machine), b(frame, machine), c(frame, machine)])
  const evaluates = operands.map(({ evaluate }) => evaluate)
  return (frame, machine) => new Rec(valuesOf(evaluates, frame, machine))
}

function recordField(scope: Scope, { record, field }: Of<'recordField'>): Compiled {
  return withOperands(scope, [record], ([operand]) => {
    if (operand === undefined) throw illTyped('an operand is missing')
    const { evaluate, slot, isTrivial } = operand
    const cost = { ...costOf([operand]), isTrivial }
    if (slot !== undefined) return new Plain((frame) => fieldOf(frame[slot], field), cost)
    return new Plain((frame, machine) => fieldOf(evaluate(frame, machine), field), cost)
  })
}

function fieldOf(value: Value, field: number): Value {
  if (value instanceof Rec) return value.fields[field]
  throw illTyped('a record is expected')
}

function recordUpdate(scope: Scope, { record, field, value }: Of<'recordUpdate'>): Compiled {
  return withOperands(scope, [record, value], ([of, to]) => {
    if (of === undefined || to === undefined) throw illTyped('an operand is missing')
    return new Plain(
      (frame, machine) => {
        const old = of.evaluate(frame, machine)
        if (!(old instanceof Rec)) throw illTyped('a record is expected')
        machine.meter.allocate(old.fields.length)
        return new Rec(old.fields.with(field, to.evaluate(frame, machine)))
      },
      costOf([of, to], 4),
    )
  })
}

function variant(scope: Scope, { constructor: rank, argument }: Of<'variant'>): Compiled {
  return withOperands(scope, [argument], ([operand]) =>
    unary(operand, (value) => new Variant(rank, value), 3),
  )
}

/** Fields are evaluated as they are written, and kept in the order of their names. */
function struct(scope: Scope, { shape, fields }: Of<'struct'>): Compiled {
  const expressions = fields.map(({ value }) => value)
  const places = fields.map(({ index }) => index)
  return withOperands(scope, expressions, (operands) => {
    const evaluates = operands.map((operand) => operand.evaluate)
    const evaluate: Evaluate = (frame, machine) => {
      const values = new Array<Value>(places.length)
      for (let at = 0; at < values.length; at += 1)
        values[places[at] ?? at] = evaluates[at]?.(frame, machine)
      return new Struct(shape.names, values)
    }
    return new Plain(evaluate, costOf(operands, operands.length + 5))
  })
}

function structField(scope: Scope, { struct: of, field }: Of<'structField'>): Compiled {
  const placeOf = placing(field)
  return withOperands(scope, [of], ([operand]) => {
    if (operand === undefined) throw illTyped('an operand is missing')
    const { evaluate } = operand
    return new Plain(
      (frame, machine) => {
        const { names, fields } = structOf(evaluate(frame, machine))
        return fields[placeOf(names)]
      },
      costOf([operand]),
    )
  })
}

function structUpdate(scope: Scope, { struct: of, field, value }: Of<'structUpdate'>): Compiled {
  const placeOf = placing(field)
  return withOperands(scope, [of, value], (operands) =>
    binary(
      operands,
      (old, to) => {
        const { names, fields } = structOf(old)
        return new Struct(names, fields.with(placeOf(names), to))
      },
      8,
    ),
  )
}

function structOf(value: Value): Struct {
  if (value instanceof Struct) return value
  throw illTyped('a struct is expected')
}

/** Where a field is, found once for values of the same type. */
function placing(field: string): (names: readonly string[]) => number {
  let known: readonly string[] | undefined
  let place = 0
  return (names) => {
    if (names !== known) {
      known = names
      place = names.indexOf(field)
      if (place < 0) throw illTyped(`a struct has no field ${field}`)
    }
    return place
  }
}

function cons(scope: Scope, { front, tail }: Of<'cons'>): Compiled {
  return withOperands(scope, [...front, tail], (operands) => {
    const evaluates = operands.map((operand) => operand.evaluate)
    const [only, rest] = evaluates
    if (only !== undefined && rest !== undefined && front.length === 1)
      return new Plain(
        (frame, machine) => new Cons(only(frame, machine), list(rest(frame, machine))),
        costOf(operands, 3),
      )
    const evaluate: Evaluate = (frame, machine) => {
      const values = valuesOf(evaluates, frame, machine)
      let result = list(values.pop())
      for (let at = values.length - 1; at >= 0; at -= 1) result = new Cons(values[at], result)
      return result
    }
    return new Plain(evaluate, costOf(operands, 3 * front.length))
  })
}
