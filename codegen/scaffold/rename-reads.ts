// Renames what a handler reads of its input, where the syntax leaves no doubt what is read: by a
// dot, by a text in brackets, or taken apart. Where the value goes elsewhere, the place is told
// instead.
import { Node } from 'ts-morph'
import type {
  BindingElement,
  BindingName,
  ElementAccessExpression,
  PropertyAccessExpression,
  SourceFile,
} from 'ts-morph'
import type { ReadRename } from './renames.ts'
import type { NameChange } from './rename-types.ts'
import type { Patch } from './patch.ts'
import { isIdentifier, quoted } from './style.ts'
import type { Style } from './style.ts'

interface ReadChanges {
  readonly changes: readonly NameChange[]
  /** Offsets at which the value leaves what can be followed. */
  readonly doubts: readonly number[]
}

interface Following {
  readonly rename: ReadRename
  readonly style: Style
  readonly changes: NameChange[]
  readonly doubts: number[]
}

/** Follows the first parameter of the function that begins and ends at the offsets. */
export function renameReads(
  source: SourceFile,
  span: { readonly start: number; readonly end: number },
  rename: ReadRename,
  style: Style,
): ReadChanges {
  const at = source.getDescendantAtPos(span.start)
  const fits = (node: Node): boolean => node.getStart() === span.start && node.getEnd() === span.end
  const node = [...(at === undefined ? [] : [at]), ...(at?.getAncestors() ?? [])].find(
    (one) => fits(one) && isHandler(one),
  )
  const following: Following = { rename, style, changes: [], doubts: [] }
  if (node === undefined || !isHandler(node)) return following
  const [input] = node.getParameters()
  if (input !== undefined) followBinding(following, input.getNameNode(), rename.steps)
  return following
}

function isHandler(node: Node) {
  return (
    Node.isArrowFunction(node) ||
    Node.isFunctionExpression(node) ||
    Node.isMethodDeclaration(node) ||
    Node.isFunctionDeclaration(node)
  )
}

function followBinding(following: Following, name: BindingName, steps: ReadRename['steps']): void {
  if (Node.isIdentifier(name)) {
    const isUse = (one: Node): boolean =>
      one !== name && one.getSourceFile() === name.getSourceFile()
    for (const one of name.findReferencesAsNodes().filter(isUse)) followUse(following, one, steps)
  } else if (Node.isObjectBindingPattern(name)) {
    for (const element of name.getElements()) followElement(following, element, steps)
  } else following.doubts.push(name.getStart())
}

function followElement(
  following: Following,
  element: BindingElement,
  steps: ReadRename['steps'],
): void {
  const name = element.getNameNode()
  const property = element.getPropertyNameNode()
  if (element.getDotDotDotToken() !== undefined) return followBinding(following, name, steps)
  const key = property === undefined ? name.getText() : keyText(property)
  const [first, ...rest] = steps
  if (first !== undefined) {
    if (key !== undefined && first.includes(key)) followBinding(following, name, rest)
  } else if (key === following.rename.from) {
    const { to } = following.rename
    const written = isIdentifier(to) ? to : quoted(to, following.style)
    add(
      following,
      property === undefined
        ? { at: name.getStart(), length: 0, text: `${written}: ` }
        : over(property, written),
    )
  }
}

function keyText(node: Node): string | undefined {
  if (Node.isIdentifier(node)) return node.getText()
  if (Node.isStringLiteral(node)) return node.getLiteralValue()
  return Node.isComputedPropertyName(node) ? keyText(node.getExpression()) : undefined
}

/** `node` is a value that holds what is left of the steps. */
function followUse(following: Following, node: Node, steps: ReadRename['steps']): void {
  const parent = node.getParent()
  if (parent === undefined) return
  if (Node.isPropertyAccessExpression(parent) && parent.getExpression() === node) {
    step(following, parent, parent.getName(), steps)
  } else if (Node.isElementAccessExpression(parent) && parent.getExpression() === node) {
    const key = parent.getArgumentExpression()
    if (Node.isStringLiteral(key)) step(following, parent, key.getLiteralValue(), steps)
    else following.doubts.push(node.getStart())
  } else if (Node.isVariableDeclaration(parent) && parent.getInitializer() === node)
    followBinding(following, parent.getNameNode(), steps)
  else if (isTransparent(parent, node)) followUse(following, parent, steps)
  else if (!isIgnored(parent)) following.doubts.push(node.getStart())
}

function step(
  following: Following,
  access: PropertyAccessExpression | ElementAccessExpression,
  key: string,
  [first, ...rest]: ReadRename['steps'],
): void {
  if (first !== undefined) {
    if (first.includes(key)) followUse(following, access, rest)
  } else if (key === following.rename.from) add(following, ...renamedAccess(access, following))
}

/** `a.old` becomes `a.new`, or `a['new-name']` where that is no identifier. */
function renamedAccess(
  access: PropertyAccessExpression | ElementAccessExpression,
  { rename: { to }, style }: Following,
): NameChange['patches'] {
  if (Node.isElementAccessExpression(access)) {
    const key = access.getArgumentExpressionOrThrow()
    return [over(key, quoted(to, { ...style, quote: key.getText().startsWith('"') ? '"' : "'" }))]
  }
  const name = access.getNameNode()
  if (isIdentifier(to)) return [over(name, to)]
  const brackets = over(name, `[${quoted(to, style)}]`)
  if (access.hasQuestionDotToken()) return [brackets]
  const end = access.getExpression().getEnd()
  const between = access.getSourceFile().getFullText().slice(end, name.getStart())
  return [{ at: end + between.lastIndexOf('.'), length: 1, text: '' }, brackets]
}

/** The same value in other words. */
function isTransparent(parent: Node, node: Node): boolean {
  if (Node.isParenthesizedExpression(parent) || Node.isNonNullExpression(parent)) return true
  if (Node.isAsExpression(parent) || Node.isSatisfiesExpression(parent)) return true
  return (
    Node.isBinaryExpression(parent) &&
    parent.getLeft() === node &&
    ['??', '||'].includes(parent.getOperatorToken().getText())
  )
}

/** Uses that say nothing of the members: comparisons, conditions, names of types. */
function isIgnored(parent: Node): boolean {
  if (
    Node.isPrefixUnaryExpression(parent) ||
    Node.isExpressionStatement(parent) ||
    Node.isIfStatement(parent)
  )
    return true
  if (Node.isTypeQuery(parent) || Node.isTypeOfExpression(parent)) return true
  return (
    Node.isBinaryExpression(parent) && /^(?:[!=]==?|&&)$/u.test(parent.getOperatorToken().getText())
  )
}

function over(node: Node, text: string): Patch {
  return { at: node.getStart(), length: node.getWidth(), text }
}

function add(
  { changes, rename: { from, to } }: Following,
  ...patches: NameChange['patches']
): void {
  changes.push({ patches, from, to })
}
