// Gives members of handler objects, and the keys by which types name them, another name in place.
import ts from 'typescript'
import { handlerTypes, isTextLiteral } from './handler-types.ts'
import type { Module } from './module.ts'
import type { Member } from './objects.ts'
import type { HandProject } from './project.ts'
import { insertion, patchOver } from './patch.ts'
import type { Patch } from './patch.ts'
import { keyOf } from './style.ts'
import type { Style } from './style.ts'

/** The patch that renames a member; a shorthand keeps the variable that it stands for. */
export function renameMember(
  module: Module,
  { node, nameNode }: Member,
  to: string,
  style: Style,
): Patch {
  if (ts.isShorthandPropertyAssignment(node))
    return insertion(node.getStart(module.tree), `${keyOf(to, style)}: `)
  const name = ts.isComputedPropertyName(nameNode) ? nameNode.expression : nameNode
  return replaceName(module, name, ts.isIdentifier(name) ? keyOf(to, style) : to)
}

/** A text literal keeps its quotes. */
export function replaceName(module: Module, node: ts.Node, to: string): Patch {
  const quote = module.text.charAt(node.getStart(module.tree))
  const isText = ts.isStringLiteralLike(node)
  return patchOver(module, node, isText ? `${quote}${escaped(to, quote)}${quote}` : to)
}

function escaped(text: string, quote: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll(quote, `\\${quote}`)
}

/** A literal that names an operation in a type, with the file that it stands in. */
interface TypeKey {
  readonly module: Module
  readonly node: ts.LiteralTypeNode
  readonly interface: string
  readonly operationId: string
}

/**
 * Keys of `Pick`, `Omit` and `Handlers<C>['operation']` in a file: names in the form of texts,
 * which have to follow.
 */
export function typeKeys(project: HandProject, module: Module): readonly TypeKey[] {
  const found: TypeKey[] = []
  const add = (of: Module, list: ts.TypeNode, names: readonly string[]): void => {
    for (const node of ts.isUnionTypeNode(list) ? list.types : [list]) {
      if (!isTextLiteral(node)) continue
      for (const name of names)
        found.push({ module: of, node, interface: name, operationId: node.literal.text })
    }
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) {
      for (const { interface: name, picked } of handlerTypes(project, module, node)) {
        if (picked !== undefined) add(picked.module, picked.node, [name])
      }
      const [first, second] = node.typeArguments ?? []
      if (second !== undefined)
        add(
          module,
          second,
          handlerTypes(project, module, first).map((type) => type.interface),
        )
    } else if (ts.isIndexedAccessTypeNode(node)) {
      add(
        module,
        node.indexType,
        handlerTypes(project, module, node.objectType).map((type) => type.interface),
      )
    }
    ts.forEachChild(node, visit)
  }
  visit(module.tree)
  return found
}
