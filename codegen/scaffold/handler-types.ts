// Which types stand for handlers of an interface: `Handlers<C>`, parts of it, and names that a
// project gives to these.
import ts from 'typescript'
import type { ImportedName, Module } from './module.ts'
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
  return ts.isTypeReferenceNode(node) ? referenced(scope, node) : []
}

function referenced(
  scope: Scope,
  { typeName, typeArguments }: ts.TypeReferenceNode,
): readonly HandlerType[] {
  const [first, second] = typeArguments ?? []
  if (
    ts.isIdentifier(typeName) &&
    first !== undefined &&
    !isKnownName(scope.module, typeName.text)
  ) {
    if (typeName.text === 'Partial')
      return typesOf(scope, first).map((type) => ({ ...type, isPartial: true }))
    if (SAME_KEYS.has(typeName.text)) return typesOf(scope, first)
    if (typeName.text === 'Omit') return typesOf(scope, first).map((type) => closed(type))
    if (typeName.text === 'Pick')
      return typesOf(scope, first).map((type) => picked(scope, type, second))
  }
  return ts.isIdentifier(typeName)
    ? namedType(scope, typeName.text)
    : ts.isIdentifier(typeName.left)
      ? memberType(scope, typeName.left.text, typeName.right.text)
      : []
}

function isKnownName(module: Module, name: string): boolean {
  return module.types.has(name) || module.imports.has(name)
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
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return undefined
  const found = declarationOf(scope.project, scope.module, node.typeName.text)
  if (found === undefined || !ts.isTypeAliasDeclaration(found.node)) return undefined
  return literalKeys({ ...scope, module: found.module, depth: scope.depth + 1 }, found.node.type)
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

function namedType(scope: Scope, name: string): readonly HandlerType[] {
  const own = scope.module.types.get(name)
  if (own !== undefined) return declaredType({ ...scope, depth: scope.depth + 1 }, own)
  const imported = scope.module.imports.get(name)
  return imported === undefined ? [] : importedType({ ...scope, depth: scope.depth + 1 }, imported)
}

function memberType(scope: Scope, namespace: string, name: string): readonly HandlerType[] {
  const imported = scope.module.imports.get(namespace)
  return imported?.name === '*'
    ? importedType({ ...scope, depth: scope.depth + 1 }, { ...imported, name })
    : []
}

function declaredType(
  scope: Scope,
  node: ts.TypeAliasDeclaration | ts.InterfaceDeclaration,
): readonly HandlerType[] {
  return ts.isTypeAliasDeclaration(node) ? typesOf(scope, node.type) : baseTypes(scope, node)
}

function baseTypes(
  scope: Scope,
  { heritageClauses }: ts.InterfaceDeclaration | ts.ClassLikeDeclaration,
): readonly HandlerType[] {
  const bases = heritageClauses?.flatMap((clause) => [...clause.types]) ?? []
  return bases.flatMap(({ expression, typeArguments }) =>
    ts.isIdentifier(expression)
      ? referenced(scope, ts.factory.createTypeReferenceNode(expression, typeArguments))
      : [],
  )
}

function importedType(scope: Scope, { specifier, name }: ImportedName): readonly HandlerType[] {
  const target = scope.project.resolve(scope.module, specifier)
  if (target === undefined || scope.depth > MAX_DEPTH) return []
  if (target.kind === 'generated') {
    return target.file === 'handlers' && name === 'Handlers'
      ? [{ interface: target.interface, isOpen: true }]
      : []
  }
  return exportedType({ ...scope, module: target.module }, name)
}

function exportedType(scope: Scope, name: string): readonly HandlerType[] {
  const { module } = scope
  const onward = module.reexports.get(name)
  if (onward !== undefined) return importedType({ ...scope, depth: scope.depth + 1 }, onward)
  const own = namedType(scope, module.exported.get(name) ?? name)
  if (own.length > 0) return own
  return module.stars.flatMap((specifier) =>
    importedType({ ...scope, depth: scope.depth + 1 }, { specifier, name }),
  )
}

/** The declaration that a type's name means in a file, here or where it is imported from. */
function declarationOf(
  project: HandProject,
  module: Module,
  name: string,
):
  | { readonly module: Module; readonly node: ts.TypeAliasDeclaration | ts.InterfaceDeclaration }
  | undefined {
  const own = module.types.get(name)
  if (own !== undefined) return { module, node: own }
  const imported = module.imports.get(name)
  const target = imported === undefined ? undefined : project.resolve(module, imported.specifier)
  if (imported === undefined || target?.kind !== 'module') return undefined
  const node = target.module.types.get(target.module.exported.get(imported.name) ?? imported.name)
  return node === undefined ? undefined : { module: target.module, node }
}
