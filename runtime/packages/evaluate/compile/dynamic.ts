// Types at run time, and exceptions.
import { any } from '../../builtins/arguments.ts'
import { Thrown } from '../../values/failure.ts'
import { Any, NONE, some } from '../../values/value.ts'
import { constant, unary } from './data.ts'
import { withOperands } from './scope.ts'
import type { DynamicExpression } from '../../program/expressions.ts'
import type { Compiled, Scope } from './scope.ts'

export function compileDynamic(scope: Scope, expression: DynamicExpression): Compiled {
  const type = scope.linker.typeRep(expression.type)
  if (expression.kind === 'typeRep') return constant(type)
  return withOperands(scope, [expression.value], ([operand]) => {
    switch (expression.kind) {
      case 'toAny':
      case 'toAnyException':
        return unary(operand, (value) => new Any(type, value), 4)
      case 'fromAny':
      case 'fromAnyException':
        return unary(
          operand,
          (value) => (any(value).type.key === type.key ? some(any(value).value) : NONE),
          3,
        )
      case 'throw':
        return unary(
          operand,
          (value) => {
            throw new Thrown(new Any(type, value))
          },
          4,
        )
    }
  })
}
