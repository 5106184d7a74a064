// The life of one thing: the operations on it, the requests about it, and what is said of answers.
import type { RequestCase, WireRequest } from './facts.ts'
import { isExample } from './example-answer.ts'
import type { Expectation } from './expectation.ts'
import { filled } from './fill.ts'
import type { Made } from './probe.ts'
import { drawValid, fillAll } from './samples.ts'
import type { Session } from './session.ts'
import type { Probe, Target } from './probe.ts'
import type { Complaint } from './violation.ts'

export const VALID: Expectation = { kind: 'valid' }

/** One thing under test, and the requests that it took so far. */
export interface Life {
  readonly session: Session
  readonly made: Made
  readonly purpose: string
  readonly trail: WireRequest[]
}

export function distinct(made: readonly Made[]): readonly Made[] {
  return [...new Map(made.map((one) => [`${one.template} ${one.value}`, one])).values()]
}

export function operationsOf(
  { session, made }: Life,
  ...methods: readonly string[]
): readonly Target[] {
  return session.targets.filter((target) => {
    return (
      target.template === made.template &&
      methods.includes(target.operation.method) &&
      session.isUsable(target)
    )
  })
}

/** Requests of an operation about the thing itself. */
export function requestsAbout(
  { session, made, purpose }: Life,
  target: Target,
  count: number,
): readonly RequestCase[] {
  const { operation } = target
  const pool = session.learner.pool
  return drawValid(session, target, count, purpose)
    .flatMap((request, index) => {
      const only = {
        keys: session.learner.keys,
        pool: pool.knowing(made.key, made.value),
        identityOf: () => undefined,
      }
      return (
        filled(
          only,
          operation,
          { ...request, path: { ...request.path, ...made.path } },
          fillAll(index),
        ) ?? []
      )
    })
    .map((request) => ({ ...request, path: { ...request.path, ...made.path } }))
}

/** Asks an operation about the thing, and notes what is wrong with the answer itself. */
export async function ask(
  life: Life,
  target: Target,
  request: RequestCase,
): Promise<Probe | undefined> {
  const probe = await life.session.probe(target, request, VALID)
  if (probe !== undefined) await life.session.report(probe, VALID, life.trail)
  return probe
}

/** An example knows of no state, so that nothing is said of it. */
export async function complain(
  life: Life,
  probe: Probe,
  check: Complaint['check'],
  sentence: string,
): Promise<void> {
  if (isExample(probe.answer)) return
  await life.session.reportOne(
    probe,
    { check, sentence, status: probe.answer?.status ?? 0 },
    { before: life.trail },
  )
}

/** Something has changed by it; by an example nothing has. */
export function isDone(probe: Probe | undefined): probe is Probe {
  const status = probe?.answer?.status ?? 0
  if (isExample(probe?.answer)) return false
  return status >= 200 && status < 300 && status !== 202
}

export function below({ session, made }: Life, method: string): readonly Target[] {
  return session.targets.filter((target) => {
    return (
      target.template.startsWith(`${made.template}/`) &&
      target.operation.method === method &&
      session.isUsable(target)
    )
  })
}
