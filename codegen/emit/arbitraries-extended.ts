// Objects that extend each other in a long row: each is printed by what it adds. Printed with all
// its members, a row of a thousand would have half a million.
import type { InterfaceIr, Schema, SchemaObject } from '../ir.ts'
import { isReference, speaking } from './arbitraries-kinds.ts'
import { mergedSchema } from './arbitraries-merge.ts'
import type { Keys } from './arbitraries-merge.ts'
import { addedCode } from './arbitraries-objects.ts'
import type { KindSheet } from './arbitraries-objects.ts'
import { kindName } from './context.ts'
import { listAt } from '../list-at.ts'
import { refName } from '../load/refs.ts'
import { once } from '../once.ts'

/** Up to here a row is printed with all its members, which is shorter to read. */
const SHORT = 8

/** Additions of a component to another. */
interface Extension {
  readonly base: string
  readonly keys: Keys
}

/** The expression of a component that ends a long row; undefined for all others. */
export function extendedKind(sheet: KindSheet, name: string): string | undefined {
  const found = longRows(sheet.context.ir).get(name)
  if (found === undefined) return undefined
  return `extended(${kindName(sheet.context, found.base)}, ${addedCode(sheet, found.keys)})`
}

/** Extensions that are far from the object that their row begins with. */
const longRows = once((ir: InterfaceIr): ReadonlyMap<string, Extension> => {
  const extensions = new Map<string, Extension>()
  const byBase = new Map<string, string[]>()
  for (const [name, schema] of Object.entries(ir.schemas)) {
    const found = extensionOf(ir, schema)
    if (found === undefined) continue
    extensions.set(name, found)
    listAt(byBase, found.base).push(name)
  }
  const far = new Map<string, Extension>()
  for (const base of byBase.keys()) {
    const keys = extensions.has(base) ? undefined : plainKeys(ir, ir.schemas[base] ?? true)
    if (isPlain(keys) && keys.type === 'object') follow({ base, extensions, byBase, far }, keys)
  }
  return far
})

interface Row {
  readonly base: string
  readonly extensions: ReadonlyMap<string, Extension>
  readonly byBase: ReadonlyMap<string, readonly string[]>
  readonly far: Map<string, Extension>
}

/** Goes from an object to all that extend it, as long as none declares a member again. */
function follow({ base, extensions, byBase, far }: Row, keys: Keys): void {
  const taken = new Set(Object.keys(keys.properties ?? {}))
  const open: { readonly name: string; readonly depth: number; readonly isLeft: boolean }[] = []
  const enter = (name: string, depth: number): void => {
    for (const next of byBase.get(name) ?? []) open.push({ name: next, depth, isLeft: false })
  }
  enter(base, 1)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, depth, isLeft } = next
    const extension = extensions.get(name)
    const own = Object.keys(extension?.keys.properties ?? {})
    if (isLeft) for (const one of own) taken.delete(one)
    else if (extension !== undefined && fits(extension.keys, own, taken)) {
      for (const one of own) taken.add(one)
      if (depth > SHORT) far.set(name, extension)
      open.push({ name, depth, isLeft: true })
      enter(name, depth + 1)
    }
  }
}

/** True where members are added, none anew, and all that must be there are declared. */
function fits(keys: Keys, own: readonly string[], taken: ReadonlySet<string>): boolean {
  const isKnown = (name: string): boolean =>
    taken.has(name) || Object.hasOwn(keys.properties ?? {}, name)
  return own.every((name) => !taken.has(name)) && (keys.required ?? []).every(isKnown)
}

function extensionOf(ir: InterfaceIr, schema: Schema): Extension | undefined {
  if (typeof schema === 'boolean' || schema.allOf === undefined) return undefined
  const isBase = (part: Schema): part is SchemaObject & { readonly $ref: string } =>
    typeof part === 'object' && isReference(part)
  const [first, ...more] = schema.allOf.filter(isBase)
  if (first === undefined || more.length > 0) return undefined
  const keys = plainKeys(ir, { ...schema, allOf: schema.allOf.filter((part) => !isBase(part)) })
  return isPlain(keys) ? { base: refName(first.$ref), keys } : undefined
}

/** Keys of an inline object; undefined if it is more than names and schemas of members. */
function plainKeys(ir: InterfaceIr, schema: Schema): Keys | undefined {
  if (typeof schema === 'boolean' || hasReference(schema)) return undefined
  const { keys, unions, isExact, isEmpty } = mergedSchema(ir, schema)
  return isExact && !isEmpty && unions.length === 0 ? keys : undefined
}

function hasReference({ $ref, allOf = [] }: SchemaObject): boolean {
  return $ref !== undefined || allOf.some((part) => typeof part === 'object' && hasReference(part))
}

const PLAIN: ReadonlySet<string> = new Set(['type', 'properties', 'required'])

function isPlain(keys: Keys | undefined): keys is Keys {
  return (
    keys !== undefined &&
    (keys.type ?? 'object') === 'object' &&
    keys.properties !== undefined &&
    speaking(keys).every((key) => PLAIN.has(key))
  )
}
