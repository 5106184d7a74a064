// What can go wrong before or around a handler, as values. A presenter per interface turns each
// into the documented body.
import type { ForeignHeader } from '../host/own-hosts.ts'
import type { Book, Full } from '../work/book.ts'
import type { Kind } from '../work/limits.ts'
import type { CheckPhase, Issue, WireOperation } from './wire.ts'

/**
 * A request that ends without its handler's answer. `reason` goes to the log only, never to the
 * caller.
 */
export type Problem =
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'unknown-method'; readonly allow: readonly string[] }
  | { readonly kind: 'invalid'; readonly phase: CheckPhase; readonly issues: readonly Issue[] }
  | { readonly kind: 'media-type'; readonly got: string; readonly accepted: readonly string[] }
  | { readonly kind: 'body-too-large'; readonly limitBytes: number }
  /** `hasToken`: one was given, and nobody knows it. */
  | {
      readonly kind: 'unauthenticated'
      readonly reason: string
      readonly hasToken?: boolean
      /** Challenges of `WWW-Authenticate`; that of a bearer token if absent. */
      readonly challenges?: readonly string[] | undefined
    }
  | { readonly kind: 'forbidden'; readonly reason: string }
  /** `header` names another server, or a page that is not of this one. */
  | { readonly kind: 'foreign'; readonly header: ForeignHeader; readonly reason: string }
  /**
   * The token named somebody who may not come in; `detail` is the guard's own value for its
   * presenter.
   */
  | {
      readonly kind: 'token-refused'
      readonly reason: string
      readonly detail?: unknown
      readonly challenges?: readonly string[] | undefined
    }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** The client took too long to send its body: its fault, not the service's. */
  | { readonly kind: 'slow-body'; readonly limitMs: number }
  | { readonly kind: 'unavailable'; readonly reason: string }
  /** There is no room to write; reads go on. */
  | { readonly kind: 'storage-full'; readonly reason: string }
  /** Needs data that a newer program wrote; unlike elsewhere, `reason` is for the caller. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** All callers together, or this one, hold as much as they may. */
  | { readonly kind: 'full' | 'caller-full'; readonly what: Kind; readonly limit: number }
  /** The caller has had as much as it may for now; `text` says whose quota it is and of what. */
  | { readonly kind: 'over-quota'; readonly text: string; readonly retrySeconds: number }
  /** The token or the right that a stream was opened with is gone. */
  | { readonly kind: 'stream-ended'; readonly cause: 'token' | 'rights'; readonly reason: string }
  /** The operation has a handler that only says that nobody has written it yet. */
  | { readonly kind: 'not-written'; readonly reason: string }
  | { readonly kind: 'internal'; readonly error: unknown }

/** The request that a problem belongs to, as far as it is told. */
export interface PresentContext {
  readonly operation?: WireOperation
  /** 32 hexadecimal digits, W3C trace id of this request. */
  readonly traceId: string
  /** Set on streams, whose elements are JSON whatever happens. */
  readonly isStream?: boolean
}

/**
 * A problem as it goes out. `body` is JSON unless `mediaType` is of text or XML; undefined is no
 * body at all.
 */
export interface Presented {
  readonly status: number
  readonly mediaType: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Puts problems into the form of an interface. */
export interface Presenter {
  present(problem: Problem, context: PresentContext): Presented
}

/** Time that a caller should wait for memory, or for a server that is not there yet, seconds. */
const RETRY_SECONDS = '1'

/** Statuses that say what a problem is, its own first. */
export const STATUSES: Readonly<Record<Problem['kind'], readonly [number, ...number[]]>> = {
  'unknown-path': [404],
  'unknown-method': [405],
  invalid: [400, 422],
  'media-type': [415, 400, 422],
  'body-too-large': [413, 400, 422],
  'slow-body': [408, 400],
  unauthenticated: [401, 403],
  forbidden: [403, 401],
  foreign: [403, 400],
  'token-refused': [403, 401],
  timeout: [503, 504, 500],
  unavailable: [503, 500],
  'storage-full': [503, 507, 500],
  unreadable: [503, 500],
  full: [503, 429],
  'caller-full': [429, 503],
  'over-quota': [429, 503],
  'stream-ended': [401, 403],
  'not-written': [501],
  internal: [500],
}

/** The problem of whoever finds the book full. */
export function fullProblem(book: Book, what: Kind, of: Full): Problem {
  const { all, each } = book.limitOf(what)
  return of === 'all'
    ? { kind: 'full', what, limit: all }
    : { kind: 'caller-full', what, limit: each }
}

function passesSoon(problem: Problem): boolean {
  if (problem.kind === 'full' || problem.kind === 'caller-full') return problem.what !== 'streams'
  return problem.kind === 'unavailable' || problem.kind === 'storage-full'
}

/**
 * Headers that a problem needs in any form: the challenge of a 401 (RFC 6750 §3), and when to try
 * again.
 */
export function headersOf(problem: Problem, status: number): Readonly<Record<string, string>> {
  if (problem.kind === 'over-quota') return { 'Retry-After': String(problem.retrySeconds) }
  if (passesSoon(problem)) return { 'Retry-After': RETRY_SECONDS }
  const challenges = challengesOf(problem)
  if (challenges !== undefined) return { 'WWW-Authenticate': challenges }
  if (status !== 401) return {}
  const hasNoToken = problem.kind === 'unauthenticated' && problem.hasToken !== true
  return { 'WWW-Authenticate': hasNoToken ? 'Bearer' : 'Bearer error="invalid_token"' }
}

function challengesOf(problem: Problem): string | undefined {
  if (problem.kind !== 'unauthenticated' && problem.kind !== 'token-refused') return undefined
  const { challenges = [] } = problem
  return challenges.length === 0 ? undefined : challenges.join(', ')
}

/**
 * The end of a phase: a problem ends the request, `cut` means that nobody may be left to answer.
 */
export type Outcome = Problem | { readonly kind: 'cut' } | undefined
