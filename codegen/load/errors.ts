// The errors that every operation of an interface may answer stand once, in `x-interface.errors`:
// here each operation gets those that it does not declare itself. docs/spec-conventions.md
import { compareText, fields, isFields } from '../values.ts'
import type { Fields } from '../values.ts'
import { lintResponses } from './lint-operation.ts'
import { child, report } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'

/** The place where the errors of the interface are written; without a value if it states none. */
export function errorsOf({ root }: Pick<Resolver, 'root'>): Located {
  return child({ source: root, path: [], value: root.data }, 'x-interface', 'errors')
}

/** Reports what is no map of responses, and statuses that are no errors. */
export function lintErrors(resolver: Resolver): void {
  const errors = errorsOf(resolver)
  if (errors.value === undefined) return
  if (!isFields(errors.value)) {
    const message = 'x-interface.errors must be responses by status'
    return report(resolver, errors, 'bad-errors', message)
  }
  lintResponses(resolver, errors)
  for (const status of Object.keys(errors.value).filter((key) => /^[123]/u.test(key))) {
    const message = `'${status}' is not an error: x-interface.errors has 4XX, 5XX and default`
    report(resolver, child(errors, status), 'bad-errors', message)
  }
}

/**
 * What an operation answers, by status: its own responses, and the interface's errors of other
 * statuses. An operation with a `default` of its own has said everything and gets none.
 */
export function answersOf(
  resolver: Resolver,
  operation: Located,
): readonly (readonly [string, Located])[] {
  const own = statusesIn(child(operation, 'responses'))
  const isComplete = own.some(([status]) => status.toLowerCase() === 'default')
  const missing = isComplete
    ? []
    : statusesIn(errorsOf(resolver)).filter(
        ([status]) => !own.some(([other]) => other.toLowerCase() === status.toLowerCase()),
      )
  return [...own, ...missing].sort(([a], [b]) => compareText(a, b))
}

function statusesIn(responses: Located): readonly (readonly [string, Located])[] {
  const statuses = Object.keys(fields(responses.value)).filter((key) => !key.startsWith('x-'))
  return statuses.map((status) => [status, child(responses, status)] as const)
}

/** Root extensions without the errors: every operation has its own by now. */
export function withoutErrors(extensions: Fields): Fields {
  const settings = extensions['x-interface']
  if (!isFields(settings)) return extensions
  const { errors: _errors, ...rest } = settings
  return { ...extensions, 'x-interface': rest }
}
