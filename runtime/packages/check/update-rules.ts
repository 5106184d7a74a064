// Rules of updates.
import type { ChoiceDefinition } from '../program/definitions.ts'
import type { Expression, UpdateExpression } from '../program/expressions.ts'
import { describeType } from '../program/type-text.ts'
import type { Reference, Type } from '../program/types.ts'
import type { Checking } from './checking.ts'
import { requireContractId } from './interface-rules.ts'

export function typeOfUpdate(checking: Checking, expression: UpdateExpression): Type {
  const { program, types, kinds } = checking
  const update = (type: Type): Type => types.builtin('Update', type)
  switch (expression.kind) {
    case 'pure':
      kinds.requireStar(expression.type)
      checking.require(expression.value, expression.type, 'UpdPure')
      return update(expression.type)
    case 'bind':
      return typeOfBlock(checking, expression)
    case 'create':
      program.template(expression.template)
      return created(checking, expression.template, expression.argument, 'UpdCreate')
    case 'createInterface':
      program.interface(expression.interface)
      return created(checking, expression.interface, expression.argument, 'UpdCreateInterface')
    case 'exercise': {
      const { choices } = program.template(expression.template)
      return exercised(checking, expression, expression.template, choices)
    }
    case 'exerciseInterface': {
      const { choices } = program.interface(expression.interface)
      return exercised(checking, expression, expression.interface, choices)
    }
    case 'fetch':
      program.template(expression.template)
      requireContractId(checking, expression.contractId, expression.template, 'UpdFetch')
      return update(types.constructorType(expression.template))
    case 'fetchInterface':
      program.interface(expression.interface)
      requireContractId(checking, expression.contractId, expression.interface, 'UpdFetchInterface')
      return update(types.constructorType(expression.interface))
    case 'getTime':
      return update(types.builtin('Timestamp'))
    case 'ledgerTimeLessThan':
      checking.require(expression.time, types.builtin('Timestamp'), 'UpdLedgerTimeLT')
      return update(types.builtin('Bool'))
    case 'embed':
      return typeOfEmbedded(checking, expression)
    case 'tryCatch':
      return typeOfTryCatch(checking, expression)
  }
}

type Of<K> = Extract<UpdateExpression, { kind: K }>

function typeOfBlock(checking: Checking, { first, then, block }: Of<'bind'>): Type {
  const { types, kinds } = checking
  const rule = 'UpdBlock'
  for (const parameter of block.parameters) {
    kinds.requireStar(parameter)
    checking.require(first, types.builtin('Update', parameter), rule)
  }
  return checking.inClosure(block, () => {
    for (const { slot, type, bound } of then) {
      kinds.requireStar(type)
      checking.require(bound, types.builtin('Update', type), rule)
      checking.bind(slot, type)
    }
    const type = checking.typeOf(block.body)
    return type.kind === 'builtin' && type.name === 'Update'
      ? type
      : checking.fail(rule, `${describeType(type)} is no update`)
  })
}

function created(checking: Checking, of: Reference, argument: Expression, rule: string): Type {
  const { types } = checking
  const type = types.constructorType(of)
  checking.require(argument, type, rule)
  return types.builtin('Update', types.builtin('ContractId', type))
}

function exercised(
  checking: Checking,
  expression: Of<'exercise'> | Of<'exerciseInterface'>,
  of: Reference,
  choices: ReadonlyMap<string, ChoiceDefinition>,
): Type {
  const rule = expression.kind === 'exercise' ? 'UpdExercise' : 'UpdExerciseInterface'
  const choice = choices.get(expression.choice)
  if (choice === undefined)
    return checking.fail(rule, `${of.module}:${of.name} has no choice ${expression.choice}`)
  requireContractId(checking, expression.contractId, of, rule)
  checking.require(expression.argument, choice.argument, rule)
  return checking.types.builtin('Update', choice.result)
}

function typeOfEmbedded(checking: Checking, { type, code }: Of<'embed'>): Type {
  checking.kinds.requireStar(type)
  const update = checking.types.builtin('Update', type)
  checking.inClosure(code, () => checking.require(code.body, update, 'UpdEmbedExpr'))
  return update
}

function typeOfTryCatch(checking: Checking, { type, attempt, handler }: Of<'tryCatch'>): Type {
  const { types } = checking
  checking.kinds.requireStar(type)
  const update = types.builtin('Update', type)
  checking.inClosure(attempt, () => checking.require(attempt.body, update, 'UpdTryCatch'))
  checking.inClosure(handler, () =>
    checking.require(handler.body, types.builtin('Optional', update), 'UpdTryCatch'),
  )
  return update
}
