// Values of interfaces: a contract's payload with its template, whose implementation says the rest.
import { EvaluationError, illTyped } from '../../values/failure.ts'
import { Contract, listOf, NONE, some } from '../../values/value.ts'
import { Lambda, Plain, Step } from '../code.ts'
import { costOf, withOperands } from './scope.ts'
import { unary } from './data.ts'
import type { InterfaceExpression } from '../../program/expressions.ts'
import type { Reference } from '../../program/types.ts'
import type { Value } from '../../values/value.ts'
import type { Compiled, Linker, Scope } from './scope.ts'

export function compileInterface(scope: Scope, expression: InterfaceExpression): Compiled {
  const { linker } = scope
  switch (expression.kind) {
    case 'toInterface':
      return ofValue(scope, expression.value, (value) => new Contract(expression.template, value))
    case 'fromInterface':
      return ofValue(scope, expression.value, (value) => {
        const contract = contractOf(value)
        return isOf(contract, expression.template) ? some(contract.payload) : NONE
      })
    case 'unsafeFromInterface':
      return ofContract(scope, expression, (contract, contractId) => {
        if (isOf(contract, expression.template)) return contract.payload
        throw wrong(contractId, expression.template, contract)
      })
    case 'toRequiredInterface':
      return scope.compile(expression.value)
    case 'fromRequiredInterface':
      return ofValue(scope, expression.value, (value) =>
        linker.implements(contractOf(value), expression.requiring) ? some(value) : NONE,
      )
    case 'unsafeFromRequiredInterface':
      return ofContract(scope, expression, (contract, contractId) => {
        if (linker.implements(contract, expression.requiring)) return contract
        throw wrong(contractId, expression.requiring, contract)
      })
    default:
      return compileCall(scope, expression)
  }
}

type Call = Exclude<
  InterfaceExpression,
  {
    readonly kind:
      | 'toInterface'
      | 'fromInterface'
      | 'unsafeFromInterface'
      | 'toRequiredInterface'
      | 'fromRequiredInterface'
      | 'unsafeFromRequiredInterface'
  }
>

/** What evaluates code of the contract's template. */
function compileCall(scope: Scope, expression: Call): Compiled {
  const { linker } = scope
  return withOperands(scope, [expression.value], ([operand]) => {
    if (operand === undefined) throw illTyped('an operand is missing')
    const { evaluate } = operand
    const cost = costOf([operand])
    if (scope.isDirect)
      return new Plain((frame, machine) => {
        const contract = contractOf(evaluate(frame, machine))
        const called = calledOf(linker, expression, contract)
        return called instanceof Lambda ? machine.callIn(called, [contract.payload]) : called
      }, cost)
    return new Step((frame, machine) => {
      const contract = contractOf(evaluate(frame, machine))
      const called = calledOf(linker, expression, contract)
      return called instanceof Lambda ? machine.enter(called, [contract.payload], []) : called
    }, cost)
  })
}

/** Code of the contract's template, or the value that other code says. */
function calledOf(linker: Linker, expression: Call, contract: Contract): Lambda | Value {
  const { elsewhere, template } = contract
  switch (expression.kind) {
    case 'callInterface':
      return linker.method(contract, expression.interface, expression.method)
    case 'interfaceView':
      return elsewhere === undefined
        ? linker.view(contract, expression.interface)
        : elsewhere.view(expression.interface.text)
    case 'interfaceSignatories':
      return elsewhere === undefined
        ? linker.stakeholders(template).signatories
        : listOf(elsewhere.signatories())
    case 'interfaceObservers':
      return elsewhere === undefined
        ? linker.stakeholders(template).observers
        : listOf(elsewhere.observers())
    case 'interfaceTypeRep':
      return linker.nameRep(template)
  }
}

/** The value of an interface. */
export function contractOf(value: Value): Contract {
  if (value instanceof Contract) return value
  throw illTyped('a value of an interface is expected')
}

function ofValue(
  scope: Scope,
  expression: InterfaceExpression['value'],
  of: (value: Value) => Value,
): Compiled {
  return withOperands(scope, [expression], ([operand]) => unary(operand, of, 4))
}

function ofContract(
  scope: Scope,
  expression: Extract<InterfaceExpression, { readonly contractId: unknown }>,
  of: (contract: Contract, contractId: Value) => Value,
): Compiled {
  return withOperands(scope, [expression.contractId, expression.value], ([id, value]) => {
    if (id === undefined || value === undefined) throw illTyped('an operand is missing')
    return new Plain(
      (frame, machine) => {
        const contractId = id.evaluate(frame, machine)
        return of(contractOf(value.evaluate(frame, machine)), contractId)
      },
      costOf([id, value], 4),
    )
  })
}

function isOf({ template }: Contract, expected: Reference): boolean {
  return template.text === expected.text
}

function wrong(contractId: Value, expected: Reference, { template }: Contract): EvaluationError {
  const id = typeof contractId === 'string' ? contractId : ''
  return new EvaluationError({
    kind: 'wrong-template',
    message: `wrongly typed contract ${id} expected ${expected.text} got ${template.text}`,
  })
}
