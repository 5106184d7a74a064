// Finds the object literals that hold handlers: those with a handler type, and those that are spread into one.
import ts from 'typescript'
import { compareText } from '../values.ts'
import { handlerTypes } from './handler-types.ts'
import type { HandlerType } from './handler-types.ts'
import type { Module } from './module.ts'
import type { HandProject } from './project.ts'
import { literalsOf, returnedLiterals } from './values.ts'
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
  /** What it is by its type; for an object that is only spread into others, what these are. */
  readonly types: readonly HandlerType[]
  readonly members: readonly Member[]
  /** What is spread into it without a literal that could be found. */
  readonly unknownSpreads: readonly ts.SpreadAssignment[]
}

interface Entry {
  readonly module: Module
  readonly types: HandlerType[]
}

type Entries = Map<ts.ObjectLiteralExpression, Entry>

/** All handler objects of the project's handler files, in the order of files, then of places. */
export function findHandlers(project: HandProject): readonly HandlerObject[] {
  const entries: Entries = new Map()
  for (const module of project.modules) {
    if (project.isHandlerFile(module.file)) visit(project, module, module.tree, entries)
  }
  const unknown = addSpreads(project, entries)
  const objects = [...entries].map(([node, { module, types }]): HandlerObject => {
    return { module, node, types, members: membersOf(node), unknownSpreads: unknown.filter(({ parent }) => parent === node) }
  })
  return objects.sort((a, b) => compareText(a.module.file, b.module.file) || a.node.pos - b.node.pos)
}

function visit(project: HandProject, module: Module, node: ts.Node, entries: Entries): void {
  const types = typeHere(project, module, node)
  if (types.length > 0) for (const found of literalsHere(project, module, node)) note(project, entries, found, types)
  ts.forEachChild(node, (child) => visit(project, module, child, entries))
}

function typeHere(project: HandProject, module: Module, node: ts.Node): readonly HandlerType[] {
  const hasType = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isSatisfiesExpression(node)
    || ts.isAsExpression(node) || isFunction(node)
  return hasType ? handlerTypes(project, module, node.type) : []
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node
}

function literalsHere(project: HandProject, module: Module, node: ts.Node): readonly FoundLiteral[] {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) {
    return node.initializer === undefined ? [] : literalsOf(project, module, node.initializer)
  }
  if (ts.isSatisfiesExpression(node) || ts.isAsExpression(node)) return literalsOf(project, module, node.expression)
  return isFunction(node) ? returnedLiterals(project, module, node) : []
}

/** Several types may speak of one literal: the one that says which operations it holds decides what may be added. */
function note(project: HandProject, entries: Entries, { module, node }: FoundLiteral, types: readonly HandlerType[]): boolean {
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

/** An object that is spread into handlers and has no type of its own holds handlers of the same interfaces. */
function addSpreads(project: HandProject, entries: Entries): readonly ts.SpreadAssignment[] {
  const unknown: ts.SpreadAssignment[] = []
  const waiting = [...entries.keys()]
  for (const node of waiting) {
    const entry = entries.get(node)
    for (const spread of node.properties) {
      if (entry === undefined || !ts.isSpreadAssignment(spread)) continue
      const found = literalsOf(project, entry.module, spread.expression)
      if (found.length === 0) unknown.push(spread)
      const types = entry.types.map(({ interface: name }): HandlerType => ({ interface: name, isOpen: true }))
      for (const one of found) if (!entries.has(one.node) && note(project, entries, one, types)) waiting.push(one.node)
    }
  }
  return unknown
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
  if (ts.isIdentifier(node) || ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text
  return ts.isComputedPropertyName(node) && ts.isStringLiteralLike(node.expression) ? node.expression.text : undefined
}
