// Rules of functions, applications, bindings and cases.
import type { FlowExpression, Pattern } from '../program/expressions.ts'
import { describeType } from '../program/type-text.ts'
import type { ConstructorType, Type } from '../program/types.ts'
import type { Checking } from './checking.ts'
import { typeIn } from './data-rules.ts'

export function typeOfFlow(checking: Checking, expression: FlowExpression): Type {
  switch (expression.kind) {
    case 'application':
      return typeOfApplication(checking, expression)
    case 'typeApplication':
      return applyTypes(checking, checking.typeOf(expression.expression), expression.types)
    case 'abstraction':
      return typeOfAbstraction(checking, expression)
    case 'typeAbstraction': {
      const { parameters, body } = expression
      const type = checking.kinds.within(parameters, () => checking.typeOf(body))
      return parameters.reduceRight((inner, each) => checking.types.forall(each, inner), type)
    }
    case 'case':
      return typeOfCase(checking, expression)
    case 'let':
      for (const { slot, type, bound } of expression.bindings) {
        checking.kinds.requireStar(type)
        checking.require(bound, type, 'ExpLet')
        checking.bind(slot, type)
      }
      return checking.typeOf(expression.body)
  }
}

type Of<K> = Extract<FlowExpression, { kind: K }>

function typeOfApplication(checking: Checking, expression: Of<'application'>): Type {
  const { arguments: args, types } = expression
  let type = checking.typeOf(expression.function)
  let next = 0
  for (let index = 0; index <= args.length; index++) {
    for (; types[next]?.before === index; next++)
      type = applyTypes(checking, type, types[next]?.types ?? [])
    const argument = args[index]
    if (argument === undefined) break
    const [parameter, result] = arrowOf(checking, type)
    checking.require(argument, parameter, 'ExpApp')
    type = result
  }
  return type
}

function arrowOf(checking: Checking, type: Type): readonly [parameter: Type, result: Type] {
  const [parameter, result] = type.kind === 'builtin' && type.name === 'Arrow' ? type.arguments : []
  return parameter === undefined || result === undefined
    ? checking.fail('ExpApp', `${describeType(type)} is no function`)
    : [parameter, result]
}

function applyTypes(checking: Checking, applied: Type, args: readonly Type[]): Type {
  return args.reduce((type, argument) => {
    if (type.kind !== 'forall')
      return checking.fail('ExpTyApp', `${describeType(type)} is not for all types`)
    checking.kinds.require(argument, type.parameter.kind)
    return checking.types.instantiate(type, argument)
  }, applied)
}

function typeOfAbstraction(checking: Checking, expression: Of<'abstraction'>): Type {
  const { types, kinds } = checking
  const { parameters, typeParameters } = expression
  const from = (index: number, next: number): Type => {
    const between = typeParameters[next]
    if (between?.before === index) {
      const inner = kinds.within(between.types, () => from(index, next + 1))
      return between.types.reduceRight((type, each) => types.forall(each, type), inner)
    }
    const parameter = parameters[index]
    if (parameter === undefined) return checking.typeOf(expression.body)
    kinds.requireStar(parameter)
    return types.arrow(parameter, from(index + 1, next))
  }
  return checking.inClosure(expression, () => from(0, 0))
}

function typeOfCase(checking: Checking, { scrutinee, alternatives }: Of<'case'>): Type {
  const matched = checking.typeOf(scrutinee)
  const patterns = patternsOf(checking, matched)
  const found = new Set<unknown>()
  let type: Type | undefined
  for (const { pattern, body } of alternatives) {
    found.add(patterns.bind(pattern))
    const result = checking.typeOf(body)
    if (type !== undefined) checking.requireEqual(result, type, 'ExpCase')
    type ??= result
  }
  if (type === undefined) return checking.fail('ExpCase', 'A case has no alternatives')
  if (!found.has('any') && found.size < patterns.count)
    checking.fail('ExpCase', `A case does not cover all of ${describeType(matched)}`)
  return type
}

/** Patterns that match values of some type. */
interface Patterns {
  readonly count: number
  /** Binds what the pattern binds; the same answer for patterns that match the same. */
  bind(pattern: Pattern): unknown
}

function patternsOf(checking: Checking, matched: Type): Patterns {
  const refuse = (): never =>
    checking.fail('ExpCase', `A pattern does not match ${describeType(matched)}`)
  if (matched.kind === 'constructor') return dataPatterns(checking, matched, refuse)
  const kinds = matched.kind === 'builtin' ? (builtinPatterns.get(matched.name) ?? []) : []
  const [element] = matched.kind === 'builtin' ? matched.arguments : []
  return {
    count: Math.max(kinds.length, 1),
    bind: (pattern) => {
      if (pattern.kind === 'any') return pattern.kind
      const key = pattern.kind === 'bool' ? String(pattern.value) : pattern.kind
      if (!kinds.includes(key)) return refuse()
      if (pattern.kind === 'some' && element !== undefined) checking.bind(pattern.slot, element)
      if (pattern.kind === 'cons' && element !== undefined) {
        checking.bind(pattern.head, element)
        checking.bind(pattern.tail, matched)
      }
      return key
    },
  }
}

const builtinPatterns: ReadonlyMap<string, readonly string[]> = new Map([
  ['Unit', ['unit']],
  ['Bool', ['true', 'false']],
  ['List', ['nil', 'cons']],
  ['Optional', ['none', 'some']],
])

function dataPatterns(checking: Checking, matched: ConstructorType, refuse: () => never): Patterns {
  const { shape } = checking.program.dataType(matched.reference)
  const isMatchable = shape.kind === 'variant' || shape.kind === 'enum'
  return {
    count: isMatchable ? shape.constructors.length : 1,
    bind: (pattern) => {
      if (pattern.kind === 'any') return pattern.kind
      if (pattern.kind !== shape.kind || pattern.reference !== matched.reference) return refuse()
      const constructor = shape.kind === 'variant' && shape.constructors[pattern.constructor]
      if (pattern.kind === 'variant' && constructor)
        checking.bind(pattern.slot, typeIn(checking, matched, constructor))
      return pattern.constructor
    },
  }
}
