// Lays configuration layers over each other and remembers where each value came from.
import { joinPath } from '../options.ts'

/**
 * Some values and what they came from: a file's name, `environment NAME`, `flag --port`, `default`.
 */
export interface Layer {
  readonly origin: string
  readonly values: unknown
}

/** Layers laid over each other. */
export interface Layered {
  readonly values: unknown
  /** Origin by path, for each value that is not an object. */
  readonly origins: Map<string, string>
}

type Tree = Readonly<Record<string, unknown>>

/**
 * Lays the layers over each other, the later ones on top. Lists are replaced, except by an object
 * of positions.
 */
export function layOver(layers: readonly Layer[]): Layered {
  const origins = new Map<string, string>()
  const values = layers.reduce<unknown>(
    (lower, layer) => merge(lower, layer.values, '', origins, layer.origin),
    {},
  )
  return { values, origins }
}

function merge(
  lower: unknown,
  upper: unknown,
  path: string,
  origins: Map<string, string>,
  origin: string,
): unknown {
  if (Array.isArray(lower) && isPositions(upper)) {
    return Object.values(mergeTrees({ ...lower }, upper, path, origins, origin))
  }
  if (isTree(lower) && isTree(upper) && !names(lower, upper))
    return mergeTrees(lower, upper, path, origins, origin)
  forget(path, origins)
  record(upper, path, origins, origin)
  return upper
}

/** `{ 0: …, 2: … }`, as environment variables write to a list. */
function isPositions(value: unknown): value is Tree {
  const keys = isTree(value) ? Object.keys(value) : []
  return keys.length > 0 && keys.every((key) => /^\d+$/.test(key))
}

/**
 * An upper section that names another plugin replaces the lower one whole: the old plugin's options
 * mean nothing to it.
 */
function names(lower: Tree, upper: Tree): boolean {
  return upper['use'] !== undefined && lower['use'] !== undefined && upper['use'] !== lower['use']
}

/** Built from entries, so that a key such as `__proto__` stays plain data. */
function mergeTrees(
  lower: Tree,
  upper: Tree,
  path: string,
  origins: Map<string, string>,
  origin: string,
): Tree {
  const merged = Object.entries(upper).map(([key, value]): [string, unknown] => {
    const below = Object.hasOwn(lower, key) ? lower[key] : undefined
    return [key, merge(below, value, joinPath(path, [key]), origins, origin)]
  })
  return Object.fromEntries([...Object.entries(lower), ...merged])
}

function forget(path: string, origins: Map<string, string>): void {
  for (const known of origins.keys()) if (isWithin(known, path)) origins.delete(known)
}

function record(value: unknown, path: string, origins: Map<string, string>, origin: string): void {
  const children = isTree(value) || Array.isArray(value) ? Object.entries(value) : []
  for (const [key, child] of children) record(child, joinPath(path, [key]), origins, origin)
  if (children.length === 0) origins.set(path, origin)
}

/** The origin of the value at `path`; of an object, that of any part of it. */
export function originOf(path: string, origins: ReadonlyMap<string, string>): string | undefined {
  const exact = origins.get(path)
  if (exact !== undefined) return exact
  return [...origins].find(([known]) => isWithin(known, path) || isWithin(path, known))?.[1]
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}.`) || path.startsWith(`${root}[`)
}

/** True for an object that is not a list: what layers are merged in. */
export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
