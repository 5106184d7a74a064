// The handler that a new operation gets: it says what it is, where its types are, and that nobody
// has written it.
import ts from 'typescript'
import { operationTypeNames } from '../emit/names.ts'
import type { InterfaceIr, OperationIr } from '../ir.ts'
import type { HandlerObject } from './objects.ts'
import { keyOf, quoted } from './style.ts'
import type { Style } from './style.ts'

/** How members of an object are written. */
export interface Shape {
  /** True for `name() { … }`, false for `name: () => { … }`. */
  readonly isMethod: boolean
  /** Blank lines between members. */
  readonly isSpaced: boolean
}

/** Text that every skeleton of one file shares. */
interface SkeletonText {
  readonly style: Style
  readonly shape: Shape
  /** The name of the class NotWritten in the file. */
  readonly notWritten: string
  /** The file with the types, as the hand-written file would import it. */
  readonly types: string
}

/**
 * Lines of the members of an interface: without indentation, each member without the comma after
 * it.
 */
export function skeletons(
  ir: InterfaceIr,
  operations: readonly OperationIr[],
  text: SkeletonText,
): readonly (readonly string[])[] {
  const names = operationTypeNames(ir)
  return operations.map((operation) =>
    skeleton(operation, names.get(operation.operationId) ?? operation.operationId, text),
  )
}

function skeleton(
  operation: OperationIr,
  name: string,
  { style, shape, notWritten, types }: SkeletonText,
): readonly string[] {
  const { operationId, method, path } = operation
  const key = keyOf(operationId, style)
  const summary = oneLine(operation.summary ?? '').replace(/[.\s]+$/u, '')
  return [
    '/**',
    ` * ${summary === '' ? '' : `${summary}. `}Not written yet.`,
    ` * ${method} ${oneLine(path)}: ${name}Input, ${name}Reply of ${types}`,
    ' */',
    shape.isMethod ? `${key}() {` : `${key}: () => {`,
    `${style.indent}throw new ${notWritten}(${quoted(operationId, style)})${style.semicolon}`,
    '}',
  ]
}

/** A text for a comment. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll('*/', '* /').trim()
}

/** How the members of an object are written, by majority. */
export function shapeOf({ module, node }: HandlerObject): Shape {
  const members = node.properties.filter((property) => !ts.isSpreadAssignment(property))
  const methods = members.filter((property) => ts.isMethodDeclaration(property))
  const gaps = members
    .slice(1)
    .filter((property) => /^\s*?\n[ \t]*\r?\n/u.test(module.text.slice(property.pos)))
  return {
    isMethod: methods.length * 2 > members.length,
    isSpaced: members.length > 1 && gaps.length * 2 > members.length - 1,
  }
}
