// A document as a tree that is patched in place while every value keeps the file and path that it
// came from.
import type { JsonValue } from 'jsonpath-rfc9535'
import { isFields } from '../values.ts'
import type { Path, Source } from './source.ts'

/** The place where a value was written. */
interface Origin {
  readonly source: Source
  readonly path: Path
}

/** A value of the document; objects and lists hold their parts, each with an origin of its own. */
export type Node =
  | { readonly kind: 'leaf'; readonly origin: Origin; readonly value: unknown }
  | { readonly kind: 'map'; readonly origin: Origin; readonly members: Map<string, Node> }
  | { readonly kind: 'list'; readonly origin: Origin; items: readonly Node[] }

/** A value that cannot be merged with what the overlay brings for it. */
export interface Mismatch {
  readonly origin: Origin
  readonly message: string
}

const NAMES = { leaf: 'a plain value', map: 'an object', list: 'a list' } as const

/** The tree of a value that stands at `origin`. */
export function treeOf(value: unknown, origin: Origin): Node {
  const below = (key: string): Origin => ({ source: origin.source, path: [...origin.path, key] })
  if (Array.isArray(value)) {
    return {
      kind: 'list',
      origin,
      items: value.map((item: unknown, index) => treeOf(item, below(String(index)))),
    }
  }
  if (!isFields(value)) return { kind: 'leaf', origin, value }
  const members = Object.entries(value).map(([key, item]): [string, Node] => [
    key,
    treeOf(item, below(key)),
  ])
  return { kind: 'map', origin, members: new Map(members) }
}

/**
 * A tree of its own with the same origins. Leaves too are copied: items of lists are told apart by
 * identity.
 */
export function copyOf(node: Node): Node {
  switch (node.kind) {
    case 'leaf':
      return { ...node }
    case 'list':
      return { ...node, items: node.items.map(copyOf) }
    case 'map':
      return {
        ...node,
        members: new Map([...node.members].map(([key, item]) => [key, copyOf(item)])),
      }
  }
}

/** The plain value of a tree. */
function valueOf(node: Node): unknown {
  switch (node.kind) {
    case 'leaf':
      return node.value
    case 'list':
      return node.items.map(valueOf)
    case 'map':
      return Object.fromEntries([...node.members].map(([key, item]) => [key, valueOf(item)]))
  }
}

/**
 * What `jsonOf` made of objects and lists that have not changed since: most actions change a small
 * part of a large document.
 */
const KNOWN = new WeakMap<Node, JsonValue>()

/**
 * The tree as JSON, which is all that paths are looked for in. A long integer is rounded there; the
 * document keeps the exact one.
 */
export function jsonOf(node: Node): JsonValue {
  if (node.kind === 'leaf') return plainOf(node.value)
  const known = KNOWN.get(node)
  if (known !== undefined) return known
  const made =
    node.kind === 'list'
      ? node.items.map(jsonOf)
      : Object.fromEntries([...node.members].map(([key, item]) => [key, jsonOf(item)]))
  KNOWN.set(node, made)
  return made
}

function plainOf(value: unknown): JsonValue {
  if (typeof value === 'bigint') return Number(value)
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null
}

/** Forgets what is known of every node that changes and of all that hold it. */
export function changed(nodes: readonly Node[]): void {
  for (const node of nodes) KNOWN.delete(node)
}

/** The part under a key or index. */
export function partOf(node: Node, key: string): Node | undefined {
  if (node.kind === 'map') return node.members.get(key)
  return node.kind === 'list' ? node.items[Number(key)] : undefined
}

/**
 * The source with the tree for its content. Places are those of the origins, of the nearest
 * ancestor where a path leads nowhere.
 */
export function sourceOf(root: Source, tree: Node): Source {
  return {
    ...root,
    data: valueOf(tree),
    place: (path) => {
      let node = tree
      for (const key of path) {
        const next = partOf(node, key)
        if (next === undefined) break
        node = next
      }
      return node.origin.source.place(node.origin.path)
    },
  }
}

/**
 * Puts `update` in the place of `node` as Overlay has it: objects are merged, lists get items at
 * their end, plain values are replaced. Yields the new node; what does not fit together is added to
 * `mismatches`.
 */
export function merged(node: Node, update: Node, mismatches: Mismatch[]): Node {
  changed([node])
  if (node.kind === 'map' && update.kind === 'map') {
    for (const [key, item] of update.members) {
      const own = node.members.get(key)
      node.members.set(key, own === undefined ? copyOf(item) : merged(own, item, mismatches))
    }
    return node
  }
  if (node.kind === 'list' && update.kind === 'list') {
    node.items = [...node.items, ...update.items.map(copyOf)]
    return node
  }
  if (node.kind === 'leaf' && update.kind === 'leaf') return copyOf(update)
  mismatches.push({
    origin: update.origin,
    message: `${NAMES[update.kind]} cannot be merged with ${NAMES[node.kind]}`,
  })
  return node
}

/** Takes parts out of the objects and lists that hold them. */
export function removeParts(parent: Node, parts: ReadonlySet<Node>): void {
  if (parent.kind === 'list') parent.items = parent.items.filter((item) => !parts.has(item))
  if (parent.kind !== 'map') return
  for (const [key, item] of [...parent.members]) {
    if (parts.has(item)) parent.members.delete(key)
  }
}
