// Rules of expressions about interfaces.
import type { Expression, InterfaceExpression } from '../program/expressions.ts'
import type { Reference, Type } from '../program/types.ts'
import type { Checking } from './checking.ts'

export function typeOfInterface(checking: Checking, expression: InterfaceExpression): Type {
  switch (expression.kind) {
    case 'toInterface':
    case 'fromInterface':
    case 'unsafeFromInterface':
      return typeOfConversion(checking, expression)
    case 'toRequiredInterface':
    case 'fromRequiredInterface':
    case 'unsafeFromRequiredInterface':
      return typeOfRequirement(checking, expression)
    case 'callInterface': {
      const { methods } = checking.program.interface(expression.interface)
      requireValue(checking, expression.value, expression.interface, 'ExpCallInterface')
      return (
        methods.get(expression.method)?.type ??
        checking.fail('ExpCallInterface', `There is no method ${expression.method}`)
      )
    }
    case 'interfaceView':
      requireValue(checking, expression.value, expression.interface, 'ExpViewInterface')
      return checking.program.interface(expression.interface).view
    case 'interfaceTypeRep':
      checking.program.interface(expression.interface)
      requireValue(checking, expression.value, expression.interface, 'ExpInterfaceTypeRep')
      return checking.types.builtin('TypeRep')
    case 'interfaceSignatories':
    case 'interfaceObservers':
      checking.program.interface(expression.interface)
      requireValue(checking, expression.value, expression.interface, 'ExpInterfaceSignatory')
      return checking.types.builtin('List', checking.types.builtin('Party'))
  }
}

type Of<K> = Extract<InterfaceExpression, { kind: K }>

function typeOfConversion(
  checking: Checking,
  expression: Of<'toInterface' | 'fromInterface'> | Of<'unsafeFromInterface'>,
): Type {
  const { program, types } = checking
  const rule = 'ExpToInterface'
  program.interface(expression.interface)
  if (!program.template(expression.template).implementations.has(expression.interface.text))
    checking.fail(rule, `${nameOf(expression.template)} is no ${nameOf(expression.interface)}`)
  const template = types.constructorType(expression.template)
  if (expression.kind === 'toInterface') {
    checking.require(expression.value, template, rule)
    return types.constructorType(expression.interface)
  }
  if (expression.kind === 'unsafeFromInterface')
    requireContractId(checking, expression.contractId, expression.interface, rule)
  requireValue(checking, expression.value, expression.interface, rule)
  return expression.kind === 'fromInterface' ? types.builtin('Optional', template) : template
}

function typeOfRequirement(
  checking: Checking,
  expression:
    Of<'toRequiredInterface' | 'fromRequiredInterface'> | Of<'unsafeFromRequiredInterface'>,
): Type {
  const { program, types } = checking
  const rule = 'ExpToRequiredInterface'
  const { required, requiring } = expression
  program.interface(required)
  if (!program.interface(requiring).requires.includes(required))
    checking.fail(rule, `${nameOf(requiring)} does not require ${nameOf(required)}`)
  if (expression.kind === 'toRequiredInterface') {
    requireValue(checking, expression.value, requiring, rule)
    return types.constructorType(required)
  }
  if (expression.kind === 'unsafeFromRequiredInterface')
    requireContractId(checking, expression.contractId, required, rule)
  requireValue(checking, expression.value, required, rule)
  const result = types.constructorType(requiring)
  return expression.kind === 'fromRequiredInterface' ? types.builtin('Optional', result) : result
}

function requireValue(checking: Checking, value: Expression, of: Reference, rule: string): void {
  checking.require(value, checking.types.constructorType(of), rule)
}

/** Refuses what is no contract id of the template or interface. */
export function requireContractId(
  checking: Checking,
  contractId: Expression,
  of: Reference,
  rule: string,
): void {
  const { types } = checking
  checking.require(contractId, types.builtin('ContractId', types.constructorType(of)), rule)
}

function nameOf({ module, name }: Reference): string {
  return `${module}:${name}`
}
