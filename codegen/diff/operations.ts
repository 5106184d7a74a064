// Finds which operations of two documents are the same one, and compares these.
import type { OperationIr } from '../ir.ts'
import { text } from '../values.ts'
import { compareAccess } from './access.ts'
import { compareBodies } from './bodies.ts'
import { into, note } from './comparison.ts'
import type { Comparison, Spot } from './comparison.ts'
import { compareParameters } from './parameters.ts'
import { compareResponses } from './responses.ts'
import { isRewritten } from './rewritten.ts'
import { compareExtensions } from './schema-texts.ts'
import { compareSecurity } from './security.ts'
import { differing, keyed, match, same } from './sets.ts'
import { compareLimit, compareStability, compareVersions } from './versions.ts'

export interface OperationMatches {
  readonly pairs: readonly (readonly [OperationIr, OperationIr])[]
  readonly gone: readonly OperationIr[]
  readonly fresh: readonly OperationIr[]
}

/** By operationId; then by what `x-renamed-from` says; then by method and path. */
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

/** Where an operation stands: no value travels through an operation as such. */
export function spotOf(before: OperationIr, after: OperationIr): Spot {
  const pathOf = ({ path, method }: OperationIr): readonly string[] => [
    'paths',
    path,
    method.toLowerCase(),
  ]
  return { old: pathOf(before), new: pathOf(after), subject: after.operationId, ways: 0 }
}

/** Notes how an operation differs from what it was. */
export function compareOperations(
  comparison: Comparison,
  before: OperationIr,
  after: OperationIr,
): void {
  const spot = spotOf(before, after)
  compareIdentity(comparison, spot, before, after)
  compareWords(comparison, spot, before, after)
  compareParameters(comparison, spot, before, after)
  compareBodies(comparison, spot, before.body, after.body)
  compareResponses(comparison, spot, before.responses, after.responses)
  compareSecurity(comparison, spot, before.security, after.security)
  compareOperationExtensions(comparison, spot, before, after)
  const { notes, links } = comparison.to
  if (links.some((link) => link.old !== link.new)) return
  const { at: _old, ...old } = before
  const { at: _now, ...now } = after
  if (isRewritten(notes, old, now)) note(comparison, spot, 'operation-rewritten')
}

function compareIdentity(
  comparison: Comparison,
  spot: Spot,
  before: OperationIr,
  after: OperationIr,
): void {
  if (before.operationId !== after.operationId) {
    const said = formerId(after) === before.operationId || formerId(before) === after.operationId
    const detail = { before: before.operationId, after: after.operationId, keys: ['operationId'] }
    note(comparison, spot, said ? 'operation-renamed' : 'operation-id-changed', detail)
  }
  if (before.method !== after.method)
    note(comparison, spot, 'operation-method-changed', {
      before: before.method,
      after: after.method,
    })
  if (shapeOf(before.path) !== shapeOf(after.path)) {
    note(comparison, spot, 'operation-path-changed', { before: before.path, after: after.path })
  }
}

function compareWords(
  comparison: Comparison,
  spot: Spot,
  before: OperationIr,
  after: OperationIr,
): void {
  for (const [key, rule] of [
    ['summary', 'operation-summary-changed'],
    ['description', 'operation-description-changed'],
    ['tags', 'operation-tags-changed'],
  ] as const) {
    if (!same(before[key], after[key]))
      note(comparison, spot, rule, { before: before[key], after: after[key], keys: [key] })
  }
  if (before.deprecated !== after.deprecated) {
    note(comparison, spot, after.deprecated ? 'operation-deprecated' : 'operation-undeprecated', {
      keys: ['deprecated'],
    })
  }
}

function compareOperationExtensions(
  comparison: Comparison,
  spot: Spot,
  { extensions: before }: OperationIr,
  { extensions: after }: OperationIr,
): void {
  for (const [name, was, is] of differing(before, after)) {
    const at = into(spot, '', name)
    switch (name) {
      case 'x-access':
        compareAccess(comparison, at, was, is)
        break
      case 'x-stability':
        compareStability(comparison, at, was, is)
        break
      case 'x-versions':
        compareVersions(comparison, at, was, is)
        break
      case 'x-max-body-bytes':
        compareLimit(comparison, at, was, is)
        break
      default:
        compareExtensions(
          comparison,
          spot,
          { [name]: was },
          { [name]: is },
          'operation-extension-changed',
        )
    }
  }
}
