// Methods that a path does not have: 405, and an Allow header that names exactly those that it has.
// RFC 9110 §15.5.6, §10.2.1
import type { WireRequest } from './facts.ts'
import { templatePattern } from './learner.ts'
import { validRequests } from './samples.ts'
import { NoAnswerError } from './sender.ts'
import type { Answer } from './sender.ts'
import type { Session } from './session.ts'
import type { Target } from './probe.ts'
import type { Complaint } from './violation.ts'

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']
/** Methods that servers answer by themselves. */
const TOLERATED = ['HEAD', 'OPTIONS']

/** Asks a target's path with every method that no document of the run has for it. */
export async function coverMethods(session: Session, target: Target): Promise<void> {
  const own = methodsOf(session, (template) => template === target.template)
  for (const method of METHODS) {
    if (
      session.isOver ||
      own.has(method) ||
      (session.options.isReadOnly === true && method !== 'GET')
    )
      continue
    const wire = await wireFor(session, target, method)
    if (wire === undefined || methodsAt(session, wire).has(method)) continue
    const answer = await session.send(wire)
    session.tally(target.operation.operationId).requests += 1
    for (const complaint of complaintsOf(answer, method, own, methodsAt(session, wire))) {
      await session.reportOne(probeOf(target, wire, answer), complaint)
    }
  }
}

/** The path of a request that this run may make with the method, without parameters and body. */
async function wireFor(
  session: Session,
  target: Target,
  method: string,
): Promise<WireRequest | undefined> {
  const { body: _body, parameters, ...own } = target.operation
  const bare = {
    ...target,
    operation: { ...own, method, parameters: parameters.filter((one) => one.in === 'path') },
  }
  const [request] = validRequests(session, bare, 1, method)
  return request === undefined
    ? undefined
    : session.encode(bare, { path: request.path, query: {}, headers: {}, cookies: {} })
}

function complaintsOf(
  answer: Answer | NoAnswerError,
  method: string,
  own: ReadonlySet<string>,
  here: ReadonlySet<string>,
): readonly Complaint[] {
  if (answer instanceof NoAnswerError)
    return [{ check: 'not-a-server-error', sentence: answer.message, status: 0 }]
  const { status } = answer
  if (status !== 405) {
    return [
      {
        check: 'unsupported-method',
        sentence: `${method} is not declared here, yet the answer is ${status} and not 405`,
        status,
      },
    ]
  }
  const text = answer.headers.get('allow')
  if (text === undefined)
    return [{ check: 'allow-header', sentence: 'a 405 came without the Allow header', status }]
  const allowed = new Set(
    text
      .split(',')
      .map((name) => name.trim().toUpperCase())
      .filter((name) => name !== ''),
  )
  const missing = [...own].filter((name) => !allowed.has(name))
  const extra = [...allowed].filter((name) => !here.has(name) && !TOLERATED.includes(name))
  if (missing.length + extra.length === 0) return []
  const said = [
    ...(missing.length === 0 ? [] : [`lacks ${missing.join(', ')}`]),
    ...(extra.length === 0 ? [] : [`names ${extra.join(', ')}, which is not declared`]),
  ]
  return [{ check: 'allow-header', sentence: `Allow: ${text} ${said.join(' and ')}`, status }]
}

function methodsOf(session: Session, isMeant: (template: string) => boolean): ReadonlySet<string> {
  return new Set(
    session.declared.filter(({ template }) => isMeant(template)).map(({ method }) => method),
  )
}

/**
 * All methods of the templates that a concrete path belongs to: `/books/new` may be a book, too.
 */
function methodsAt(session: Session, { target }: WireRequest): ReadonlySet<string> {
  const [path = ''] = target.split('?')
  return methodsOf(session, (template) => templatePattern(template).test(path))
}

function probeOf(target: Target, wire: WireRequest, answer: Answer | NoAnswerError) {
  const given = answer instanceof NoAnswerError ? undefined : answer
  const request = { path: {}, query: {}, headers: {}, cookies: {} }
  return { target, request, wire, answer: given, value: undefined, complaints: [], made: [] }
}
