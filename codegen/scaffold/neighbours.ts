// Where a new handler belongs: beside the handler of the operation that is nearest to its own.
import ts from 'typescript'
import type { OperationIr } from '../ir.ts'
import type { HandlerObject } from './objects.ts'
import type { Held, InterfacePlan } from './plan.ts'

/** An object to add to; after a member of it, or at its end. */
export interface Spot {
  readonly object: HandlerObject
  readonly after: Held['member'] | undefined
}

interface Neighbour {
  readonly held: Held
  readonly operation: OperationIr
  /** Position among the operations of the document. */
  readonly index: number
}

/** The best place for an operation; undefined when the interface has no object that may take it. */
export function spotFor(plan: InterfacePlan, operation: OperationIr): Spot | undefined {
  const open = plan.objects.filter((object) => mayTake(plan, object))
  const neighbours = neighboursIn(plan, open)
  const nearest = bestOf(plan, neighbours, operation)
  if (nearest !== undefined) return { object: nearest.held.object, after: nearest.held.member }
  const [first] = open.toSorted(
    (a, b) => Number(isHub(b)) - Number(isHub(a)) || b.members.length - a.members.length,
  )
  return first === undefined ? undefined : { object: first, after: undefined }
}

/**
 * True for an object that gathers others and has handlers of its own: what belongs nowhere else is
 * there.
 */
function isHub({ node, members }: HandlerObject): boolean {
  return members.length > 0 && node.properties.some((property) => ts.isSpreadAssignment(property))
}

/** A type of fixed keys takes no member, unless the keys are listed where they can be added to. */
function mayTake({ ir }: InterfacePlan, { types }: HandlerObject): boolean {
  return types.some(
    (type) => type.interface === ir.name && (type.isOpen || type.picked !== undefined),
  )
}

function neighboursIn(
  { ir, held }: InterfacePlan,
  open: readonly HandlerObject[],
): readonly Neighbour[] {
  return ir.operations.flatMap((operation, index) =>
    (held.get(operation.operationId) ?? [])
      .filter((one) => open.includes(one.object))
      .map((one): Neighbour => ({ held: one, operation, index })),
  )
}

/**
 * Same path, else the most path segments in common beyond those that all have, else a tag in
 * common; then what stands nearest.
 */
function bestOf(
  { ir }: InterfacePlan,
  neighbours: readonly Neighbour[],
  operation: OperationIr,
): Neighbour | undefined {
  const index = ir.operations.indexOf(operation)
  const shared = commonToAll(ir.operations)
  let best: { readonly one: Neighbour; readonly rank: readonly number[] } | undefined
  for (const one of neighbours) {
    const nearness = likeness(one.operation, operation, shared)
    if (nearness === 0) continue
    // Of two that are equally near, the one before: its successor is where a reader of the document
    // looks.
    const rank = [nearness, -Math.abs(one.index - index), one.index < index ? 1 : 0]
    if (best === undefined || isHigher(rank, best.rank)) best = { one, rank }
  }
  return best?.one
}

function isHigher(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0)
}

/** 0: nothing in common. */
function likeness(a: OperationIr, b: OperationIr, shared: number): number {
  if (a.path === b.path) return 1_000
  const segments = common(a.path, b.path) - shared
  if (segments > 0) return 1 + segments
  return a.tags.some((tag) => b.tags.includes(tag)) ? 1 : 0
}

function common(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')]
  const at = one.findIndex((segment, index) => segment !== other[index])
  return at < 0 ? one.length : at
}

/** How many segments all paths begin with. */
function commonToAll(operations: readonly OperationIr[]): number {
  const [first, ...rest] = operations
  if (first === undefined) return 0
  const folder = first.path.split('/').length - 1
  return rest.reduce(
    (least, { path }) => Math.min(least, common(first.path, path), path.split('/').length - 1),
    folder,
  )
}
