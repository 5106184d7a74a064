// One request for each thing that an operation can be asked wrongly, and its document's examples:
// what chance might miss.
import type { Expectation } from './expectation.ts'
import type { Flaw, FlawedCase, Issue, MediaFact, RequestCase } from './facts.ts'
import { demandsAuthority } from './authority.ts'
import type { Impostor } from './authority.ts'
import { filled } from './fill.ts'
import { fillAll, tellingFlaws, tellingRequests, validRequests, withKnown } from './samples.ts'
import type { Session } from './session.ts'
import type { Target } from './probe.ts'

const IMPOSTORS: readonly Impostor[] = [
  'nothing',
  'a wrong token',
  'the wrong scheme',
  'a token with another end',
  'a token with another beginning',
  'half a token',
]

/**
 * Examples, what differs in every way, every kind of flaw, what is required left out, wrong media
 * types.
 */
export async function cover(session: Session, target: Target): Promise<void> {
  await coverExamples(session, target)
  for (const drawn of tellingRequests(session, target)) {
    const [request] = session.isOver ? [] : withKnown(session, target, [drawn])
    if (request !== undefined) await ask(session, target, request, { kind: 'valid' })
  }
  for (const flawed of [
    ...leftOut(session, target),
    ...wrongBodies(session, target),
    ...eachFlaw(session, target),
  ]) {
    if (session.isOver) return
    await ask(session, target, flawed, { kind: 'flawed', flaw: flawed.flaw })
  }
}

async function ask(
  session: Session,
  target: Target,
  request: RequestCase,
  expectation: Expectation,
): Promise<void> {
  const probe = await session.probe(target, request, expectation)
  if (probe !== undefined) await session.report(probe, expectation)
}

async function coverExamples(session: Session, target: Target): Promise<void> {
  const [request] = validRequests(session, target, 1, 'examples')
  const media = target.operation.body?.media ?? []
  if (request === undefined) return
  for (const { mediaType, examples, check } of media) {
    for (const value of examples.filter((example) => fits(example, check)))
      await ask(session, target, { ...request, body: { mediaType, value } }, { kind: 'valid' })
  }
}

/** Documents have wrong examples: of forms nothing else notices them before they are sent. */
function fits(example: unknown, check: MediaFact['check']): boolean {
  const issues: Issue[] = []
  check?.(example, issues)
  return issues.length === 0
}

/** Callers who show nothing, or the wrong thing. */
export async function coverImpostors(session: Session, target: Target): Promise<void> {
  if (!demandsAuthority(target.operation)) return
  for (const impostor of IMPOSTORS) {
    const [request] = validRequests(session, target, 1, impostor)
    if (request !== undefined && !session.isOver)
      await ask(session, target, request, { kind: 'impostor', impostor })
  }
}

/**
 * Each parameter that is required, left out; each from a request of its own, since the first one
 * may change things.
 */
function leftOut(session: Session, target: Target): readonly FlawedCase[] {
  const required = target.operation.parameters.filter(
    (parameter) => parameter.required && parameter.in !== 'path',
  )
  return required.flatMap(({ in: place, name }) =>
    validRequests(session, target, 3, `without ${name}`).map((request): FlawedCase => {
      const group = place === 'header' ? 'headers' : place === 'cookie' ? 'cookies' : 'query'
      const kept = Object.fromEntries(
        Object.entries(request[group]).filter(([key]) => key !== name),
      )
      return { ...request, [group]: kept, flaw: { place, pointer: `/${name}`, rule: 'required' } }
    }),
  )
}

/** Bodies that are hardly ever right; where one is, it is not sent. */
const PLAIN_VALUES: readonly unknown[] = [{}, [], null, 'text', 0, true]

/** A body left out, of a media type that is not declared, and broken JSON. */
function wrongBodies(session: Session, target: Target): readonly FlawedCase[] {
  const { body } = target.operation
  const requests = validRequests(session, target, 6, 'bodies').filter(
    (one) => one.body !== undefined,
  )
  const [request, second, third] = requests
  if (body === undefined || request === undefined) return []
  const flaw = (rule: string): Flaw => ({ place: 'body', pointer: '', rule })
  const { body: _left, ...without } = request
  // What is not JSON breaks nothing of a body of another media type.
  const json = body.media.find(({ kind }) => kind === 'json')
  const isJson = (one: RequestCase): boolean => one.body?.mediaType === json?.mediaType
  const text = session.options.tools.stringify(requests.findLast(isJson)?.body?.value ?? {})
  const isOpen =
    target.facts.ignoresMediaTypes || body.media.some(({ mediaType }) => mediaType.includes('*'))
  return [
    ...(body.required ? [{ ...without, flaw: flaw('required') }] : []),
    ...(json !== undefined && !isOpen
      ? [
          {
            ...(second ?? request),
            body: { mediaType: 'application/x-undeclared', value: undefined, raw: text },
            flaw: flaw('media type'),
          },
        ]
      : []),
    ...(json !== undefined
      ? PLAIN_VALUES.map((value) => ({
          ...request,
          body: { mediaType: json.mediaType, value },
          flaw: flaw('shape'),
        }))
      : []),
    ...(json !== undefined
      ? [
          {
            ...(third ?? request),
            body: { mediaType: json.mediaType, value: undefined, raw: unfinished(text) },
            flaw: flaw('syntax'),
          },
        ]
      : []),
  ]
}

/** JSON that breaks off: a number without its last digit would be a number still. */
function unfinished(text: string): string {
  return /[\d.]$/u.test(text) ? `${text},` : text.slice(0, -1)
}

/** Requests for each constraint that can be broken. */
function eachFlaw(session: Session, target: Target): readonly FlawedCase[] {
  return tellingFlaws(session, target).flatMap((one, index) => {
    const request = filled(session.learner, target.operation, one, fillAll(index), one.flaw)
    return request === undefined ? [] : [{ ...request, flaw: one.flaw }]
  })
}
