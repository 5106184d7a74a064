// What names in hand-written files mean: within a file as the compiler binds them, over files by
// imports and exports. Neither the library nor types are read, and a file only when a name leads
// there.
import ts from 'typescript'
import { once } from '../once.ts'
import { programOf, specifierOf } from './module.ts'
import type { Module } from './module.ts'

/** Kinds of generated files whose types hand-written code names. */
export type GeneratedKind = 'handlers' | 'types' | 'client'

interface Generated {
  readonly interface: string
  readonly file: GeneratedKind
}

/** The target of an import. */
export type Target =
  | ({ readonly kind: 'generated' } & Generated)
  | { readonly kind: 'module'; readonly module: Module }

/** Finds what a specifier means in a file; undefined for packages and what cannot be found. */
export type Resolve = (from: Module, specifier: string) => Target | undefined

/** An export of another file, '*' for all of them; or the declarations in the file itself. */
type Origin =
  | { readonly specifier: string; readonly name: string }
  | { readonly declared: readonly ts.Declaration[] }

/** An export of a generated file; or declarations, with the file in which they stand. */
export type Meaning =
  | (Generated & { readonly name: string })
  | { readonly module: Module; readonly declared: readonly ts.Declaration[] }

const MAX_DEPTH = 16

const checkerOf = once((module: Module) => programOf([module]).getTypeChecker())

function symbolOf(module: Module, name: ts.Node): ts.Symbol | undefined {
  const { parent } = name
  const checker = checkerOf(module)
  return ts.isShorthandPropertyAssignment(parent)
    ? checker.getShorthandAssignmentValueSymbol(parent)
    : ts.isExportSpecifier(parent)
      ? checker.getExportSpecifierLocalTargetSymbol(parent)
      : checker.getSymbolAtLocation(name)
}

/** Uses of a name that a file declares, the declaration left out. */
export function usesOf(module: Module, name: ts.Identifier): readonly ts.Identifier[] {
  const symbol = symbolOf(module, name)
  return identifiersIn(module).filter(
    (one) => one !== name && one.text === name.text && symbolOf(module, one) === symbol,
  )
}

/** All identifiers of a file, in their order. */
export const identifiersIn = once(({ tree }: Module): readonly ts.Identifier[] => {
  const found: ts.Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) found.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
})

/** Where a file has a name from, which may stand behind that of a namespace. */
export function originOf(module: Module, name: ts.Node): Origin | undefined {
  if (ts.isIdentifier(name)) return symbolOrigin(module, symbolOf(module, name))
  const [space, member] = ts.isQualifiedName(name)
    ? [name.left, name.right]
    : ts.isPropertyAccessExpression(name)
      ? [name.expression, name.name]
      : []
  const origin = space === undefined ? undefined : originOf(module, space)
  if (member === undefined || origin === undefined || 'declared' in origin) return undefined
  return origin.name === '*' ? { ...origin, name: member.text } : undefined
}

function symbolOrigin(module: Module, symbol: ts.Symbol | undefined): Origin | undefined {
  const declared = symbol?.declarations ?? []
  const [first] = declared
  if (first === undefined) return undefined
  if (ts.isExportAssignment(first)) return originOf(module, first.expression)
  const specifier = specifierOf(first)
  const isHandedOn = ts.isExportSpecifier(first)
  if (specifier === undefined)
    return isHandedOn ? originOf(module, first.propertyName ?? first.name) : { declared }
  const isNamed = isHandedOn || ts.isImportSpecifier(first)
  const whole = ts.isImportClause(first) ? 'default' : '*'
  return { specifier, name: isNamed ? (first.propertyName ?? first.name).text : whole }
}

/** Names that a file exports, those of `export *` left out. */
export function exportedNames(module: Module): readonly string[] {
  return [...exportsOf(module).keys()].map(ts.unescapeLeadingUnderscores)
}

function exportsOf(module: Module): ts.SymbolTable {
  return checkerOf(module).getSymbolAtLocation(module.tree)?.exports ?? new Map()
}

/** What the name `name` of a file means, over files. */
export function meaningOf(resolve: Resolve, module: Module, name: ts.Node): Meaning | undefined {
  return followed(resolve, module, originOf(module, name), 0)
}

/** The meaning of an export. */
export function exportMeaning(
  resolve: Resolve,
  module: Module,
  name: string,
  depth = 0,
): Meaning | undefined {
  const exported = exportsOf(module)
  const own = exported.get(ts.escapeLeadingUnderscores(name))
  if (own !== undefined) return followed(resolve, module, symbolOrigin(module, own), depth)
  for (const star of exported.get(ts.InternalSymbolName.ExportStar)?.declarations ?? []) {
    const specifier = specifierOf(star)
    const found =
      specifier === undefined ? undefined : followed(resolve, module, { specifier, name }, depth)
    if (found !== undefined) return found
  }
  return undefined
}

function followed(
  resolve: Resolve,
  module: Module,
  origin: Origin | undefined,
  depth: number,
): Meaning | undefined {
  if (origin === undefined || depth > MAX_DEPTH) return undefined
  if ('declared' in origin) return { module, declared: origin.declared }
  const target = resolve(module, origin.specifier)
  return target?.kind === 'module'
    ? exportMeaning(resolve, target.module, origin.name, depth + 1)
    : target && { interface: target.interface, file: target.file, name: origin.name }
}

/** True for the type that generated files have for the handlers of an interface. */
export function isHandlers(meaning: Generated & { readonly name: string }): boolean {
  return meaning.file === 'handlers' && meaning.name === 'Handlers'
}

export function isTypeDeclaration(
  node: ts.Node,
): node is ts.TypeAliasDeclaration | ts.InterfaceDeclaration {
  return ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node)
}
