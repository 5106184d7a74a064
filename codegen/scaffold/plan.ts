// Compares the operations of an interface with the members of its handler objects. Says what is to
// be done; changes nothing.
import type ts from 'typescript'
import type { InterfaceIr, OperationIr } from '../ir.ts'
import { text } from '../values.ts'
import type { SpreadMembers } from './ask-compiler.ts'
import { pickedNames } from './handler-types.ts'
import type { HandlersLock, LockedOperation } from './lock.ts'
import type { Module } from './module.ts'
import type { ClosedPlace, FoundHandlers, HandlerObject, Member } from './objects.ts'
import { PARTS } from './prints.ts'
import type { Part, TypePrints } from './prints.ts'

/** A member with the object that it stands in. */
export interface Held {
  readonly object: HandlerObject
  readonly member: Member
}

interface OperationRename {
  readonly from: string
  readonly operation: OperationIr
}

/** The gaps and the excess of the hand-written code of one interface. */
export interface InterfacePlan {
  readonly ir: InterfaceIr
  readonly objects: readonly HandlerObject[]
  /** Handlers by operation id, renamed ones under their new id. */
  readonly held: ReadonlyMap<string, readonly Held[]>
  /** Operations that no object has. */
  readonly missing: readonly OperationIr[]
  /**
   * Operations that no object has as far as can be seen, where one may have them by a spread: a
   * skeleton could hide the handler.
   */
  readonly hidden: readonly OperationIr[]
  /**
   * Where those may be: spreads of which nothing is known, and what alone has handlers and cannot
   * be added to.
   */
  readonly opaque: readonly { readonly module: Module; readonly node: ts.Node }[]
  readonly renames: readonly OperationRename[]
  /**
   * Members whose operation was there when the lock was written; `now` has its method and path
   * under another id.
   */
  readonly orphans: readonly (Held & { readonly now?: OperationIr })[]
  /** Members that never were an operation. */
  readonly strangers: readonly Held[]
  readonly retyped: readonly (Held & {
    readonly operationId: string
    readonly parts: readonly Part[]
  })[]
  readonly doubled: readonly { readonly operationId: string; readonly held: readonly Held[] }[]
  /** The lock's new text about the interface. */
  readonly locked: Readonly<Record<string, LockedOperation>>
}

/** Knowledge beside the documents. */
interface Known {
  /** Handlers of all interfaces. */
  readonly found: FoundHandlers
  readonly lock: HandlersLock
  /** Members of spreads for which no literal was found, as far as somebody has asked. */
  readonly spreads: SpreadMembers
}

/** Plans one interface. */
export function planInterface(
  ir: InterfaceIr,
  prints: ReadonlyMap<string, TypePrints>,
  { found: all, lock, spreads }: Known,
): InterfacePlan {
  const isOurs = ({ types }: HandlerObject | ClosedPlace): boolean =>
    types.some((type) => type.interface === ir.name)
  const objects = all.objects.filter(isOurs)
  const closed = objects.length === 0 ? all.closed.filter(isOurs) : []
  const former = lock[ir.name] ?? {}
  const byName = members(objects)
  const ids = new Map(ir.operations.map((operation) => [operation.operationId, operation]))
  const renames = operationRenames(ir).filter(
    ({ from, operation }) => byName.has(from) && !byName.has(operation.operationId),
  )
  const sources = new Set(renames.map(({ from }) => from))
  const held = new Map(
    ir.operations.flatMap(({ operationId }): [string, readonly Held[]][] => {
      const from = renames.find(({ operation }) => operation.operationId === operationId)?.from
      const found = byName.get(from ?? operationId)
      return found === undefined ? [] : [[operationId, found]]
    }),
  )
  const promised = new Set([
    ...promisedIn(objects, ir.name, spreads),
    ...closed.flatMap(({ names }) => names),
  ])
  const unseen = ir.operations.filter(
    ({ operationId }) => !held.has(operationId) && !promised.has(operationId),
  )
  const opaque = [
    ...closed,
    ...objects.flatMap(({ module, unknownSpreads }) => {
      return unknownSpreads
        .filter((one) => spreads.get(one) === undefined)
        .map((node) => ({ module, node }))
    }),
  ]
  const isHidden = opaque.length > 0
  const unknown = [...byName]
    .filter(([name]) => !ids.has(name) && !sources.has(name))
    .flatMap(([, found]) => found)
  const mixed = (one: Held): boolean => one.object.types.length > 1
  return {
    ir,
    objects,
    held,
    renames,
    missing: isHidden ? [] : unseen,
    hidden: isHidden ? unseen : [],
    opaque,
    orphans: unknown
      .filter(({ member }) => former[member.name] !== undefined)
      .map((one) => ({ ...one, ...moved(former[one.member.name], unseen) })),
    strangers: unknown.filter((one) => former[one.member.name] === undefined && !mixed(one)),
    retyped: retyped(former, held, renames, prints),
    doubled: [...held]
      .filter(([, found]) => new Set(found.map(({ object }) => object.owner)).size > 1)
      .map(([operationId, found]) => ({ operationId, held: found })),
    locked: lockOf(ir, prints, former, unknown),
  }
}

/**
 * What objects have by spreads from elsewhere: the keys that a type lists, and what the compiler
 * knows of the spreads.
 */
function promisedIn(
  objects: readonly HandlerObject[],
  name: string,
  spreads: SpreadMembers,
): ReadonlySet<string> {
  const obscure = objects.filter(({ unknownSpreads }) => unknownSpreads.length > 0)
  const listed = obscure
    .flatMap(({ types }) => types)
    .filter((type) => type.interface === name && type.isPartial !== true)
  const spread = obscure.flatMap(({ unknownSpreads }) =>
    unknownSpreads.flatMap((one) => [...(spreads.get(one) ?? [])]),
  )
  return new Set([...listed.flatMap(pickedNames), ...spread])
}

/**
 * The renames in `x-renamed-from` of operations whose former id is no longer an operation.
 */
export function operationRenames(ir: InterfaceIr): readonly OperationRename[] {
  const ids = new Set(ir.operations.map(({ operationId }) => operationId))
  return ir.operations.flatMap((operation): readonly OperationRename[] => {
    const from = text(operation.extensions['x-renamed-from'])
    return from === undefined || ids.has(from) ? [] : [{ from, operation }]
  })
}

function members(objects: readonly HandlerObject[]): ReadonlyMap<string, readonly Held[]> {
  const found = new Map<string, Held[]>()
  for (const object of objects) {
    for (const member of object.members) {
      const known = found.get(member.name)
      if (known === undefined) found.set(member.name, [{ object, member }])
      else known.push({ object, member })
    }
  }
  return found
}

function moved(
  was: LockedOperation | undefined,
  free: readonly OperationIr[],
): { readonly now?: OperationIr } {
  const now = free.find(
    ({ method, path }) => method === was?.method && withoutNames(path) === withoutNames(was.path),
  )
  return now === undefined ? {} : { now }
}

/** A path whose parameters are called otherwise is the same path. */
function withoutNames(path: string): string {
  return path.replaceAll(/\{[^}]*\}/gu, '{}')
}

function retyped(
  former: Readonly<Record<string, LockedOperation>>,
  held: ReadonlyMap<string, readonly Held[]>,
  renames: readonly OperationRename[],
  prints: ReadonlyMap<string, TypePrints>,
): InterfacePlan['retyped'] {
  return [...held].flatMap(([operationId, found]) => {
    const from = renames.find(({ operation }) => operation.operationId === operationId)?.from
    const was = former[from ?? operationId]
    const parts =
      was === undefined ? [] : PARTS.filter((part) => was[part] !== prints.get(operationId)?.[part])
    return parts.length === 0 ? [] : found.map((one) => ({ ...one, operationId, parts }))
  })
}

/**
 * Operations that are gone stay while somebody has a handler for them, or they would become
 * strangers.
 */
function lockOf(
  ir: InterfaceIr,
  prints: ReadonlyMap<string, TypePrints>,
  former: Readonly<Record<string, LockedOperation>>,
  unknown: readonly Held[],
): Readonly<Record<string, LockedOperation>> {
  const kept = unknown.flatMap(({ member: { name } }): [string, LockedOperation][] => {
    const was = former[name]
    return was === undefined ? [] : [[name, was]]
  })
  const fresh = ir.operations.flatMap(
    ({ operationId, method, path }): [string, LockedOperation][] => {
      const print = prints.get(operationId)
      return print === undefined ? [] : [[operationId, { method, path, ...print }]]
    },
  )
  return Object.fromEntries([...kept, ...fresh])
}
