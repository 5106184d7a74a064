// Turns problems of the dispatcher into the ledger's documented bodies: one line of text for what
// cannot be decoded, the structured error for everything else, redacted where it must be.
// docs/ledger-rules.md, "Errors"
import type { Presented, Presenter, Problem } from '../../http/problem.ts'
import type { Issue } from '../../http/wire.ts'
import { DECODE_KEYWORDS } from '../../http/wire.ts'
import { details, fill, texts, where } from '../../errors/catalogue.ts'
import { TokenRejection } from '../../access/guard.ts'
import type { ErrorNode, ErrorScope, LedgerError } from '../../errors/errors.ts'
import { constraintError, errorReply, invalidArgument, ledgerError } from '../../errors/errors.ts'

/** The presenter of the ledger interface; service errors carry the name of `node`. */
export function ledgerPresenter(node: ErrorNode): Presenter {
  return {
    present: (problem, { traceId, isStream = false }) => {
      const scope = { ...node, traceId }
      const presented = present(problem, scope)
      return isStream && presented.mediaType === 'text/plain'
        ? errorReply(invalidArgument(String(presented.body)), scope)
        : presented
    },
  }
}

function present(problem: Problem, scope: ErrorScope): Presented {
  switch (problem.kind) {
    case 'invalid':
      return presentInvalid(problem.issues, scope)
    case 'unknown-path':
      return text(texts.unknownPath)
    case 'unknown-method':
      return text(texts.unknownMethod)
    // Never for a content type, which is not insisted on: only a content encoding gets here.
    // docs/ledger-rules.md, "Errors"
    case 'media-type':
      return text({
        status: texts.notDecodable.status,
        text: line(where.body, `${problem.got} is not supported`),
      })
    default:
      return errorReply(problemError(problem), scope)
  }
}

function presentInvalid(issues: readonly Issue[], scope: ErrorScope): Presented {
  const undecodable = issues.filter((issue) => DECODE_KEYWORDS.has(issue.keyword))
  if (undecodable.length === 0) return errorReply(constraintError(issues), scope)
  return text({ status: texts.notDecodable.status, text: decodeText(undecodable) })
}

function problemError(problem: Problem): LedgerError {
  switch (problem.kind) {
    case 'token-refused':
      return problem.detail instanceof TokenRejection
        ? problem.detail.error
        : ledgerError('PERMISSION_DENIED', {})
    case 'unauthenticated':
      return ledgerError('UNAUTHENTICATED', {})
    case 'forbidden':
      return ledgerError('PERMISSION_DENIED', {})
    case 'foreign':
      return ledgerError('FOREIGN_REQUEST', { header: problem.header })
    case 'body-too-large':
      return ledgerError('BODY_TOO_LARGE', { limit: String(problem.limitBytes) })
    case 'timeout':
      return ledgerError('REQUEST_TIME_OUT', {
        reason: `The request took longer than ${problem.limitMs} ms.`,
      })
    case 'slow-body':
      return ledgerError('BODY_TOO_SLOW', { limit: String(problem.limitMs) })
    case 'full':
    case 'caller-full':
      return fullError(problem)
    case 'over-quota':
      return ledgerError(
        'PARTICIPANT_BACKPRESSURE',
        { reason: problem.text },
        { retrySeconds: problem.retrySeconds },
      )
    case 'stream-ended':
      return ledgerError(
        problem.cause === 'token' ? 'ACCESS_TOKEN_EXPIRED' : 'STALE_STREAM_AUTHORIZATION',
        {},
      )
    case 'unavailable':
      return ledgerError('SERVICE_NOT_RUNNING', { service_name: 'ledger' })
    case 'storage-full':
      return ledgerError('STORAGE_FULL', {})
    case 'unreadable':
      return ledgerError('CONTRACT_VERSION_UNKNOWN', { reason: problem.reason })
    case 'not-written':
      return ledgerError('UNSUPPORTED_OPERATION', { reason: problem.reason })
    default:
      return ledgerError('LEDGER_API_INTERNAL_ERROR', {})
  }
}

function fullError({
  kind,
  what,
  limit: most,
}: Extract<Problem, { readonly what: unknown }>): LedgerError {
  const [limit, isOfAll] = [String(most), kind === 'full']
  switch (what) {
    case 'streams':
      return ledgerError('MAXIMUM_NUMBER_OF_STREAMS', {
        limit,
        whose: isOfAll ? 'this server' : 'this caller',
      })
    case 'bodies':
      return isOfAll
        ? ledgerError('MAXIMUM_BYTES_OF_BODIES', { limit })
        : ledgerError('MAXIMUM_BYTES_OF_BODIES_OF_ADDRESS', { limit })
    case 'unread':
      return isOfAll
        ? ledgerError('MAXIMUM_BYTES_OF_ANSWERS', { limit })
        : ledgerError('MAXIMUM_BYTES_OF_ANSWERS_OF_CALLER', { limit })
  }
}

/** One line a place; the violations of a body together. docs/ledger-rules.md, "Errors" */
function decodeText(issues: readonly Issue[]): string {
  const body = issues.filter((issue) => issue.in === 'body')
  const detail = body.map(bodyDetail).join(', ')
  const lines = issues.flatMap((issue) =>
    issue.in === 'body' ? [] : [parameterLine(issue.in, issue)],
  )
  return [...lines, ...(body.length > 0 ? [line(where.body, detail)] : [])].join('\n')
}

function line(place: string, detail: string | undefined): string {
  const template = detail === undefined ? texts.notDecodable : texts.notDecodableBecause
  return fill(template.text, { where: place, detail: detail ?? '' })
}

/** A plain parse error says no more than where it was. */
function parameterLine(place: Exclude<Issue['in'], 'body'>, { pointer, keyword }: Issue): string {
  return line(
    fill(where[place], { name: pointer }),
    keyword === 'multiple' ? details.multipleValues : undefined,
  )
}

function bodyDetail(issue: Issue): string {
  return issue.pointer === '' ? issue.message : `${issue.message} at '${dottedPath(issue.pointer)}'`
}

/** `/commands/0/CreateCommand/templateId` → `commands[0].CreateCommand.templateId` */
function dottedPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce(
      (path, part) =>
        /^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`,
      '',
    )
}

function text({
  status,
  text: body,
}: {
  readonly status: number
  readonly text: string
}): Presented {
  return { status, mediaType: 'text/plain', body }
}
