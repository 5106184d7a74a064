// Renames what a handler reads of its input, where the syntax leaves no doubt what is read: by a
// dot, by a text in brackets, or taken apart. Where the value goes elsewhere, the place is told
// instead.
import ts from 'typescript'
import type { Module } from './module.ts'
import { usesOf } from './names.ts'
import { insertion, patchOver } from './patch.ts'
import type { ReadRename } from './renames.ts'
import type { NameChange } from './rename-types.ts'
import { isIdentifier, quoted } from './style.ts'
import type { Style } from './style.ts'

interface ReadChanges {
  readonly changes: readonly NameChange[]
  /** Offsets at which the value leaves what can be followed. */
  readonly doubts: readonly number[]
}

interface Following {
  readonly module: Module
  readonly rename: ReadRename
  readonly style: Style
  readonly changes: NameChange[]
  readonly doubts: number[]
}

/** Follows the first parameter of a function. */
export function renameReads(
  module: Module,
  { parameters: [input] }: ts.SignatureDeclaration,
  rename: ReadRename,
  style: Style,
): ReadChanges {
  const following: Following = { module, rename, style, changes: [], doubts: [] }
  if (input !== undefined) followBinding(following, input.name, rename.steps)
  return following
}

function followBinding(
  following: Following,
  name: ts.BindingName,
  steps: ReadRename['steps'],
): void {
  if (ts.isIdentifier(name)) {
    for (const one of usesOf(following.module, name)) followUse(following, one, steps)
  } else if (ts.isObjectBindingPattern(name)) {
    for (const element of name.elements) followElement(following, element, steps)
  } else doubt(following, name)
}

function doubt({ doubts, module: { tree } }: Following, node: ts.Node): void {
  doubts.push(node.getStart(tree))
}

function followElement(
  following: Following,
  { name, propertyName: property, dotDotDotToken }: ts.BindingElement,
  steps: ReadRename['steps'],
): void {
  if (dotDotDotToken !== undefined) return followBinding(following, name, steps)
  const { module, rename, style } = following
  const key = keyText(property ?? name)
  const [first, ...rest] = steps
  if (first !== undefined) {
    if (key !== undefined && first.includes(key)) followBinding(following, name, rest)
  } else if (key === rename.from) {
    const { to } = rename
    const written = isIdentifier(to) ? to : quoted(to, style)
    add(
      following,
      property === undefined
        ? insertion(name.getStart(module.tree), `${written}: `)
        : patchOver(module, property, written),
    )
  }
}

function keyText(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node) || ts.isStringLiteral(node)) return node.text
  return ts.isComputedPropertyName(node) ? keyText(node.expression) : undefined
}

/** `node` is a value that holds what is left of the steps. */
function followUse(following: Following, node: ts.Node, steps: ReadRename['steps']): void {
  const { parent } = node
  const isAccessed =
    (ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent)) &&
    parent.expression === node
  if (isAccessed) {
    const key = ts.isPropertyAccessExpression(parent) ? parent.name : parent.argumentExpression
    if (ts.isPropertyAccessExpression(parent) || ts.isStringLiteral(key))
      step(following, parent, keyText(key), steps)
    else doubt(following, node)
  } else if (ts.isVariableDeclaration(parent) && parent.initializer === node)
    followBinding(following, parent.name, steps)
  else if (isTransparent(parent, node)) followUse(following, parent, steps)
  else if (!isIgnored(parent)) doubt(following, node)
}

type Access = ts.PropertyAccessExpression | ts.ElementAccessExpression

function step(
  following: Following,
  access: Access,
  key: string | undefined,
  [first, ...rest]: ReadRename['steps'],
): void {
  if (first !== undefined) {
    if (key !== undefined && first.includes(key)) followUse(following, access, rest)
  } else if (key === following.rename.from) add(following, ...renamedAccess(access, following))
}

/** `a.old` becomes `a.new`, or `a['new-name']` where that is no identifier. */
function renamedAccess(
  access: Access,
  { module, rename: { to }, style }: Following,
): NameChange['patches'] {
  if (ts.isElementAccessExpression(access)) {
    const key = access.argumentExpression
    const quote = key.getText(module.tree).startsWith('"') ? '"' : "'"
    return [patchOver(module, key, quoted(to, { quote }))]
  }
  const { name, questionDotToken } = access
  if (isIdentifier(to)) return [patchOver(module, name, to)]
  const brackets = patchOver(module, name, `[${quoted(to, style)}]`)
  if (questionDotToken !== undefined) return [brackets]
  const dot = module.text.lastIndexOf('.', name.getStart(module.tree))
  return [{ at: dot, length: 1, text: '' }, brackets]
}

/** The same value in other words. */
function isTransparent(parent: ts.Node, node: ts.Node): boolean {
  return (
    ts.isParenthesizedExpression(parent) ||
    ts.isNonNullExpression(parent) ||
    ts.isAsExpression(parent) ||
    ts.isSatisfiesExpression(parent) ||
    (ts.isBinaryExpression(parent) &&
      parent.left === node &&
      ['??', '||'].includes(parent.operatorToken.getText()))
  )
}

/** Uses that say nothing of the members: comparisons, conditions, names of types. */
function isIgnored(parent: ts.Node): boolean {
  return (
    ts.isPrefixUnaryExpression(parent) ||
    ts.isExpressionStatement(parent) ||
    ts.isIfStatement(parent) ||
    ts.isTypeQueryNode(parent) ||
    ts.isTypeOfExpression(parent) ||
    (ts.isBinaryExpression(parent) && /^(?:[!=]==?|&&)$/u.test(parent.operatorToken.getText()))
  )
}

function add(
  { changes, rename: { from, to } }: Following,
  ...patches: NameChange['patches']
): void {
  changes.push({ patches, from, to })
}
