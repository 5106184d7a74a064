// Maps of the language: persistent search trees, balanced by size, so that an insertion copies only
// the way to its place. The language's order of values orders the keys.
import { compare } from './compare.ts'
import { ValueMap } from './value.ts'
import type { Meter } from './meter.ts'
import type { MapNode, Value } from './value.ts'

type Tree = MapNode | undefined
type Entry = Pick<MapNode, 'key' | 'value'>

export const EMPTY_MAP = new ValueMap(undefined)

/** A side has at most so many times the entries of the other. */
const DELTA = 3
/** A side whose inner part has so many times the entries of its outer one is turned first. */
const GAMMA = 2
const NODE_CELLS = 6

/** The map with `value` at `key`. Throws where the key is not comparable, as all functions here. */
export function insert(map: ValueMap, key: Value, value: Value, meter: Meter): ValueMap {
  demandComparable(key, meter)
  return new ValueMap(inserted(map.root, { key, value }, meter))
}

/** The map without `key`. */
export function remove(map: ValueMap, key: Value, meter: Meter): ValueMap {
  demandComparable(key, meter)
  return new ValueMap(removed(map.root, key, meter))
}

/** The entry at `key`. */
export function lookUp(map: ValueMap, key: Value, meter: Meter): Entry | undefined {
  demandComparable(key, meter)
  let node = map.root
  while (node !== undefined) {
    const order = compare(key, node.key, meter)
    if (order === 0) return node
    node = order < 0 ? node.left : node.right
  }
  return undefined
}

function demandComparable(key: Value, meter: Meter): void {
  if (typeof key === 'object') compare(key, key, meter)
}

function inserted(node: Tree, entry: Entry, meter: Meter): MapNode {
  meter.allocate(NODE_CELLS)
  if (node === undefined) return nodeOf(undefined, entry, undefined)
  const order = compare(entry.key, node.key, meter)
  if (order < 0) return balanced(inserted(node.left, entry, meter), node, node.right)
  if (order > 0) return balanced(node.left, node, inserted(node.right, entry, meter))
  return nodeOf(node.left, { key: node.key, value: entry.value }, node.right)
}

function removed(node: Tree, key: Value, meter: Meter): Tree {
  if (node === undefined) return undefined
  meter.allocate(NODE_CELLS)
  const order = compare(key, node.key, meter)
  if (order < 0) return balanced(removed(node.left, key, meter), node, node.right)
  if (order > 0) return balanced(node.left, node, removed(node.right, key, meter))
  if (node.right === undefined) return node.left
  return balanced(node.left, first(node.right), withoutFirst(node.right))
}

function first(node: MapNode): MapNode {
  let leftmost = node
  while (leftmost.left !== undefined) leftmost = leftmost.left
  return leftmost
}

function withoutFirst(node: MapNode): Tree {
  if (node.left === undefined) return node.right
  return balanced(withoutFirst(node.left), node, node.right)
}

function sizeOf(node: Tree): number {
  return node === undefined ? 0 : node.size
}

function nodeOf(left: Tree, { key, value }: Entry, right: Tree): MapNode {
  return { key, value, size: sizeOf(left) + sizeOf(right) + 1, left, right }
}

/** The node of two sides of which one has just become an entry larger or smaller. */
function balanced(left: Tree, entry: Entry, right: Tree): MapNode {
  const [l, r] = [sizeOf(left), sizeOf(right)]
  if (l + r > 1) {
    if (right !== undefined && r > DELTA * l) return leftTurn(left, entry, right)
    if (left !== undefined && l > DELTA * r) return rightTurn(left, entry, right)
  }
  return nodeOf(left, entry, right)
}

function leftTurn(left: Tree, entry: Entry, right: MapNode): MapNode {
  const inner = right.left
  if (inner === undefined || inner.size < GAMMA * sizeOf(right.right))
    return nodeOf(nodeOf(left, entry, inner), right, right.right)
  return nodeOf(nodeOf(left, entry, inner.left), inner, nodeOf(inner.right, right, right.right))
}

function rightTurn(left: MapNode, entry: Entry, right: Tree): MapNode {
  const inner = left.right
  if (inner === undefined || inner.size < GAMMA * sizeOf(left.left))
    return nodeOf(left.left, left, nodeOf(inner, entry, right))
  return nodeOf(nodeOf(left.left, left, inner.left), inner, nodeOf(inner.right, entry, right))
}
