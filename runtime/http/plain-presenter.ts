// The `{ error }` family of error bodies (docs/ledger-rules.md, "Errors"): a sentence for a person,
// with every violation of the phase.
import type { Issue } from './wire.ts'
import type { Presented, Presenter, Problem } from './problem.ts'
import { headersOf } from './problem.ts'

const STATUS: Readonly<Record<Problem['kind'], number>> = {
  'unknown-path': 404,
  'unknown-method': 405,
  invalid: 400,
  'media-type': 415,
  'body-too-large': 413,
  unauthenticated: 401,
  forbidden: 403,
  foreign: 403,
  'token-refused': 403,
  timeout: 503,
  'slow-body': 408,
  unavailable: 503,
  'storage-full': 503,
  unreadable: 503,
  'too-many-streams': 503,
  'too-many-streams-of-caller': 429,
  'too-many-bodies': 503,
  'too-many-bodies-of-address': 429,
  'too-many-answers': 503,
  'too-many-answers-of-caller': 429,
  'over-quota': 429,
  'stream-ended': 401,
  'not-written': 501,
  internal: 500,
}

/**
 * Presents every problem as `{ error: string }`; reasons that belong in the log only are not told.
 */
export const plainPresenter: Presenter = { present }

/** For paths that belong to no interface: the same sentences as plain text. */
export const plainTextPresenter: Presenter = {
  present: (problem) => ({
    status: STATUS[problem.kind],
    mediaType: 'text/plain',
    body: sentence(problem),
  }),
}

function present(problem: Problem): Presented {
  const status = STATUS[problem.kind]
  return {
    status,
    mediaType: 'application/json',
    body: { error: sentence(problem) },
    headers: headersOf(problem, status),
  }
}

/** One violation as text: `query page_size: must be an integer`. */
export function describeIssue(issue: Issue): string {
  const place = issue.pointer === '' ? issue.in : `${issue.in} ${issue.pointer}`
  return `${place}: ${issue.message}`
}

function sentence(problem: Problem): string {
  switch (problem.kind) {
    case 'unknown-path':
      return 'The requested resource could not be found.'
    case 'unknown-method':
      return `HTTP method not allowed, supported methods: ${problem.allow.join(', ')}`
    case 'invalid':
      return problem.issues.map(describeIssue).join('; ')
    case 'media-type':
      return `Content type ${problem.got} is not supported, expected: ${problem.accepted.join(', ')}`
    case 'body-too-large':
      return `The request body is larger than ${problem.limitBytes} bytes.`
    case 'unauthenticated':
      return problem.challenges?.every((one) => !one.startsWith('Bearer')) === true
        ? 'Valid credentials are required.'
        : 'A valid bearer token is required.'
    case 'forbidden':
      return 'The caller may not do this.'
    case 'foreign':
      return `The request is not for this server, or of a page that is not its own, by its header ${problem.header}.`
    case 'token-refused':
      return problem.challenges === undefined ? 'The token was refused.' : 'A scope is missing.'
    case 'timeout':
      return `The request took longer than ${problem.limitMs} ms.`
    case 'slow-body':
      return `The request body did not arrive within ${problem.limitMs} ms.`
    case 'unavailable':
      return 'The service is shutting down or not ready.'
    case 'storage-full':
      return 'The storage is full: nothing can be written until there is space.'
    case 'unreadable':
      return problem.reason
    case 'too-many-streams':
      return `There are ${problem.limit} streams already.`
    case 'too-many-streams-of-caller':
      return `The caller has ${problem.limit} streams already.`
    case 'too-many-bodies':
      return `Unfinished requests hold more than ${problem.limitBytes} bytes.`
    case 'too-many-bodies-of-address':
      return `Unfinished requests of this address hold more than ${problem.limitBytes} bytes.`
    case 'too-many-answers':
      return `Answers that are not read yet hold more than ${problem.limitBytes} bytes.`
    case 'too-many-answers-of-caller':
      return `Answers that the caller has not read hold more than ${problem.limitBytes} bytes.`
    case 'over-quota':
      return `${problem.text}.`
    case 'stream-ended':
      return 'The token or the right to this stream is gone.'
    case 'not-written':
      return 'This operation is not written yet.'
    case 'internal':
      return 'An unexpected error occurred.'
  }
}
