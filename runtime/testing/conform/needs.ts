// Which operations a run of a few has to call besides: those that make what the few ask for by
// name, and those that may show it.
import type { OperationFacts } from './facts.ts'
import { isSafe } from './fill.ts'
import { nounOf, segmentBefore } from './names.ts'
import type { Target } from './probe.ts'
import { drawValid } from './samples.ts'
import type { Session } from './session.ts'
import { askedKeys, slotsOf } from './slots.ts'

/** Requests in which the places that can be filled are looked for. */
const DRAWN = 5
/** Most operations of a large document that are called to see what exists. */
const MOST_SHOWING = 50

/**
 * Safe operations that a run of `only` calls to see what is there: those whose path names what the
 * chosen ones ask for, and the others; at most fifty.
 */
export function showing(session: Session): readonly (readonly Target[])[] {
  const wanted = wantedKeys(session, session.selected)
  if (wanted.size === 0) return []
  const others = session.targets.filter(
    ({ operation: { operationId, method } }) =>
      isSafe(method) && session.options.only?.has(operationId) === false,
  )
  const named = others.filter(({ operation }) => names(operation, wanted)).slice(0, MOST_SHOWING)
  const rest = others
    .filter(({ operation }) => !names(operation, wanted))
    .slice(0, MOST_SHOWING - named.length)
  return [named, rest].map((group) => group.filter((target) => session.isUsable(target)))
}

/** True once every name that the chosen operations ask for has a value. */
export function isAllKnown(session: Session): boolean {
  const { pool } = session.learner
  return [...wantedKeys(session, session.selected)].every(
    (key) => pool.pick(key, 0, false) !== undefined,
  )
}

/** The operations among `makers` that make what the chosen ones, or they themselves, ask for. */
export function neededMakers(session: Session, makers: readonly Target[]): ReadonlySet<Target> {
  const needed = new Set<Target>()
  let latest = session.selected
  const paths = new Set(latest.map(({ template }) => template))
  while (latest.length > 0) {
    const wanted = wantedKeys(session, latest)
    const ids = new Set(latest.map(({ operation }) => operation.operationId))
    latest = makers.filter(
      (maker) =>
        !needed.has(maker) &&
        (paths.has(maker.template) ||
          wanted.has(session.learner.identityOf(maker.operation) ?? '') ||
          leadsTo(maker, ids)),
    )
    for (const maker of latest) needed.add(maker)
  }
  return needed
}

function leadsTo({ operation: { responses } }: Target, ids: ReadonlySet<string>): boolean {
  return responses.some(({ links }) => links.some(({ target }) => ids.has(target)))
}

function names(operation: OperationFacts, wanted: ReadonlySet<string>): boolean {
  const last = segmentBefore(operation.path)
  return last !== undefined && wanted.has(nounOf(last))
}

/** Keys that each operation asks for, by run. */
const WANTED = new WeakMap<Session, Map<OperationFacts, ReadonlySet<string>>>()

/** Keys that the operations ask for, in their paths, queries, headers and bodies. */
function wantedKeys(session: Session, targets: readonly Target[]): ReadonlySet<string> {
  return new Set(targets.flatMap((target) => [...wantedBy(session, target)]))
}

function wantedBy(session: Session, target: Target): ReadonlySet<string> {
  const { operation } = target
  const known = WANTED.get(session) ?? new Map<OperationFacts, ReadonlySet<string>>()
  WANTED.set(session, known)
  const found =
    known.get(operation) ??
    new Set([
      ...askedKeys([operation]),
      ...drawValid(session, target, DRAWN, 'needs').flatMap((request) =>
        slotsOf(operation, request, session.learner.keys).map(({ key }) => key),
      ),
    ])
  known.set(operation, found)
  return found
}
