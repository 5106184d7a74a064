// The `{ error }` family of error bodies (docs/ledger-rules.md, "Errors"): a sentence for a person,
// with every violation of the phase.
import type { Issue } from './wire.ts'
import type { Presented, Presenter, Problem } from './problem.ts'
import type { Kind } from '../work/limits.ts'
import { headersOf, STATUSES } from './problem.ts'

/** Sentences for all callers and for one, with the limit in the place of #. */
const FULL: Readonly<Record<Kind, readonly [string, string]>> = {
  streams: ['There are # streams already.', 'The caller has # streams already.'],
  bodies: [
    'Unfinished requests hold more than # bytes.',
    'Unfinished requests of this address hold more than # bytes.',
  ],
  unread: [
    'Answers that are not read yet hold more than # bytes.',
    'Answers that the caller has not read hold more than # bytes.',
  ],
}

/**
 * Presents every problem as `{ error: string }`; reasons that belong in the log only are not told.
 */
export const plainPresenter: Presenter = { present }

/** The same sentences as plain text, for paths that belong to no interface. */
export const plainTextPresenter: Presenter = {
  present: (problem) => ({
    status: STATUSES[problem.kind][0],
    mediaType: 'text/plain',
    body: sentence(problem),
  }),
}

function present(problem: Problem): Presented {
  const [status] = STATUSES[problem.kind]
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
    case 'full':
      return FULL[problem.what][0].replace('#', String(problem.limit))
    case 'caller-full':
      return FULL[problem.what][1].replace('#', String(problem.limit))
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
