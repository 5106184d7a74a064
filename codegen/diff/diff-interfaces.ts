// Two documents in, every change between them out. Pure: nothing is read, written or printed here.
import type { OperationIr } from '../ir.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { pointerOf } from '../load/source.ts'
import type { Path } from '../load/source.ts'
import { compareText, given, isFields } from '../values.ts'
import { worse } from './level.ts'
import { worstFirst } from './change.ts'
import type { Change, Way } from './change.ts'
import { note } from './comparison.ts'
import type { Comparison, Link, Note, Notes, Spot } from './comparison.ts'
import { compareDocuments } from './document.ts'
import { compareLeftOut } from './left-out.ts'
import { compareOperations, matchOperations, spotOf } from './operations.ts'
import type { OperationMatches } from './operations.ts'
import { documentPath } from './places.ts'
import { reachOf } from './reach.ts'
import type { Reach } from './reach.ts'
import { RULES, levelsOf } from './rules.ts'
import { compareSchemas } from './schema.ts'
import { compareAllSchemas, noteNames, pairKey, renamedSchemas } from './schemas.ts'
import { sentence } from './sentence.ts'

const WAYS: readonly Way[] = ['none', 'request', 'response', 'both']

interface OperationNotes extends Notes {
  readonly operationId: string
}

/**
 * Every change between two loaded documents, the worst first, then in the order of pointers.
 * Documents that say the same give none. Both must have been loaded without errors.
 */
export function diffInterfaces(before: LoadedInterface, after: LoadedInterface): readonly Change[] {
  const shared = {
    before: before.ir,
    after: after.ir,
    renamed: renamedSchemas(before.ir, after.ir),
    compare: compareSchemas,
  }
  const whole: Notes = { notes: [], links: [] }
  compareDocuments({ ...shared, to: whole })
  const leftOut: Notes = { notes: [], links: [] }
  compareLeftOut(before.document, after.document, (path) =>
    spotOfPath({ ...shared, to: leftOut }, path),
  )
  const matches = matchOperations(before.ir.operations, after.ir.operations)
  const operations = operationNotes(shared, matches)
  const pairs = compareAllSchemas(
    shared,
    operations.flatMap(({ links }) => links),
  )
  const names: Notes = { notes: [], links: [] }
  noteNames(
    { ...shared, to: names },
    matches.pairs.map(([old]) => old),
  )
  const reached = reachOf(pairs, operations)
  const make = (one: Note, place: string, uses?: readonly Reach[]): Change =>
    changeOf(before, after, one, place, uses)
  const changes = [
    ...whole.notes.map((one) => make(one, '')),
    ...leftOut.notes.map((one) => make(one, one.spot.subject)),
    ...operations.flatMap(({ operationId, notes }) =>
      notes.map((one) => make(one, operationId, [{ operationId, ways: one.spot.ways }])),
    ),
    ...[...pairs.values()].flatMap((pair) =>
      pair.notes.map((one) => make(one, pair.new, reached.get(pairKey(pair)) ?? [])),
    ),
    ...names.notes.map((one) => make(one, one.spot.subject)),
  ]
  return changes.sort(worstFirst)
}

/** The spot that a path of a resolved document belongs to. */
function spotOfPath(comparison: Comparison, path: Path): Spot {
  const { operations, title } = comparison.after
  const [root, first, second] = path
  const operation = operations.find(
    (one) => root === 'paths' && one.path === first && one.method.toLowerCase() === second,
  )
  const subject =
    operation?.operationId ?? (root === 'paths' ? first : root === 'components' ? path[2] : title)
  return { in: comparison, old: path, new: path, subject: subject ?? title, ways: 0 }
}

function operationNotes(
  shared: Omit<Comparison, 'to'>,
  { pairs, gone, fresh }: OperationMatches,
): readonly OperationNotes[] {
  const all: OperationNotes[] = []
  const start = (operationId: string): Comparison => {
    const to: OperationNotes & { readonly links: Link[] } = { operationId, notes: [], links: [] }
    all.push(to)
    return { ...shared, to }
  }
  for (const [old, now] of pairs)
    compareOperations(spotOf(start(now.operationId), old, now), old, now)
  for (const old of gone) {
    const rule = isDeprecated(old) ? 'deprecated-operation-removed' : 'operation-removed'
    note(spotOf(start(old.operationId), old, old), rule, { before: routeOf(old), only: 'old' })
  }
  for (const now of fresh)
    note(spotOf(start(now.operationId), now, now), 'operation-added', {
      after: routeOf(now),
      only: 'new',
    })
  return all
}

function routeOf({ method, path }: OperationIr): string {
  return `${method} ${path}`
}

function isDeprecated({ deprecated, extensions }: OperationIr): boolean {
  const versions = extensions['x-versions']
  return (
    deprecated ||
    extensions['x-stability'] === 'deprecated' ||
    (isFields(versions) && versions['deprecated'] !== undefined)
  )
}

/**
 * `uses`: operations that the part belongs to, with the ways that its values travel there; absent
 * where none is concerned.
 */
function changeOf(
  before: LoadedInterface,
  after: LoadedInterface,
  one: Note,
  place: string,
  uses: readonly Reach[] = [],
): Change {
  const operations = uses
    .map((use) => ({ operationId: use.operationId, ways: use.ways & one.spot.ways }))
    .filter(({ ways }) => ways > 0 || one.spot.ways === 0)
    .sort((a, b) => compareText(a.operationId, b.operationId))
  const ways = operations.reduce((sum, use) => sum | use.ways, 0)
  const [callers, implementers] = levelsOf(one.rule, ways)
  const oldPath = documentPath(before, [...one.spot.old, ...(one.keys ?? [])])
  const newPath = documentPath(after, [...one.spot.new, ...(one.keys ?? [])])
  return {
    rule: one.rule,
    level: worse(callers, implementers),
    callers,
    implementers,
    place,
    pointer: pointerOf(one.only === 'old' ? oldPath : newPath),
    at: one.only === 'old' ? before.locate(oldPath) : after.locate(newPath),
    ...(one.only === 'new' ? {} : { was: before.locate(oldPath) }),
    in: WAYS[ways] ?? 'none',
    operations: operations.map((use) => ({
      operationId: use.operationId,
      in: WAYS[use.ways] ?? 'none',
    })),
    ...given({ before: one.before, after: one.after }),
    message: sentence(RULES[one.rule].says, { ...one, subject: one.spot.subject }),
  }
}
