// Which object literals an expression gives, as far as that can be read without running it: through
// names, calls of the project's own functions, branches and wrappers, over files.
import ts from 'typescript'
import type { Module } from './module.ts'
import type { HandProject } from './project.ts'

export interface FoundLiteral {
  readonly module: Module
  readonly node: ts.ObjectLiteralExpression
}

const MAX_DEPTH = 16
/** Calls whose result has the members of all their arguments. */
const KEEPS_MEMBERS: ReadonlySet<string> = new Set([
  'Object.assign',
  'Object.freeze',
  'Object.seal',
])

interface Reading {
  readonly project: HandProject
  readonly found: Map<ts.ObjectLiteralExpression, Module>
  readonly seen: Set<ts.Node>
}

/** The literals that an expression of a file may give; none when that is decided elsewhere. */
export function literalsOf(
  project: HandProject,
  module: Module,
  expression: ts.Expression,
): readonly FoundLiteral[] {
  const reading: Reading = { project, found: new Map(), seen: new Set() }
  readExpression(reading, module, expression, 0)
  return [...reading.found].map(([node, of]) => ({ module: of, node }))
}

/** The literals that a function may return. */
export function returnedLiterals(
  project: HandProject,
  module: Module,
  node: ts.SignatureDeclaration,
): readonly FoundLiteral[] {
  const reading: Reading = { project, found: new Map(), seen: new Set() }
  readFunction(reading, module, node, 0)
  return [...reading.found].map(([literal, of]) => ({ module: of, node: literal }))
}

/** A function, with the file that it stands in. */
interface FoundFunction {
  readonly module: Module
  readonly node: ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression
}

/**
 * The function that an expression is or names, over files; undefined when that is decided
 * elsewhere.
 */
export function functionOf(
  project: HandProject,
  module: Module,
  expression: ts.Expression,
): FoundFunction | undefined {
  const value = unwrap(expression)
  if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) return { module, node: value }
  const found = valueOf(project, module, value)
  if (found === undefined) return undefined
  const { node } = found
  if (ts.isFunctionDeclaration(node)) return { module: found.module, node }
  const initial = node.initializer && unwrap(node.initializer)
  return initial !== undefined && (ts.isArrowFunction(initial) || ts.isFunctionExpression(initial))
    ? { module: found.module, node: initial }
    : undefined
}

/** The constant or function that an expression names. */
function valueOf(project: HandProject, module: Module, name: ts.Expression) {
  const meaning = project.meaningOf(module, name)
  if (meaning === undefined || !('declared' in meaning)) return undefined
  const node = meaning.declared.find(
    (one) => ts.isVariableDeclaration(one) || ts.isFunctionDeclaration(one),
  )
  return node && { module: meaning.module, node }
}

/** An expression without the wrappers that do not change its value. */
function unwrap(node: ts.Expression): ts.Expression {
  const wraps =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node) ||
    ts.isAwaitExpression(node)
  return wraps ? unwrap(node.expression) : node
}

function readExpression(
  reading: Reading,
  module: Module,
  given: ts.Expression,
  depth: number,
): void {
  const node = unwrap(given)
  if (depth > MAX_DEPTH || reading.seen.has(node)) return
  reading.seen.add(node)
  const next = (one: ts.Expression): void => readExpression(reading, module, one, depth + 1)
  if (ts.isObjectLiteralExpression(node)) reading.found.set(node, module)
  else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(next)
  else if (ts.isBinaryExpression(node)) [node.left, node.right].forEach(next)
  else if (ts.isIdentifier(node)) {
    const found = valueOf(reading.project, module, node)
    if (found !== undefined && 'initializer' in found.node && found.node.initializer !== undefined)
      readExpression(reading, found.module, found.node.initializer, depth + 1)
  } else if (ts.isCallExpression(node)) readCall(reading, module, node, depth)
}

function readCall(
  reading: Reading,
  module: Module,
  { expression, arguments: args }: ts.CallExpression,
  depth: number,
): void {
  const callee = functionOf(reading.project, module, expression)
  if (callee !== undefined) readFunction(reading, callee.module, callee.node, depth + 1)
  else if (KEEPS_MEMBERS.has(expression.getText(module.tree)))
    for (const one of args) readExpression(reading, module, one, depth + 1)
}

function readFunction(
  reading: Reading,
  module: Module,
  node: ts.SignatureDeclaration,
  depth: number,
): void {
  if (depth > MAX_DEPTH || reading.seen.has(node)) return
  reading.seen.add(node)
  for (const one of returnedExpressions(node)) readExpression(reading, module, one, depth + 1)
}

/** Expressions that a function returns, inner functions left out. */
function returnedExpressions(node: ts.SignatureDeclaration): readonly ts.Expression[] {
  if (!('body' in node) || node.body === undefined) return []
  if (!ts.isBlock(node.body)) return ts.isExpression(node.body) ? [node.body] : []
  const found: ts.Expression[] = []
  const visit = (one: ts.Node): void => {
    if (ts.isReturnStatement(one)) {
      if (one.expression !== undefined) found.push(one.expression)
    } else if (!ts.isFunctionLike(one) && !ts.isClassLike(one)) ts.forEachChild(one, visit)
  }
  visit(node.body)
  return found
}
