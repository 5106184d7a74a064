// Puts members into an object literal, in the way in which it is written (commas, line ends,
// indentation and blank lines as found), and their names into the keys of `Pick<Handlers<C>,
// keys>`, without which they would not compile.
import ts from 'typescript'
import { isTextLiteral } from './handler-types.ts'
import type { PickedKeys } from './handler-types.ts'
import type { HandlerObject, Member } from './objects.ts'
import type { Shape } from './skeleton.ts'
import { insertion } from './patch.ts'
import type { Patch } from './patch.ts'
import { beginsLine, lineIndent, quoted } from './style.ts'
import type { Style } from './style.ts'

/** New members, as unindented lines, that come after `after`, or at the end. */
interface NewMembers {
  readonly after: Member | undefined
  readonly members: readonly (readonly string[])[]
}

interface Target {
  readonly text: string
  readonly node: ts.ObjectLiteralExpression
  readonly style: Style
  readonly shape: Shape
}

/** The insertions that put `groups` into an object. */
export function insertMembers(
  { module, node }: HandlerObject,
  groups: readonly NewMembers[],
  style: Style,
  shape: Shape,
): readonly Patch[] {
  const target: Target = { text: module.text, node, style, shape }
  const last = node.properties.at(-1)
  if (last === undefined)
    return [
      intoEmpty(
        target,
        groups.flatMap(({ members }) => members),
      ),
    ]
  // The end of the object and its last member are one place.
  const byNode = Map.groupBy(groups, ({ after }) => after?.node ?? last)
  return [...byNode].flatMap(([one, some]) =>
    insertAfter(
      target,
      one,
      some.flatMap(({ members }) => members),
    ),
  )
}

/**
 * Length of what ends a line from an offset on: spaces and comments; undefined when code follows in
 * the line.
 */
export function restOfLine(text: string, offset: number): number | undefined {
  const rest = /[^\S\r\n]*(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[^\S\r\n]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/uy
  rest.lastIndex = offset
  return rest.exec(text)?.[0].length
}

function printed(
  { style: { eol }, shape }: Target,
  members: readonly (readonly string[])[],
  indent: string,
  lastComma: string,
): string {
  const texts = members.map((lines, index) => {
    const comma = index < members.length - 1 ? ',' : lastComma
    return lines.map((line) => (line === '' ? line : indent + line)).join(eol) + comma
  })
  return texts.map((text) => `${eol}${shape.isSpaced ? eol : ''}${text}`).join('')
}

/** Into `{}` the members come one below the other; comments in it stay before them. */
function intoEmpty(target: Target, members: readonly (readonly string[])[]): Patch {
  const { text, node, style } = target
  const start = node.getStart() + 1
  const inner = text.slice(start, node.end - 1)
  const base = lineIndent(text, start)
  const at = start + inner.trimEnd().length
  const rest = inner.slice(inner.trimEnd().length)
  const lines = printed(
    { ...target, shape: { ...target.shape, isSpaced: false } },
    members,
    base + style.indent,
    ',',
  )
  return rest.includes('\n')
    ? insertion(at, lines)
    : { at, length: rest.length, text: `${lines}${style.eol}${base}` }
}

function insertAfter(
  target: Target,
  node: ts.ObjectLiteralElementLike,
  members: readonly (readonly string[])[],
): readonly Patch[] {
  const { text, style } = target
  const { properties } = target.node
  const next = properties[properties.indexOf(node) + 1]
  const hasComma = next !== undefined || properties.hasTrailingComma === true
  const comma = next?.pos ?? (hasComma ? properties.end : node.end)
  const rest = restOfLine(text, comma)
  const base = lineIndent(text, target.node.getStart())
  const indent = beginsLine(text, node.getStart())
    ? lineIndent(text, node.getStart())
    : base + style.indent
  const lines = printed(target, members, indent, hasComma ? ',' : '')
  // Where code follows in the line, it goes on in a line of its own, without the space that kept it
  // apart.
  const added =
    rest === undefined
      ? {
          at: comma,
          length: blanksAt(text, comma),
          text: `${lines}${style.eol}${next === undefined ? base : indent}`,
        }
      : insertion(comma + rest, lines)
  return hasComma ? [added] : [insertion(node.end, ','), added]
}

function blanksAt(text: string, offset: number): number {
  return /^[ \t]*/u.exec(text.slice(offset))?.[0].length ?? 0
}

/**
 * The insertion that names `operationId` among the keys, after `neighbour` where that is one; none
 * when it is there.
 */
export function addKey(
  { module, node }: PickedKeys,
  operationId: string,
  neighbour: string | undefined,
  style: Style,
): readonly Patch[] {
  const keys = (ts.isUnionTypeNode(node) ? [...node.types] : [node]).filter(isTextLiteral)
  const last = keys.at(-1)
  if (last === undefined || keys.some(({ literal }) => literal.text === operationId)) return []
  const before = keys.find(({ literal }) => literal.text === neighbour) ?? last
  const start = before.getStart(module.tree)
  const lineStart = module.text.lastIndexOf('\n', start - 1) + 1
  const isOwnLine =
    /^\s*\|\s*$/u.test(module.text.slice(lineStart, start)) &&
    /^\s*(?:\n|$|>|,)/u.test(module.text.slice(before.end))
  const separator = isOwnLine ? `${style.eol}${lineIndent(module.text, start)}| ` : ' | '
  return [insertion(before.end, separator + quoted(operationId, style))]
}
