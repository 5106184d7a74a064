// Renames generated types where hand-written code names them: imported, by a namespace, handed on,
// or in `import(…)`.
import ts from 'typescript'
import { specifierOf } from './module.ts'
import type { Module } from './module.ts'
import { identifiersIn, originOf } from './names.ts'
import { patchOver } from './patch.ts'
import type { Patch } from './patch.ts'
import type { HandProject } from './project.ts'
import type { TypeRename } from './renames.ts'

/** One place where a name changes; the name itself is the last of the patches. */
export interface NameChange {
  readonly patches: readonly [...Patch[], Patch]
  readonly from: string
  readonly to: string
}

/** All places of a file where the types are named. */
export function renameTypes(
  project: HandProject,
  module: Module,
  renames: readonly TypeRename[],
): readonly NameChange[] {
  return identifiersIn(module).flatMap((node): readonly NameChange[] => {
    const from = node.text
    const named = renames.filter((one) => one.from === from)
    const specifier = named.length === 0 ? undefined : specifierFor(module, node)
    const target = specifier === undefined ? undefined : project.resolve(module, specifier)
    if (target?.kind !== 'generated') return []
    const isOf = (one: TypeRename): boolean =>
      one.interface === target.interface && one.file === target.file
    const to = named.find(isOf)?.to
    const text = to === undefined ? undefined : written(module, node, to)
    return to === undefined || text === undefined
      ? []
      : [{ patches: [patchOver(module, node, text)], from, to }]
  })
}

/** The file that an identifier is from, if it is the name of its export. */
function specifierFor(module: Module, node: ts.Identifier): string | undefined {
  const { parent } = node
  if (isSpecifier(parent) && (parent.propertyName ?? parent.name) !== node) return undefined
  if (isSpecifier(parent) && specifierOf(parent) !== undefined) return specifierOf(parent)
  if (ts.isImportTypeNode(parent)) {
    const { argument } = parent
    return ts.isLiteralTypeNode(argument) && ts.isStringLiteral(argument.literal)
      ? argument.literal.text
      : undefined
  }
  const origin = originOf(module, isMember(parent, node) ? parent : node)
  return origin !== undefined && 'specifier' in origin && origin.name === node.text
    ? origin.specifier
    : undefined
}

function isSpecifier(node: ts.Node): node is ts.ImportSpecifier | ts.ExportSpecifier {
  return ts.isImportSpecifier(node) || ts.isExportSpecifier(node)
}

/** True for the name behind that of a namespace. */
function isMember(parent: ts.Node, node: ts.Identifier): boolean {
  return (
    (ts.isQualifiedName(parent) && parent.right === node) ||
    (ts.isPropertyAccessExpression(parent) && parent.name === node)
  )
}

/** The new text of a name; undefined where it stays, since something else has the new one. */
function written(module: Module, node: ts.Identifier, to: string): string | undefined {
  const { parent } = node
  const isWhole = isSpecifier(parent) && parent.propertyName === undefined
  const isApart =
    (isSpecifier(parent) && (!isWhole || specifierOf(parent) !== undefined)) ||
    ts.isImportTypeNode(parent) ||
    isMember(parent, node)
  const isTaken = new RegExp(`\\b${to}\\b`, 'u').test(module.text)
  if (isTaken && !isApart) return undefined
  const isKept = isWhole && (ts.isExportSpecifier(parent) || isTaken)
  return isKept ? `${to} as ${node.text}` : to
}
