// Finds the object literals that hold handlers: those with a handler type, and those that are
// spread into one.
import ts from 'typescript'
import { compareText } from '../values.ts'
import { handlerTypes, implementedTypes } from './handler-types.ts'
import type { HandlerType } from './handler-types.ts'
import type { Module } from './module.ts'
import type { HandProject } from './project.ts'
import { functionOf, literalsOf, returnedLiterals } from './values.ts'
import type { FoundLiteral } from './values.ts'

/** A named member of a handler object. */
export interface Member {
  readonly name: string
  readonly node: ts.ObjectLiteralElementLike
  /** The node of the name: an identifier, a text, or a computed text. */
  readonly nameNode: ts.PropertyName
}

export interface HandlerObject {
  readonly module: Module
  readonly node: ts.ObjectLiteralExpression
  /** Types of the object; for one that is only spread into others, what these are. */
  readonly types: readonly HandlerType[]
  readonly members: readonly Member[]
  /**
   * The node itself, or the function of which it is one of several results: of those only one
   * counts at a time.
   */
  readonly owner: ts.Node
  /** Spreads into it without a literal that could be found. */
  readonly unknownSpreads: readonly ts.SpreadAssignment[]
}

interface Entry {
  readonly module: Module
  readonly types: HandlerType[]
}

type Entries = Map<ts.ObjectLiteralExpression, Entry>

/**
 * A place whose type says that handlers are there, and that has no literal to read or to add to: a
 * class, or what a call gives.
 */
export interface ClosedPlace {
  readonly module: Module
  readonly node: ts.Node
  readonly types: readonly HandlerType[]
  /** Members that can be read. */
  readonly names: readonly string[]
}

export interface FoundHandlers {
  /** Objects in the order of files, then of places. */
  readonly objects: readonly HandlerObject[]
  readonly closed: readonly ClosedPlace[]
}

/** All handlers of the project's handler files. */
export function findHandlers(project: HandProject): FoundHandlers {
  const entries: Entries = new Map()
  const closed: ClosedPlace[] = []
  for (const module of project.modules) {
    if (project.isHandlerFile(module.file)) visit({ project, module, entries, closed }, module.tree)
  }
  const unknown = addSpreads(project, entries)
  const objects = [...entries].map(([node, { module, types }]): HandlerObject => {
    return {
      module,
      node,
      types,
      members: membersOf(node),
      owner: ownerOf(node),
      unknownSpreads: unknown.filter(({ parent }) => parent === node),
    }
  })
  return {
    objects: objects.sort(
      (a, b) => compareText(a.module.file, b.module.file) || a.node.pos - b.node.pos,
    ),
    closed,
  }
}

interface Visiting {
  readonly project: HandProject
  readonly module: Module
  readonly entries: Entries
  readonly closed: ClosedPlace[]
}

function visit(visiting: Visiting, node: ts.Node): void {
  const { project, module, entries, closed } = visiting
  if (ts.isCallExpression(node)) visitArguments(visiting, node)
  const types = typeHere(project, module, node)
  const found = types.length === 0 ? [] : literalsHere(project, module, node)
  for (const one of found) note(project, entries, one, types)
  if (types.length > 0 && found.length === 0 && isValue(node))
    closed.push({ module, node, types, names: classNames(node) })
  ts.forEachChild(node, (child) => visit(visiting, child))
}

/** An object that is handed to a function of the project whose parameter has a type of handlers. */
function visitArguments(
  { project, module, entries }: Visiting,
  { expression, arguments: args }: ts.CallExpression,
): void {
  const callee = args.length === 0 ? undefined : functionOf(project, module, expression)
  if (callee === undefined) return
  for (const [index, argument] of args.entries()) {
    const types = handlerTypes(project, callee.module, callee.node.parameters[index]?.type)
    if (types.length > 0)
      for (const one of literalsOf(project, module, argument)) note(project, entries, one, types)
  }
}

/** Not a declaration without a value, nor a function without a body. */
function isValue(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
    return node.initializer !== undefined
  return ts.isClassLike(node) || (isFunction(node) && node.body !== undefined)
}

function classNames(node: ts.Node): readonly string[] {
  if (!ts.isClassLike(node)) return []
  return node.members.flatMap(({ name }) =>
    name === undefined || ts.isPrivateIdentifier(name) ? [] : (nameText(name) ?? []),
  )
}

function typeHere(project: HandProject, module: Module, node: ts.Node): readonly HandlerType[] {
  if (ts.isClassLike(node)) return implementedTypes(project, module, node)
  const hasType =
    ts.isVariableDeclaration(node) ||
    ts.isPropertyDeclaration(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isAsExpression(node) ||
    isFunction(node)
  return hasType ? handlerTypes(project, module, node.type) : []
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node
}

function literalsHere(
  project: HandProject,
  module: Module,
  node: ts.Node,
): readonly FoundLiteral[] {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer === undefined ? [] : literalsOf(project, module, node.initializer)
  }
  if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node))
    return literalsOf(project, module, node.expression)
  return isFunction(node) ? returnedLiterals(project, module, node) : []
}

/**
 * Several types may speak of one literal: the one that says which operations it holds decides what
 * may be added.
 */
function note(
  project: HandProject,
  entries: Entries,
  { module, node }: FoundLiteral,
  types: readonly HandlerType[],
): boolean {
  if (!project.isHandlerFile(module.file)) return false
  const known = entries.get(node)
  if (known === undefined) {
    entries.set(node, { module, types: [...types] })
    return true
  }
  for (const type of types) {
    const at = known.types.findIndex((one) => one.interface === type.interface)
    const former = known.types[at]
    if (former === undefined) known.types.push(type)
    else if (former.isOpen && !type.isOpen) known.types[at] = type
  }
  return false
}

/**
 * An object that is spread into handlers and has no type of its own holds handlers of the same
 * interfaces.
 */
function addSpreads(project: HandProject, entries: Entries): readonly ts.SpreadAssignment[] {
  const unknown: ts.SpreadAssignment[] = []
  const waiting = [...entries.keys()]
  for (const node of waiting) {
    const entry = entries.get(node)
    for (const spread of node.properties) {
      if (entry === undefined || !ts.isSpreadAssignment(spread)) continue
      const found = literalsOf(project, entry.module, spread.expression)
      if (found.length === 0) unknown.push(spread)
      const types = entry.types.map(({ interface: name }): HandlerType => ({
        interface: name,
        isOpen: true,
      }))
      for (const one of found)
        if (!entries.has(one.node) && note(project, entries, one, types)) waiting.push(one.node)
    }
  }
  return unknown
}

function ownerOf(literal: ts.ObjectLiteralExpression): ts.Node {
  let node: ts.Node = literal
  while (
    ts.isExpression(node.parent) &&
    !ts.isFunctionLike(node.parent) &&
    !ts.isObjectLiteralExpression(node.parent)
  )
    node = node.parent
  const isResult = ts.isReturnStatement(node.parent) || ts.isArrowFunction(node.parent)
  return isResult ? (ts.findAncestor(node.parent, ts.isFunctionLike) ?? literal) : literal
}

/** The members with a name that can be read; `__proto__: …` sets no member. */
function membersOf(node: ts.ObjectLiteralExpression): readonly Member[] {
  return node.properties.flatMap((property): readonly Member[] => {
    const nameNode = ts.isSpreadAssignment(property) ? undefined : property.name
    const name = nameNode === undefined ? undefined : nameText(nameNode)
    return name === undefined || nameNode === undefined ? [] : [{ name, node: property, nameNode }]
  })
}

function nameText(node: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node))
    return node.text
  return ts.isComputedPropertyName(node) && ts.isStringLiteralLike(node.expression)
    ? node.expression.text
    : undefined
}
