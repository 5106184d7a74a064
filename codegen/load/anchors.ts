// Names that a document gives to its own places besides JSON pointers: `$self`, `$id` and
// `$anchor`.
import { once } from '../once.ts'
import { fields, isFields, items, text } from '../values.ts'
import type { Path, Source } from './source.ts'

interface Names {
  /** Paths of the schemas that have an `$id`, by it. */
  readonly ids: ReadonlyMap<string, Path>
  /**
   * Paths of the schemas that have an `$anchor` or `$dynamicAnchor`, by it; the first of a name
   * counts.
   */
  readonly anchors: ReadonlyMap<string, Path>
}

/** Members whose values are data: a key in them that looks like a name is none. */
const DATA_KEYS: ReadonlySet<string> = new Set(['example', 'examples', 'default', 'const', 'enum'])

/**
 * The path in `source` of what `uri` names, a reference's text before `#`; undefined when it names
 * nothing there.
 */
export function findIdentified(source: Source, uri: string): Path | undefined {
  if (text(fields(source.data)['$self']) === uri) return []
  return namesIn(fields(source.data)).ids.get(uri)
}

/** The path of the schema with this anchor. */
export function findAnchor(source: Source, name: string): Path | undefined {
  return namesIn(fields(source.data)).anchors.get(name)
}

const namesIn = once((data: object): Names => {
  const names = { ids: new Map<string, Path>(), anchors: new Map<string, Path>() }
  collect(data, [], names)
  return names
})

function collect(
  value: unknown,
  path: Path,
  names: { readonly ids: Map<string, Path>; readonly anchors: Map<string, Path> },
): void {
  for (const [index, item] of items(value).entries()) collect(item, [...path, String(index)], names)
  if (!isFields(value)) return
  const id = text(value['$id'])
  if (id !== undefined && !names.ids.has(id)) names.ids.set(id, path)
  for (const anchor of [text(value['$anchor']), text(value['$dynamicAnchor'])]) {
    if (anchor !== undefined && !names.anchors.has(anchor)) names.anchors.set(anchor, path)
  }
  for (const [key, item] of Object.entries(value)) {
    if (!DATA_KEYS.has(key) && typeof item === 'object') collect(item, [...path, key], names)
  }
}
