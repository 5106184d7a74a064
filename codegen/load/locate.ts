// Says where any path of a resolved document was written: follows the same references that
// resolving followed.
import type { SourcePlace } from '../ir.ts'
import { fields, isFields, items } from '../values.ts'
import { errorsOf } from './errors.ts'
import { child, follow } from './resolver.ts'
import type { Located, Resolver } from './resolver.ts'
import type { Path } from './source.ts'

/**
 * Gives the place of a path of the resolved document, or of its nearest ancestor that was written
 * anywhere.
 */
export function locator(resolver: Resolver): (path: Path) => SourcePlace {
  return (path) => {
    const { source, path: written } = findWritten(resolver, path)
    return source.place(written)
  }
}

function findWritten(resolver: Resolver, path: Path): Located {
  let at: Located = { source: resolver.root, path: [], value: resolver.root.data }
  for (const [index, key] of path.entries()) {
    // The list may be that of the path alone: what it holds is found by its index.
    // Schemas have names of their own, in documents without components too.
    if (isParameterList(path, index) || (index < 2 && isSchemaName(path, 2) && path.length > 2))
      continue
    const next = isSchemaName(path, index)
      ? (resolver.targetByName.get(key) ?? child(at, 'components', 'schemas', key))
      : isParameterIndex(path, index)
        ? parametersOf(resolver, path)[Number(key)]
        : (step(resolver, at, key) ??
          (isResponse(path, index) ? step(resolver, errorsOf(resolver), key) : undefined))
    if (next === undefined) return at
    at = next
  }
  return at
}

/**
 * What stands beside a reference is there under its own key; everything else is where the reference
 * leads.
 */
function step(resolver: Resolver, at: Located, key: string): Located | undefined {
  const isOwn = !isFields(at.value) || Object.hasOwn(at.value, key)
  const target = isOwn ? at : follow(resolver, at)
  const next = target === undefined ? undefined : child(target, key)
  return next?.value === undefined ? undefined : next
}

function isSchemaName(path: Path, index: number): boolean {
  return index === 2 && path[0] === 'components' && path[1] === 'schemas'
}

/** A status that the operation does not declare is one of the interface's errors. */
function isResponse(path: Path, index: number): boolean {
  return (
    path[0] === 'paths' &&
    path[index - 1] === 'responses' &&
    index === (path[2] === 'additionalOperations' ? 5 : 4)
  )
}

function isParameterList(path: Path, index: number): boolean {
  return index === 3 && path[0] === 'paths' && path[index] === 'parameters'
}

function isParameterIndex(path: Path, index: number): boolean {
  return index > 0 && isParameterList(path, index - 1)
}

/**
 * In the resolved document an operation's parameters begin with those of its path that it does not
 * replace.
 */
function parametersOf(
  resolver: Resolver,
  [, template = '', method = '']: Path,
): readonly Located[] {
  const root: Located = { source: resolver.root, path: [], value: resolver.root.data }
  const item = follow(resolver, child(root, 'paths', template))
  if (item === undefined) return []
  const listed = (list: Located): readonly Located[] =>
    items(list.value).flatMap((_, index) => follow(resolver, child(list, String(index))) ?? [])
  const own = listed(child(item, method, 'parameters'))
  const inherited = listed(child(item, 'parameters')).filter(
    (one) => !own.some((mine) => isSame(mine, one)),
  )
  return [...inherited, ...own]
}

function isSame(a: Located, b: Located): boolean {
  const [one, other] = [fields(a.value), fields(b.value)]
  return one['name'] === other['name'] && one['in'] === other['in']
}
