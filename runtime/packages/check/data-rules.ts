// Rules of data: records, variants, enums, structs, lists, optionals, and values with their type.
import type { DataShape, Field } from '../program/definitions.ts'
import type { DataExpression, DynamicExpression } from '../program/expressions.ts'
import { substitution } from '../program/type-table.ts'
import { describeType } from '../program/type-text.ts'
import type { ConstructorType, StructType, Type } from '../program/types.ts'
import type { Checking } from './checking.ts'

export function typeOfData(checking: Checking, expression: DataExpression): Type {
  const { types, kinds } = checking
  switch (expression.kind) {
    case 'record': {
      const fields = fieldsOf(checking, expression.type, 'ExpRecCon')
      expression.fields.forEach((value, index) =>
        checking.require(value, typeAt(checking, fields, index), 'ExpRecCon'),
      )
      return expression.type
    }
    case 'recordField': {
      const fields = fieldsOf(checking, expression.type, 'ExpRecProj')
      checking.require(expression.record, expression.type, 'ExpRecProj')
      return typeAt(checking, fields, expression.field)
    }
    case 'recordUpdate': {
      const fields = fieldsOf(checking, expression.type, 'ExpRecUpdate')
      checking.require(expression.record, expression.type, 'ExpRecUpdate')
      checking.require(expression.value, typeAt(checking, fields, expression.field), 'ExpRecUpdate')
      return expression.type
    }
    case 'variant': {
      const fields = fieldsOf(checking, expression.type, 'ExpVarCon')
      checking.require(
        expression.argument,
        typeAt(checking, fields, expression.constructor),
        'ExpVarCon',
      )
      return expression.type
    }
    case 'enum':
      return expression.type
    case 'struct':
    case 'structField':
    case 'structUpdate':
      return typeOfStruct(checking, expression)
    case 'nil':
      kinds.requireStar(expression.type)
      return types.builtin('List', expression.type)
    case 'cons': {
      kinds.requireStar(expression.type)
      const list = types.builtin('List', expression.type)
      for (const element of expression.front)
        checking.require(element, expression.type, 'ExpListCons')
      checking.require(expression.tail, list, 'ExpListCons')
      return list
    }
    case 'none':
      kinds.requireStar(expression.type)
      return types.builtin('Optional', expression.type)
    case 'some':
      kinds.requireStar(expression.type)
      checking.require(expression.value, expression.type, 'ExpOptionalSome')
      return types.builtin('Optional', expression.type)
  }
}

type StructExpression = Extract<DataExpression, { kind: 'struct' | 'structField' | 'structUpdate' }>

function typeOfStruct(checking: Checking, expression: StructExpression): Type {
  if (expression.kind === 'struct') {
    const found = new Map(
      expression.fields.map(({ index, value }) => [index, checking.typeOf(value)]),
    )
    return checking.types.struct(
      expression.shape,
      expression.shape.names.flatMap((_, index) => found.get(index) ?? []),
    )
  }
  const rule = expression.kind === 'structField' ? 'ExpStructProj' : 'ExpStructUpdate'
  const struct = structOf(checking, checking.typeOf(expression.struct), rule)
  const type = struct.types[struct.shape.indexes.get(expression.field) ?? -1]
  if (type === undefined)
    return checking.fail(rule, `${describeType(struct)} has no field ${expression.field}`)
  if (expression.kind === 'structField') return type
  checking.require(expression.value, type, rule)
  return struct
}

function structOf(checking: Checking, type: Type, rule: string): StructType {
  return type.kind === 'struct' ? type : checking.fail(rule, `${describeType(type)} is no struct`)
}

/** Fields of a record, or constructors of a variant, and the type that has them. */
interface AppliedFields {
  readonly fields: readonly Field[]
  readonly type: ConstructorType
}

function fieldsOf(checking: Checking, type: ConstructorType, rule: string): AppliedFields {
  checking.kinds.requireStar(type)
  const { shape } = checking.program.dataType(type.reference)
  return { fields: fieldsIn(checking, shape, rule), type }
}

function fieldsIn(checking: Checking, shape: DataShape, rule: string): readonly Field[] {
  if (shape.kind === 'record') return shape.fields
  return shape.kind === 'variant'
    ? shape.constructors
    : checking.fail(rule, `A value of an ${shape.kind} has no fields`)
}

function typeAt(checking: Checking, { fields, type }: AppliedFields, index: number): Type {
  const field = fields[index]
  return field === undefined
    ? checking.fail('ExpRecCon', `There is no field ${index}`)
    : typeIn(checking, type, field)
}

/** The type of a field or a constructor as this application of its type has it. */
export function typeIn(
  checking: Checking,
  { reference, arguments: args }: ConstructorType,
  field: Field,
): Type {
  if (!field.type.open) return field.type
  const { parameters } = checking.program.dataType(reference)
  return checking.types.substitute(field.type, substitution(parameters, args))
}

export function typeOfDynamic(checking: Checking, expression: DynamicExpression): Type {
  const { types } = checking
  switch (expression.kind) {
    case 'toAny':
      requireGround(checking, expression.type, 'ExpToAny')
      checking.require(expression.value, expression.type, 'ExpToAny')
      return types.builtin('Any')
    case 'fromAny':
      requireGround(checking, expression.type, 'ExpFromAny')
      checking.require(expression.value, types.builtin('Any'), 'ExpFromAny')
      return types.builtin('Optional', expression.type)
    case 'typeRep':
      requireGround(checking, expression.type, 'ExpTypeRep')
      return types.builtin('TypeRep')
    case 'toAnyException':
      requireException(checking, expression.type, 'ExpToAnyException')
      checking.require(expression.value, expression.type, 'ExpToAnyException')
      return types.builtin('AnyException')
    case 'fromAnyException':
      requireException(checking, expression.type, 'ExpFromAnyException')
      checking.require(expression.value, types.builtin('AnyException'), 'ExpFromAnyException')
      return types.builtin('Optional', expression.type)
    case 'throw':
      checking.kinds.requireStar(expression.returns)
      requireException(checking, expression.type, 'ExpThrow')
      checking.require(expression.value, expression.type, 'ExpThrow')
      return expression.returns
  }
}

/** Values carry only types that a package defines, without arguments. */
function requireGround(checking: Checking, type: Type, rule: string): void {
  if (type.kind !== 'constructor' || type.arguments.length > 0)
    checking.fail(rule, `${describeType(type)} is no type that a value can carry`)
  checking.kinds.requireStar(type)
}

function requireException(checking: Checking, type: ConstructorType, rule: string): void {
  if (type.arguments.length > 0) checking.fail(rule, `${describeType(type)} is no exception`)
  checking.program.exception(type.reference)
}
