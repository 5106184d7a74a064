// Printed validators as Standard Schema, copied beside the generated interfaces as
// standard-schema.gen.ts. https://standardschema.dev

/** A fault and its place. */
export interface SchemaIssue {
  readonly message: string
  readonly path: readonly string[]
}

/** A value as its type says, or what is wrong with it. */
export type SchemaResult<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] }

/** Version 1 of the interface. `types` exists for compilers only. */
export interface StandardSchema<T> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'ledgerwright'
    readonly validate: (value: unknown) => SchemaResult<T>
    readonly types?: { readonly input: unknown; readonly output: T } | undefined
  }
}

interface Problem {
  in: 'path' | 'query' | 'header' | 'cookie' | 'body'
  pointer: string
  readonly keyword: string
  readonly message: string
  error?: unknown
  readonly value?: unknown
}

type Check = (value: unknown, problems: Problem[]) => void

/**
 * A schema that finds what `check` finds. `lift` gives sound values their types: int64 as bigint,
 * defaults filled in.
 */
export function standardSchema<T>(
  check: Check,
  lift?: (value: unknown) => unknown,
): StandardSchema<T> {
  const validate = (value: unknown): SchemaResult<T> => {
    const problems: Problem[] = []
    if (!admits<T>(check, value, problems)) return { issues: problems.map(issueOf) }
    if (lift === undefined) return { value }
    const lifted = lift(value)
    return admits<T>(check, lifted, problems)
      ? { value: lifted }
      : { issues: problems.map(issueOf) }
  }
  return { '~standard': { version: 1, vendor: 'ledgerwright', validate } }
}

function admits<T>(check: Check, value: unknown, problems: Problem[]): value is T {
  check(value, problems)
  return problems.length === 0
}

function issueOf({ message, pointer }: Problem): SchemaIssue {
  const path = pointer.split('/').slice(1)
  return { message, path: path.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~')) }
}
