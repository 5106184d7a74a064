// A whole run: find what is there, live through what can be made, cover every operation, then ask
// at random, and tidy up.
import { cover, coverImpostors } from './coverage.ts'
import { reasonAgainst } from './draws.ts'
import type { Unaskable } from './facts.ts'
import { isSafe } from './fill.ts'
import { fuzz } from './fuzz.ts'
import { coverMethods } from './methods.ts'
import { isAllKnown, neededMakers, showing } from './needs.ts'
import type { ConformOptions } from './options.ts'
import { tellingRequests, validRequests, withKnown } from './samples.ts'
import { Session } from './session.ts'
import type { Tally } from './session.ts'
import type { Target } from './probe.ts'
import { createAll, creators, live, tidy } from './stateful.ts'
import type { Violation } from './violation.ts'

/** Findings of a run. */
export interface ConformReport {
  readonly seed: number
  readonly milliseconds: number
  readonly requests: number
  readonly operations: readonly OperationReport[]
  /** Operations that were left out, as no request or no answer could be as the document says. */
  readonly unaskable: readonly UnaskableReport[]
  readonly violations: readonly Violation[]
}

export interface UnaskableReport extends Unaskable {
  readonly interface: string
  readonly operationId: string
  readonly method: string
  readonly path: string
}

export interface OperationReport extends Tally {
  readonly interface: string
  readonly operationId: string
  readonly method: string
  readonly path: string
}

const LIVES = 2

/**
 * Holds a server to its documents. Rejects with NoAnswerError where the server cannot be reached;
 * everything else that goes wrong there is a violation.
 *
 * @example const { violations } = await runConformance({ interfaces, tools, url: new
 *   URL('http://127.0.0.1:8080'), seed: 1 })
 */
export async function runConformance(options: ConformOptions): Promise<ConformReport> {
  const start = performance.now()
  const session = new Session(options)
  try {
    await session.send({ method: 'GET', target: options.url.pathname, headers: [] })
    await phases(session)
    return reportOf(session, performance.now() - start)
  } finally {
    session.close()
  }
}

async function phases(session: Session): Promise<void> {
  const { parallel = 8, runs = 100, isReadOnly } = session.options
  for (const group of showing(session)) {
    await inParallel(session, byDepth(group), parallel, async (target) => {
      if (!isAllKnown(session)) await look(target)
    })
  }
  const safe = session.targets.filter(
    ({ operation }) => isSafe(operation.method) && session.isChosen(operation),
  )
  await inParallel(session, byDepth(safe.filter((one) => session.isUsable(one))), parallel, look)
  await inParallel(session, firstOfPaths(session.selected), parallel, (target) =>
    coverMethods(session, target),
  )
  await inParallel(session, session.selected, parallel, (target) => coverImpostors(session, target))
  if (isReadOnly !== true) {
    const makers = byDepth(makersOf(session))
    for (const maker of makers) await createAll(session, maker)
    for (const maker of makers) {
      for (let round = 0; round < LIVES && !session.isOver; round += 1)
        await live(session, maker, round)
    }
  }
  await inParallel(session, session.selected, parallel, (target) => cover(session, target))
  await inParallel(session, session.selected, parallel, (target) => fuzz(session, target, runs))
  if (isReadOnly !== true) await tidy(session)

  async function look(target: Target): Promise<void> {
    for (const request of [
      ...withKnown(session, target, tellingRequests(session, target).slice(0, 1)),
      ...validRequests(session, target, 2, 'look'),
    ]) {
      const probe = await session.probe(target, request, { kind: 'valid' })
      if (probe !== undefined) await session.report(probe, { kind: 'valid' })
    }
  }
}

/** Operations that make things: all that can be asked, or what the operations of `only` need. */
function makersOf(session: Session): readonly Target[] {
  const all = creators(session)
  const needed = session.options.only === undefined ? all : [...neededMakers(session, all)]
  return needed.filter((maker) => session.isUsable(maker))
}

function byDepth(targets: readonly Target[]): readonly Target[] {
  return [...targets].sort((a, b) => parameterCount(a) - parameterCount(b))
}

function parameterCount({ template }: Target): number {
  return template.split('{').length
}

function firstOfPaths(targets: readonly Target[]): readonly Target[] {
  return [
    ...new Map([...targets].reverse().map((target) => [target.template, target])).values(),
  ].reverse()
}

/** Does the work for each target, so many at a time, until the session is over. */
async function inParallel(
  session: Session,
  targets: readonly Target[],
  parallel: number,
  work: (target: Target) => Promise<void>,
): Promise<void> {
  const left = targets[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true && !session.isOver; next = left.next())
      await work(next.value)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

function reportOf(session: Session, milliseconds: number): ConformReport {
  const operations = session.selected.map(({ facts, operation: { operationId, method, path } }) => {
    return { interface: facts.name, operationId, method, path, ...session.tally(operationId) }
  })
  const requests = [...session.tallies.values()].reduce((sum, tally) => sum + tally.requests, 0)
  return {
    seed: session.options.seed,
    milliseconds,
    requests,
    operations,
    unaskable: unaskableIn(session),
    violations: session.violations,
  }
}

function unaskableIn(session: Session): readonly UnaskableReport[] {
  return session.targets.flatMap(({ facts, operation }) => {
    const reason = session.isChosen(operation) ? reasonAgainst(operation) : undefined
    const { operationId, method, path } = operation
    return reason === undefined
      ? []
      : [{ interface: facts.name, operationId, method, path, reason }]
  })
}
