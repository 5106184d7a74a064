// Code of definitions as something to read later. docs/decisions/0056
import { Budget } from '../archive/message.ts'
import type { Message } from '../archive/message.ts'
import type { ReadCode } from '../program/definitions.ts'
import { located } from '../program/malformed-definition.ts'
import type { Reference } from '../program/types.ts'
import { ExpressionReader } from './expression-reader.ts'
import type { CodeScope } from './expression-reader.ts'
import type { Binder } from './reading.ts'

/** Fields that one piece of code may make us read; the most that is known is some thousands. */
const MAX_FIELDS = 100_000

/** The code in a field of a definition's message. */
export function codeIn(
  scope: CodeScope,
  reference: Reference,
  message: Message,
  field: number,
  parameters: readonly Binder[] = [],
): ReadCode {
  return () =>
    located(reference, () => {
      const reader = new ExpressionReader(scope)
      const budget = new Budget(MAX_FIELDS, scope.work)
      return message.passing(field, budget, scope.values, (body) =>
        scope.nesting.definition(() => reader.closure(parameters, () => reader.read(body))),
      )
    })
}
