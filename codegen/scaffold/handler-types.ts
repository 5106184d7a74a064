// Which types stand for handlers of an interface: `Handlers<C>`, parts of it, and names that a
// project gives to these.
import ts from 'typescript'
import type { Module } from './module.ts'
import { isHandlers, isTypeDeclaration, originOf } from './names.ts'
import type { HandProject } from './project.ts'
import { given } from '../values.ts'

/**
 * The keys of `Pick<Handlers<C>, keys>`, with the node that lists them: a new handler has to be
 * named there.
 */
export interface PickedKeys {
  readonly module: Module
  readonly node: ts.TypeNode
}

/**
 * A type of handlers. `isOpen`: any operation may be added; otherwise only by way of `picked`,
 * where that is there.
 */
export interface HandlerType {
  readonly interface: string
  readonly isOpen: boolean
  /** True where members may be left out. */
  readonly isPartial?: boolean
  readonly picked?: PickedKeys
}

const SAME_KEYS: ReadonlySet<string> = new Set([
  'Required',
  'Readonly',
  'Promise',
  'NonNullable',
  'Awaited',
])
const MAX_DEPTH = 16

interface Scope {
  readonly project: HandProject
  readonly module: Module
  readonly depth: number
}

/** The interfaces whose handlers a type holds; none for any other type. */
export function handlerTypes(
  project: HandProject,
  module: Module,
  node: ts.TypeNode | undefined,
): readonly HandlerType[] {
  return node === undefined ? [] : typesOf({ project, module, depth: 0 }, node)
}

/** The interfaces whose handlers a class says to have. */
export function implementedTypes(
  project: HandProject,
  module: Module,
  node: ts.ClassLikeDeclaration,
): readonly HandlerType[] {
  return baseTypes({ project, module, depth: 0 }, node)
}

function typesOf(scope: Scope, node: ts.TypeNode): readonly HandlerType[] {
  if (scope.depth > MAX_DEPTH) return []
  if (ts.isParenthesizedTypeNode(node)) return typesOf(scope, node.type)
  if (ts.isTypeOperatorNode(node)) return typesOf(scope, node.type)
  if (ts.isIntersectionTypeNode(node) || ts.isUnionTypeNode(node))
    return node.types.flatMap((one) => typesOf(scope, one))
  return ts.isTypeReferenceNode(node) ? referenced(scope, node.typeName, node.typeArguments) : []
}

function referenced(
  scope: Scope,
  name: ts.EntityName | ts.Expression,
  [first, second]: readonly ts.TypeNode[] = [],
): readonly HandlerType[] {
  const { project, module, depth } = scope
  if (ts.isIdentifier(name) && first !== undefined && originOf(module, name) === undefined) {
    if (name.text === 'Partial')
      return typesOf(scope, first).map((type) => ({ ...type, isPartial: true }))
    if (SAME_KEYS.has(name.text)) return typesOf(scope, first)
    if (name.text === 'Omit') return typesOf(scope, first).map((type) => closed(type))
    if (name.text === 'Pick')
      return typesOf(scope, first).map((type) => picked(scope, type, second))
  }
  const meaning = project.meaningOf(module, name)
  if (meaning === undefined) return []
  if (!('declared' in meaning))
    return isHandlers(meaning) ? [{ interface: meaning.interface, isOpen: true }] : []
  const inside = { project, module: meaning.module, depth: depth + 1 }
  return meaning.declared
    .filter(isTypeDeclaration)
    .flatMap((node) =>
      ts.isTypeAliasDeclaration(node) ? typesOf(inside, node.type) : baseTypes(inside, node),
    )
}

function closed({ interface: name }: HandlerType): HandlerType {
  return { interface: name, isOpen: false }
}

function picked(scope: Scope, type: HandlerType, keys: ts.TypeNode | undefined): HandlerType {
  const list = keys === undefined ? undefined : literalKeys(scope, keys)
  return { ...type, isOpen: false, ...given({ picked: list }) }
}

/** The node that lists keys as literals, behind aliases; undefined when keys are computed. */
function literalKeys(scope: Scope, node: ts.TypeNode): PickedKeys | undefined {
  if (scope.depth > MAX_DEPTH) return undefined
  if (ts.isParenthesizedTypeNode(node)) return literalKeys(scope, node.type)
  if (ts.isLiteralTypeNode(node) && ts.isStringLiteralLike(node.literal))
    return { module: scope.module, node }
  if (ts.isUnionTypeNode(node))
    return node.types.every(isTextLiteral) ? { module: scope.module, node } : undefined
  if (!ts.isTypeReferenceNode(node)) return undefined
  const found = scope.project.meaningOf(scope.module, node.typeName)
  if (found === undefined || !('declared' in found)) return undefined
  const alias = found.declared.find((one) => ts.isTypeAliasDeclaration(one))
  const inside = { ...scope, module: found.module, depth: scope.depth + 1 }
  return alias && literalKeys(inside, alias.type)
}

/** The keys that a type lists; none where it lists none. */
export function pickedNames({ picked: keys }: HandlerType): readonly string[] {
  if (keys === undefined) return []
  const nodes = ts.isUnionTypeNode(keys.node) ? [...keys.node.types] : [keys.node]
  return nodes.filter(isTextLiteral).map(({ literal }) => literal.text)
}

/** True for `'text'` as a type. */
export function isTextLiteral(
  node: ts.TypeNode,
): node is ts.LiteralTypeNode & { readonly literal: ts.StringLiteral } {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal)
}

function baseTypes(
  scope: Scope,
  { heritageClauses }: ts.InterfaceDeclaration | ts.ClassLikeDeclaration,
): readonly HandlerType[] {
  const bases = heritageClauses?.flatMap((clause) => [...clause.types]) ?? []
  return scope.depth > MAX_DEPTH
    ? []
    : bases.flatMap(({ expression, typeArguments }) => referenced(scope, expression, typeArguments))
}
