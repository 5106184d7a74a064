// Requests at random, admitted and flawed ones; what goes wrong is made smaller by fast-check
// before it is noted.
import fc from 'fast-check'
import type { Arbitrary } from 'fast-check'
import { drawsOf } from './draws.ts'
import type { Expectation } from './expectation.ts'
import type { Flaw, RequestCase } from './facts.ts'
import { CHOICES, MAX_CHOICE, filled } from './fill.ts'
import { seedOf } from './samples.ts'
import type { Session } from './session.ts'
import type { Probe, Target } from './probe.ts'
import type { Complaint } from './violation.ts'

type Drawn = RequestCase & { readonly flaw?: Flaw }

interface Failure {
  readonly probe: Probe
  readonly complaint: Complaint
  readonly expectation: Expectation
}

/** Different things that one operation may do wrong in one kind of request. */
const MAX_FAILURES = 8
/** Requests that making a failure smaller may cost. */
const SHRINK_REQUESTS = 150
const SHRINK_MS = 3_000

/** Sends `runs` requests of each kind. */
export async function fuzz(session: Session, target: Target, runs: number): Promise<void> {
  const { operationId } = target.operation
  const draws = drawsOf(target.operation)
  if (draws === undefined) return
  const { valid, flawed } = draws
  await search(session, target, valid, runs, seedOf(session.options.seed, `${operationId} valid`))
  if (flawed !== undefined)
    await search(
      session,
      target,
      flawed,
      runs,
      seedOf(session.options.seed, `${operationId} flawed`),
    )
}

async function search(
  session: Session,
  target: Target,
  arbitrary: Arbitrary<Drawn>,
  runs: number,
  seed: number,
): Promise<void> {
  let left = runs
  for (let round = 0; round < MAX_FAILURES && left > 0 && !session.isOver; round += 1) {
    const { sent, failure } = await firstFailure(session, target, arbitrary, left, seed + round)
    if (failure === undefined) return
    await session.reportOne(failure.probe, failure.complaint, { expectation: failure.expectation })
    left -= sent
  }
}

/** The first failure that is not known yet, as small as it gets. */
async function firstFailure(
  session: Session,
  target: Target,
  arbitrary: Arbitrary<Drawn>,
  runs: number,
  seed: number,
): Promise<{ readonly sent: number; readonly failure: Failure | undefined }> {
  const choices = fc.array(fc.nat(MAX_CHOICE), { minLength: CHOICES, maxLength: CHOICES })
  let failure: Failure | undefined
  let sent = 0
  let left = SHRINK_REQUESTS
  let until = Number.POSITIVE_INFINITY
  const holds = async (drawn: Drawn, chosen: readonly number[]): Promise<boolean> => {
    if (session.isOver || left <= 0 || performance.now() > until) return true
    if (failure === undefined) sent += 1
    else left -= 1
    const found = await attempt(session, target, drawn, chosen, failure?.complaint)
    if (failure === undefined && found !== undefined) until = performance.now() + SHRINK_MS
    failure = found ?? failure
    return found === undefined
  }
  await fc.check(fc.asyncProperty(arbitrary, choices, holds), { seed, numRuns: runs })
  return { sent, failure }
}

/**
 * Sends one request; answers what is wrong, or, while a failure is made smaller, whether the same
 * is wrong.
 */
async function attempt(
  session: Session,
  target: Target,
  drawn: Drawn,
  chosen: readonly number[],
  wanted: Complaint | undefined,
): Promise<Failure | undefined> {
  const { flaw } = drawn
  const request = filled(session.learner, target.operation, drawn, chosen, flaw)
  if (request === undefined) return undefined
  const expectation: Expectation = flaw === undefined ? { kind: 'valid' } : { kind: 'flawed', flaw }
  const probe = await session.probe(target, request, expectation)
  const complaint = probe?.complaints.find((one) => {
    return wanted === undefined
      ? !session.isKnown(target, one)
      : one.check === wanted.check && one.status === wanted.status
  })
  return probe === undefined || complaint === undefined
    ? undefined
    : { probe, complaint, expectation }
}
