// An error as a log line has it: of bounded length, and its cause once. Drivers wrap errors in
// errors, and where a database is gone everything fails with the same one.
import { member } from '../host/member.ts'
import { messageOf } from '../host/problem.ts'
import { COMMIT_REJECTED, STORE_UNAVAILABLE } from '../store/rules.ts'

export interface LoggedError {
  readonly type: string
  /** Messages from the error to its cause, each once; of several errors, the different ones. */
  readonly message: string
  readonly code?: string
  /** Stack of the innermost cause; absent if data could not be reached, which is nobody's fault. */
  readonly stack?: string
}

const MAX_MESSAGE = 1_000
const MAX_FRAMES = 12
const MAX_FRAME = 200
/** Errors within errors, and of several errors the different ones that are told. */
const MAX_CAUSES = 5

/** The parts of a thrown value that the log gets. */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: shortened(messageOf(error)) }
  const message = shortened(messagesOf(error).join(': '))
  const code = member(error, 'code')
  const type = error.name
  return {
    type,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(isOutage(error) ? {} : { stack: [`${type}: ${message}`, ...framesOf(error)].join('\n') }),
  }
}

/** Messages of the error and its causes, without what an outer message repeats. */
function messagesOf(error: Error): readonly string[] {
  const told: string[] = []
  for (const one of chainOf(error)) {
    const messages = ownMessages(one)
    const isTold = messages.some((message) => told.some((outer) => outer.includes(message)))
    if (!isTold) told.push(messages.join(', '))
    if (isWordless(one)) break
  }
  return told
}

function ownMessages(error: Error): readonly string[] {
  if (!isWordless(error)) return [messageOf(error)]
  return [...new Set(error.errors.map(messageOf))].slice(0, MAX_CAUSES)
}

/** It stands for several errors, and says nothing of its own. */
function isWordless(error: Error): error is AggregateError {
  return error instanceof AggregateError && error.message === ''
}

/** Errors from the outermost inwards; of several errors the first continues. */
function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  let next = error
  while (next instanceof Error && chain.length < MAX_CAUSES && !chain.includes(next)) {
    chain.push(next)
    next = next instanceof AggregateError ? next.errors[0] : next.cause
  }
  return chain
}

function isOutage(error: Error): boolean {
  return chainOf(error).some((one) => {
    const code = member(one, 'code')
    return code === STORE_UNAVAILABLE || code === COMMIT_REJECTED
  })
}

function framesOf(error: Error): readonly string[] {
  const stack = chainOf(error).at(-1)?.stack ?? ''
  return stack
    .split('\n')
    .filter((line) => /^\s+at /u.test(line))
    .slice(0, MAX_FRAMES)
    .map((line) => line.slice(0, MAX_FRAME))
}

function shortened(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text
}
