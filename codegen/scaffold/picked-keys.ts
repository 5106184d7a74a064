// Adds operations to the keys of `Pick<Handlers<C>, keys>`, without which a new member would not compile.
import ts from 'typescript'
import type { PickedKeys } from './handler-types.ts'
import { isTextLiteral } from './handler-types.ts'
import { insertion } from './patch.ts'
import type { Patch } from './patch.ts'
import { lineIndent, quoted } from './style.ts'
import type { Style } from './style.ts'

/** The insertion that names `operationId` among the keys, after `neighbour` where that is one; none when it is there. */
export function addKey({ module, node }: PickedKeys, operationId: string, neighbour: string | undefined, style: Style): readonly Patch[] {
  const keys = (ts.isUnionTypeNode(node) ? [...node.types] : [node]).filter(isTextLiteral)
  const last = keys.at(-1)
  if (last === undefined || keys.some(({ literal }) => literal.text === operationId)) return []
  const before = keys.find(({ literal }) => literal.text === neighbour) ?? last
  const start = before.getStart(module.tree)
  const lineStart = module.text.lastIndexOf('\n', start - 1) + 1
  const isOwnLine = /^\s*\|\s*$/u.test(module.text.slice(lineStart, start)) && /^\s*(?:\n|$|>|,)/u.test(module.text.slice(before.end))
  const separator = isOwnLine ? `${style.eol}${lineIndent(module.text, start)}| ` : ' | '
  return [insertion(before.end, separator + quoted(operationId, style))]
}
