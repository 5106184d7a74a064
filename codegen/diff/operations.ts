// Finds which operations of two documents are the same one, and compares these.
import type { OperationIr } from '../ir.ts'
import { text } from '../values.ts'
import { compareAccess } from './access.ts'
import { compareBodies } from './bodies.ts'
import { compareFlag, compareMembers, into, note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { isRewritten } from './rewritten.ts'
import { compareExtensions } from './schema-texts.ts'
import { compareSecurity } from './security.ts'
import { differing, keyed, match } from './sets.ts'
import { compareLimit, compareStability, compareVersions } from './versions.ts'

export interface OperationMatches {
  readonly pairs: readonly (readonly [OperationIr, OperationIr])[]
  readonly gone: readonly OperationIr[]
  readonly fresh: readonly OperationIr[]
}

/** Pairs by operationId; then by `x-renamed-from`; then by method and path. */
export function matchOperations(
  before: readonly OperationIr[],
  after: readonly OperationIr[],
): OperationMatches {
  const pairs: (readonly [OperationIr, OperationIr])[] = []
  let [gone, fresh] = [before, after]
  const keep = (
    old: ReadonlyMap<string, OperationIr>,
    now: ReadonlyMap<string, OperationIr>,
  ): void => {
    const found = match(old, now)
    for (const [, one, other] of found.pairs) pairs.push([one, other])
    const [paired, partners] = [
      new Set(found.pairs.map(([, one]) => one)),
      new Set(found.pairs.map(([, , other]) => other)),
    ]
    gone = gone.filter((one) => !paired.has(one))
    fresh = fresh.filter((one) => !partners.has(one))
  }
  keep(keyed(gone, idOf), keyed(fresh, idOf))
  keep(keyed(gone, idOf), keyed(fresh, formerId))
  keep(keyed(gone, formerId), keyed(fresh, idOf))
  keep(keyed(gone, routeOf), keyed(fresh, routeOf))
  return { pairs, gone, fresh }
}

function idOf({ operationId }: OperationIr): string {
  return operationId
}

function formerId(operation: OperationIr): string {
  return (
    text(operation.extensions['x-renamed-from']) ?? `${operation.operationId} is its first name`
  )
}

/** Method and path without the names of its parameters. */
function routeOf({ method, path }: OperationIr): string {
  return `${method} ${shapeOf(path)}`
}

/** A path without the names of its parameters. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/gu, '{}')
}

/** The spot of an operation: no value travels through an operation as such. */
export function spotOf(comparison: Comparison, before: OperationIr, after: OperationIr): Spot {
  const [old, now] = [before, after].map(({ path, method }) => [
    'paths',
    path,
    method.toLowerCase(),
  ])
  const subject = after.operationId
  return { in: comparison, old: old ?? [], new: now ?? [], subject, ways: 0 }
}

/** Notes how an operation differs from what it was. */
export function compareOperations(spot: Spot, before: OperationIr, after: OperationIr): void {
  compareIdentity(spot, before, after)
  compareMembers(spot, before, after, [
    ['summary', 'operation-summary-changed'],
    ['description', 'operation-description-changed'],
    ['tags', 'operation-tags-changed'],
  ])
  compareFlag(spot, before.deprecated, after.deprecated, DEPRECATED, ['deprecated'])
  compareParameters(spot, before, after)
  compareBodies(spot, before.body, after.body)
  compareResponses(spot, before.responses, after.responses)
  compareSecurity(spot, before.security, after.security)
  compareOperationExtensions(spot, before, after)
  const { notes, links } = spot.in.to
  if (links.some((link) => link.old !== link.new)) return
  const { at: _old, ...old } = before
  const { at: _now, ...now } = after
  if (isRewritten(notes, old, now)) note(spot, 'operation-rewritten')
}

const DEPRECATED = ['operation-deprecated', 'operation-undeprecated'] as const

function compareIdentity(spot: Spot, before: OperationIr, after: OperationIr): void {
  const said = formerId(after) === before.operationId || formerId(before) === after.operationId
  compareMembers(spot, before, after, [
    ['operationId', said ? 'operation-renamed' : 'operation-id-changed'],
    ['method', 'operation-method-changed', []],
  ])
  if (shapeOf(before.path) !== shapeOf(after.path))
    compareMembers(spot, before, after, [['path', 'operation-path-changed', []]])
}

function compareOperationExtensions(
  spot: Spot,
  { extensions: before }: OperationIr,
  { extensions: after }: OperationIr,
): void {
  for (const [name, was, is] of differing(before, after)) {
    const at = into(spot, '', name)
    switch (name) {
      case 'x-access':
        compareAccess(at, was, is)
        break
      case 'x-stability':
        compareStability(at, was, is)
        break
      case 'x-versions':
        compareVersions(at, was, is)
        break
      case 'x-max-body-bytes':
        compareLimit(at, was, is)
        break
      default:
        compareExtensions(spot, { [name]: was }, { [name]: is }, 'operation-extension-changed')
    }
  }
}
