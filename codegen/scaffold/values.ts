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
  let found: FoundFunction | undefined
  const reading: Reading = { project, found: new Map(), seen: new Set() }
  const use = (of: Module, named: Value): void => {
    const node = ts.isVariableDeclaration(named) ? initialFunction(named) : named
    if (node !== undefined) found = { module: of, node }
  }
  if (ts.isIdentifier(value)) readName(reading, module, value, 0, use)
  const imported = ts.isPropertyAccessExpression(value)
    ? module.imports.get(value.expression.getText(module.tree))
    : undefined
  if (imported?.name === '*' && ts.isPropertyAccessExpression(value)) {
    readExported(reading, module, imported.specifier, value.name.text, 0, use)
  }
  return found
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
  else if (ts.isIdentifier(node))
    readName(reading, module, node, depth, (of, value) => readValue(reading, of, value, depth + 1))
  else if (ts.isCallExpression(node)) readCall(reading, module, node, depth)
}

function readCall(
  reading: Reading,
  module: Module,
  { expression, arguments: args }: ts.CallExpression,
  depth: number,
): void {
  if (ts.isIdentifier(expression)) {
    readName(reading, module, expression, depth, (of, value) => {
      const callee = ts.isVariableDeclaration(value) ? initialFunction(value) : value
      if (callee !== undefined && !ts.isVariableDeclaration(callee))
        readFunction(reading, of, callee, depth + 1)
    })
  } else if (KEEPS_MEMBERS.has(expression.getText(module.tree))) {
    for (const one of args) readExpression(reading, module, one, depth + 1)
  } else if (
    ts.isArrowFunction(unwrap(expression)) ||
    ts.isFunctionExpression(unwrap(expression))
  ) {
    const callee = unwrap(expression)
    if (ts.isFunctionLike(callee)) readFunction(reading, module, callee, depth + 1)
  }
}

type Value = ts.VariableDeclaration | ts.FunctionDeclaration

function initialFunction({
  initializer,
}: ts.VariableDeclaration): ts.ArrowFunction | ts.FunctionExpression | undefined {
  const value = initializer === undefined ? undefined : unwrap(initializer)
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value))
    ? value
    : undefined
}

function readValue(reading: Reading, module: Module, value: Value, depth: number): void {
  if (ts.isVariableDeclaration(value) && value.initializer !== undefined)
    readExpression(reading, module, value.initializer, depth)
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

function readName(
  reading: Reading,
  module: Module,
  name: ts.Identifier,
  depth: number,
  use: (of: Module, value: Value) => void,
): void {
  const local = localValue(module, name)
  if (local === 'parameter') return
  if (local !== undefined) return use(module, local)
  const imported = module.imports.get(name.text)
  if (imported !== undefined)
    readExported(reading, module, imported.specifier, imported.name, depth, use)
}

function readExported(
  reading: Reading,
  from: Module,
  specifier: string,
  name: string,
  depth: number,
  use: (of: Module, value: Value) => void,
): void {
  const target = reading.project.resolve(from, specifier)
  if (target?.kind !== 'module' || depth > MAX_DEPTH) return
  const { module } = target
  const onward = module.reexports.get(name)
  if (onward !== undefined)
    return readExported(reading, module, onward.specifier, onward.name, depth + 1, use)
  const own = declaredIn(module.tree.statements, module.exported.get(name) ?? name)
  if (own !== undefined) return use(module, own)
  for (const star of module.stars) readExported(reading, module, star, name, depth + 1, use)
}

/**
 * What a name means where it stands: the nearest declaration around it; 'parameter' when that says
 * nothing of the value.
 */
function localValue(module: Module, name: ts.Identifier): Value | 'parameter' | undefined {
  for (let node: ts.Node = name; node !== module.tree; node = node.parent) {
    if (
      ts.isFunctionLike(node) &&
      node.parameters.some((one) => one.name.getText(module.tree).includes(name.text))
    )
      return 'parameter'
    const found =
      ts.isBlock(node) || ts.isModuleBlock(node)
        ? declaredIn(node.statements, name.text)
        : undefined
    if (found !== undefined) return found
  }
  return declaredIn(module.tree.statements, name.text)
}

function declaredIn(statements: readonly ts.Statement[], name: string): Value | undefined {
  for (const statement of statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (!ts.isVariableStatement(statement)) continue
    const found = statement.declarationList.declarations.find(
      (one) => ts.isIdentifier(one.name) && one.name.text === name,
    )
    if (found !== undefined) return found
  }
  return undefined
}
