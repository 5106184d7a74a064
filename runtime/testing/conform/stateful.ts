// Lives of things: create, read, update, read, delete, read. What was made must be there until it
// is deleted, and then no more. Runs one life at a time: whoever deletes an author may take books
// along that another life counts on.
import type { RequestCase } from './facts.ts'
import { isExample } from './example-answer.ts'
import { lastParameter } from './learner.ts'
import type { Made } from './probe.ts'
import { linkedRequest } from './links.ts'
import { drawValid, tellingRequests, validRequests, withKnown } from './samples.ts'
import type { Session } from './session.ts'
import type { Probe, Target } from './probe.ts'
import { valuesIn } from './slots.ts'
import {
  VALID,
  distinct,
  operationsOf,
  requestsAbout,
  ask,
  complain,
  isDone,
  below,
} from './life.ts'
import type { Life } from './life.ts'
const CREATE_ATTEMPTS = 10
const UPDATE_ATTEMPTS = 4
const GONE: ReadonlySet<number> = new Set([404, 410])

/** Operations that make things which can be asked for. */
export function creators(session: Session): readonly Target[] {
  return session.targets.filter((target) => {
    const { method } = target.operation
    if (method !== 'POST' && method !== 'PUT') return false
    return (
      session.learner.identityOf(target.operation) !== undefined ||
      target.operation.responses.some(({ links }) => links.length > 0)
    )
  })
}

/** Makes up to `count` things, and answers the requests that did. */
async function create(
  session: Session,
  creator: Target,
  count: number,
  purpose: string,
): Promise<readonly Probe[]> {
  const done: Probe[] = []
  for (const drawn of drawValid(session, creator, CREATE_ATTEMPTS, purpose)) {
    if (done.length === count || session.isOver) break
    const probe = await make(session, creator, drawn)
    if (probe !== undefined && probe.made.length > 0) done.push(probe)
  }
  return done
}

/**
 * Makes things that differ in all that things may differ in, and looks whether each is there. They
 * stay.
 */
export async function createAll(session: Session, creator: Target): Promise<void> {
  for (const drawn of tellingRequests(session, creator)) {
    if (session.isOver) return
    const probe = await make(session, creator, drawn)
    for (const made of distinct(probe?.made ?? [])) {
      const life: Life = {
        session,
        made,
        purpose: 'kept',
        trail: probe === undefined ? [] : [probe.wire],
      }
      await read(life, 'was created')
    }
  }
}

async function make(
  session: Session,
  creator: Target,
  drawn: RequestCase,
): Promise<Probe | undefined> {
  const [request] = withKnown(session, creator, [drawn])
  const probe = request === undefined ? undefined : await session.probe(creator, request, VALID)
  if (probe === undefined) return undefined
  await session.report(probe, VALID)
  for (const made of probe.made)
    await checkIdentity({ session, made, purpose: '', trail: [] }, probe)
  await follow(session, probe)
  return probe
}

/** Lives through a thing that `creator` makes. */
export async function live(session: Session, creator: Target, round: number): Promise<void> {
  const purpose = `${creator.operation.operationId} life ${round}`
  for (const probe of await create(session, creator, 1, purpose)) {
    for (const made of distinct(probe.made)) {
      const life: Life = { session, made, purpose, trail: [probe.wire] }
      await read(life, 'was created')
      await update(life)
      await visit(life)
      await end(life)
    }
  }
}

/** Asks what the links of an answer lead to. */
async function follow(session: Session, probe: Probe): Promise<void> {
  for (const target of session.targets.filter((one) => one.operation.method === 'GET')) {
    const linked = linkedRequest(probe, target)
    if (linked === undefined || !session.isUsable(target)) continue
    const [request] = validRequests(session, target, 1, 'link')
    if (request === undefined) continue
    const answer = await session.probe(
      target,
      {
        ...request,
        path: { ...request.path, ...linked.path },
        query: { ...request.query, ...linked.query },
        headers: { ...request.headers, ...linked.headers },
      },
      VALID,
    )
    if (answer === undefined) continue
    await session.report(answer, VALID, [probe.wire])
    const status = answer.answer?.status ?? 0
    if (
      GONE.has(status) &&
      target.template.endsWith('}') &&
      probe.answer?.status === 201 &&
      !isExample(probe.answer)
    ) {
      await session.reportOne(
        answer,
        {
          check: 'created-is-there',
          sentence: `the target of a link does not exist: the answer is ${status}`,
          status,
        },
        { before: [probe.wire] },
      )
    }
  }
}

/** Reads a made thing, which must exist under its own name. */
async function read(life: Life, what: string): Promise<void> {
  for (const target of operationsOf(life, 'GET')) {
    const [request] = requestsAbout(life, target, 1)
    const probe = request === undefined ? undefined : await ask(life, target, request)
    const status = probe?.answer?.status ?? 0
    if (probe === undefined) continue
    if (GONE.has(status))
      await complain(
        life,
        probe,
        'created-is-there',
        `a resource that ${what} does not exist: the answer is ${status}`,
      )
    else if (status < 300) await checkIdentity(life, probe)
  }
}

async function checkIdentity(life: Life, probe: Probe): Promise<void> {
  const { made, session } = life
  const shown = valuesIn(probe.target.operation, probe.value, session.learner.keys)
  const found = shown.filter(({ key, isListed }) => key === made.key && !isListed)
  if (found.length === 0 || found.some(({ value }) => String(value) === String(made.value))) return
  await complain(
    life,
    probe,
    'created-is-there',
    `another one came for ${made.value}: ${found[0]?.value}`,
  )
}

async function update(life: Life): Promise<void> {
  for (const target of operationsOf(life, 'PUT', 'PATCH')) {
    for (const request of requestsAbout(life, target, UPDATE_ATTEMPTS)) {
      if (life.session.isOver) return
      const probe = await ask(life, target, request)
      if (!isDone(probe)) continue
      life.trail.push(probe.wire)
      await read(life, 'was updated')
      break
    }
  }
}

/** Visits everything below the thing: parts are put there, and all is read. */
async function visit(life: Life): Promise<void> {
  for (const target of below(life, 'PUT')) {
    for (const request of requestsAbout(life, target, UPDATE_ATTEMPTS)) {
      const probe = await ask(life, target, request)
      if (!isDone(probe)) continue
      life.trail.push(probe.wire)
      break
    }
  }
  for (const target of below(life, 'GET')) {
    const [request] = requestsAbout(life, target, 1)
    if (request !== undefined) await ask(life, target, request)
  }
}

async function end(life: Life): Promise<void> {
  const list = listOf(life)
  const isShown = list !== undefined && (await shows(life, list))
  for (const target of operationsOf(life, 'DELETE')) {
    const [request] = requestsAbout(life, target, 1)
    const probe = request === undefined ? undefined : await ask(life, target, request)
    if (!isDone(probe)) continue
    life.trail.push(probe.wire)
    await checkGone(life)
    if (isShown && list !== undefined) await checkNotShown(life, list)
    return
  }
}

/**
 * Reading must find nothing; whatever else answers an unknown name with 404 must not know this one
 * any more either.
 */
async function checkGone(life: Life): Promise<void> {
  // What has no name of its own may be put again.
  const others = life.made.template.endsWith('}')
    ? [...operationsOf(life, 'PATCH', 'PUT', 'DELETE'), ...below(life, 'GET')]
    : []
  for (const target of [...operationsOf(life, 'GET'), ...others]) {
    const [request] = requestsAbout(life, target, 1)
    if (request === undefined || life.session.isOver) continue
    if (others.includes(target) && !(await refusesUnknown(life, target))) continue
    const probe = await ask(life, target, request)
    const status = probe?.answer?.status ?? 0
    if (probe === undefined || status < 200 || status >= 400) continue
    await complain(
      life,
      probe,
      'use-after-delete',
      `it was deleted, yet ${target.operation.method} answers ${status}`,
    )
  }
}

/** True where a name that nothing has is answered with 404 or 410. */
async function refusesUnknown({ session, made, purpose }: Life, target: Target): Promise<boolean> {
  const name = lastParameter({ ...target, operation: operationAt(session, made) })
  const unknown = drawValid(session, target, 8, `${purpose} unknown`).find((request) => {
    const value = request.path[name ?? '']
    return (
      String(value) !== String(made.value) && !session.learner.pool.isKnown(made.key, String(value))
    )
  })
  const probe =
    unknown === undefined
      ? undefined
      : await session.probe(
          target,
          { ...unknown, path: { ...made.path, [name ?? '']: unknown.path[name ?? ''] } },
          { kind: 'any' },
        )
  return GONE.has(probe?.answer?.status ?? 0)
}

function operationAt(session: Session, { template }: Made): Target['operation'] {
  const found = session.targets.find((target) => target.template === template)
  if (found === undefined) throw new Error(`no operation at ${template}`)
  return found.operation
}

/** The operation that lists what the thing is one of. */
function listOf({ session, made }: Life): Target | undefined {
  const template = made.template.replace(/\/\{[^{}/]+\}$/u, '')
  return session.targets.find(
    (target) =>
      target.template === template && target.operation.method === 'GET' && session.isUsable(target),
  )
}

async function shows(life: Life, list: Target): Promise<boolean> {
  const probe = await readList(life, list)
  return probe !== undefined && !isExample(probe.answer) && isIn(life, probe)
}

async function checkNotShown(life: Life, list: Target): Promise<void> {
  const probe = await readList(life, list)
  if (probe === undefined || !isIn(life, probe)) return
  await complain(
    life,
    probe,
    'use-after-delete',
    `the list still shows ${life.made.value}, which was deleted`,
  )
}

/** Reads a list without optional parameters: filters would hide the thing. */
async function readList(life: Life, list: Target): Promise<Probe | undefined> {
  const [request] = requestsAbout(life, list, 1)
  if (request === undefined) return undefined
  const required = new Set(
    list.operation.parameters.filter((parameter) => parameter.required).map(({ name }) => name),
  )
  const kept = Object.fromEntries(
    Object.entries(request.query).filter(([name]) => required.has(name)),
  )
  return ask(life, list, { ...request, query: kept })
}

function isIn({ session, made }: Life, probe: Probe): boolean {
  const found = valuesIn(probe.target.operation, probe.value, session.learner.keys)
  return found.some(({ key, value }) => key === made.key && String(value) === String(made.value))
}

/** Deletes what this run has made and left, where there is an operation for it. */
export async function tidy(session: Session): Promise<void> {
  for (const made of session.learner.remaining) {
    const life: Life = { session, made, purpose: 'tidy', trail: [] }
    for (const target of operationsOf(life, 'DELETE')) {
      const [request] = requestsAbout(life, target, 1)
      if (request !== undefined) await session.probe(target, request, { kind: 'any' })
    }
  }
}
