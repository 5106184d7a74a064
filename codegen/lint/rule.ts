// What a rule is, and the ways in which rules go through a document.
import type { Severity } from '../findings.ts'
import type { Path } from '../load/source.ts'
import type { Model, Node, OperationNode } from './model.ts'

/** What is said of a code: by lists, `--explain` and docs/lint.md. */
export interface CodeInfo {
  readonly code: string
  readonly severity: Severity
  /** One or two sentences: why it matters. */
  readonly why: string
}

/** Something that a rule found, at a path of the resolved document. */
interface Fault {
  readonly path: Path
  readonly message: string
}

export interface Rule extends CodeInfo {
  check(model: Model): readonly Fault[]
}

/** Something found below the object that a rule looks at. */
export interface Hit {
  readonly keys: Path
  readonly message: string
}

/** A hit at an object, or at what `keys` lead to below it. */
export function hit(message: string, ...keys: Path): Hit {
  return { message, keys }
}

/** One hit where a condition holds, else none. */
export function hitIf(condition: boolean, message: string, ...keys: Path): readonly Hit[] {
  return condition ? [hit(message, ...keys)] : []
}

type Table = readonly (readonly [code: string, severity: Severity, why: string])[]

/** A table of codes that others than our rules find. */
export function codes(table: Table): readonly CodeInfo[] {
  return table.map(([code, severity, why]) => ({ code, severity, why }))
}

/** A rule about the document as a whole; paths are from its root. */
export function forDocument(
  code: string,
  severity: Severity,
  why: string,
  check: (model: Model) => readonly Hit[],
): Rule {
  return { code, severity, why, check: (model) => faults({ path: [] }, check(model)) }
}

/** A rule that looks at each operation. */
export function forOperations(
  code: string,
  severity: Severity,
  why: string,
  check: (operation: OperationNode, model: Model) => readonly Hit[],
): Rule {
  return {
    code,
    severity,
    why,
    check: (model) => model.operations.flatMap((one) => faults(one, check(one, model))),
  }
}

/** A rule that looks at each parameter of each operation. */
export function forParameters(
  code: string,
  severity: Severity,
  why: string,
  check: (parameter: Node, operation: OperationNode, model: Model) => readonly Hit[],
): Rule {
  const perOperation =
    (model: Model) =>
    (operation: OperationNode): readonly Fault[] =>
      operation.parameters.flatMap((one) => faults(one, check(one, operation, model)))
  return { code, severity, why, check: (model) => model.operations.flatMap(perOperation(model)) }
}

/** A rule that looks at each schema at any depth. */
export function forSchemas(
  code: string,
  severity: Severity,
  why: string,
  check: (schema: Node['value'], model: Model, path: Path) => readonly Hit[],
): Rule {
  return {
    code,
    severity,
    why,
    check: (model) =>
      model.schemas.flatMap((one) => faults(one, check(one.value, model, one.path))),
  }
}

function faults({ path }: { readonly path: Path }, hits: readonly Hit[]): readonly Fault[] {
  return hits.map(({ keys, message }) => ({ path: [...path, ...keys], message }))
}
