// A whole run: find what is there, live through what can be made, cover every operation, then ask
// at random, and tidy up.
import { cover, coverImpostors } from './coverage.ts'
import type { UnaskableOperation } from './facts.ts'
import { isSafe } from './fill.ts'
import { fuzz } from './fuzz.ts'
import { coverMethods } from './methods.ts'
import type { ConformOptions } from './options.ts'
import { tellingRequests, validRequests, withKnown } from './samples.ts'
import { Session } from './session.ts'
import type { Tally } from './session.ts'
import type { Target } from './probe.ts'
import { createAll, creators, live, tidy } from './stateful.ts'
import type { Violation } from './violation.ts'

/** What a run has found. */
export interface ConformReport {
  readonly seed: number
  readonly milliseconds: number
  readonly requests: number
  readonly operations: readonly OperationReport[]
  /** Operations that were left out, as no request or no answer could be as the document says. */
  readonly unaskable: readonly UnaskableReport[]
  readonly violations: readonly Violation[]
}

export interface UnaskableReport extends UnaskableOperation {
  readonly interface: string
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
  const byDepth = [...session.targets].sort((a, b) => parameterCount(a) - parameterCount(b))
  await inParallel(
    session,
    byDepth.filter((target) => isSafe(target.operation.method) && session.isUsable(target)),
    parallel,
    look,
  )
  await inParallel(session, firstOfPaths(session.selected), parallel, (target) =>
    coverMethods(session, target),
  )
  await inParallel(session, session.selected, parallel, (target) => coverImpostors(session, target))
  if (isReadOnly !== true) {
    const makers = [...creators(session)].sort((a, b) => parameterCount(a) - parameterCount(b))
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

function unaskableIn({ options: { interfaces, only, skip } }: Session): readonly UnaskableReport[] {
  return interfaces.flatMap((facts) =>
    facts.unaskable
      .filter(({ operationId }) => only?.has(operationId) !== false && !skip?.has(operationId))
      .map((one) => ({ ...one, interface: facts.name })),
  )
}
