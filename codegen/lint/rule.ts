// What a rule is, and the ways in which rules go through a document.
import type { Severity } from '../findings.ts'
import type { Path } from '../load/source.ts'
import type { FindingRule } from '../rules/document-rules.ts'
import type { Model, Node, OperationNode } from './model.ts'

/** Something that a rule found, at a path of the resolved document. */
interface Fault {
  readonly path: Path
  readonly message: string
}

export interface Rule extends FindingRule {
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

/** A rule about the document as a whole; paths are from its root. */
export function forDocument(
  severity: Severity,
  says: string,
  check: (model: Model) => readonly Hit[],
): Rule {
  return { severity, says, check: (model) => faults({ path: [] }, check(model)) }
}

/** A rule that looks at each operation. */
export function forOperations(
  severity: Severity,
  says: string,
  check: (operation: OperationNode, model: Model) => readonly Hit[],
): Rule {
  return {
    severity,
    says,
    check: (model) => model.operations.flatMap((one) => faults(one, check(one, model))),
  }
}

/** A rule that looks at each parameter of each operation. */
export function forParameters(
  severity: Severity,
  says: string,
  check: (parameter: Node, operation: OperationNode, model: Model) => readonly Hit[],
): Rule {
  const perOperation =
    (model: Model) =>
    (operation: OperationNode): readonly Fault[] =>
      operation.parameters.flatMap((one) => faults(one, check(one, operation, model)))
  return { severity, says, check: (model) => model.operations.flatMap(perOperation(model)) }
}

/** A rule that looks at each schema at any depth. */
export function forSchemas(
  severity: Severity,
  says: string,
  check: (schema: Node['value'], model: Model, path: Path) => readonly Hit[],
): Rule {
  return {
    severity,
    says,
    check: (model) =>
      model.schemas.flatMap((one) => faults(one, check(one.value, model, one.path))),
  }
}

function faults({ path }: { readonly path: Path }, hits: readonly Hit[]): readonly Fault[] {
  return hits.map(({ keys, message }) => ({ path: [...path, ...keys], message }))
}
