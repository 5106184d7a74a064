// What an answer must be because of how the request was made.
import { drawsOf } from './draws.ts'
import { responseFor } from './answer-checks.ts'
import type { Impostor } from './authority.ts'
import type { Flaw, OperationFacts } from './facts.ts'
import type { Answer } from './sender.ts'
import type { Complaint } from './violation.ts'

export type Expectation =
  /** Every schema admits the request. */
  | { readonly kind: 'valid' }
  /** Exactly one constraint is broken. */
  | { readonly kind: 'flawed'; readonly flaw: Flaw }
  | { readonly kind: 'impostor'; readonly impostor: Impostor }
  /** Nothing is known but that the answer must be a declared one. */
  | { readonly kind: 'any' }

/** Statuses that call a request wrong in itself. docs/decisions/0005-conformance.md */
const REFUSED: ReadonlySet<number> = new Set([400, 405, 406, 415, 422])

/** Refusals that a wrong request asks for. */
const ASKED_FOR: Readonly<Record<'flawed' | 'impostor', readonly number[]>> = {
  flawed: [400, 406, 411, 413, 414, 415, 422, 431],
  impostor: [401, 403],
}

/** Statuses that are true of few flaws, so that other flaws need another status. */
const PARTICULAR: ReadonlySet<string> = new Set(['406', '411', '413', '414', '431'])
const UNSUPPORTED_MEDIA_TYPE = '415'

/**
 * True for a refusal that the request asked for where the document declares none that would do: it
 * leaves them to HTTP then, and no answer at all could be a declared one.
 */
export function isLeftToHttp(
  expectation: Expectation,
  { responses }: Pick<OperationFacts, 'responses'>,
  status: number,
): boolean {
  if (expectation.kind !== 'flawed' && expectation.kind !== 'impostor') return false
  const asked = ASKED_FOR[expectation.kind]
  const isOfMediaType = expectation.kind === 'flawed' && expectation.flaw.rule === 'media type'
  const fits = (declared: string): boolean =>
    declared === '4XX' ||
    declared === 'default' ||
    (asked.includes(Number(declared)) &&
      !PARTICULAR.has(declared) &&
      (declared !== UNSUPPORTED_MEDIA_TYPE || isOfMediaType))
  return asked.includes(status) && !responses.some((response) => fits(response.status))
}

/** Complaints about the status of an answer, besides what holds for every answer. */
export function expectationComplaints(
  expectation: Expectation,
  operation: OperationFacts,
  { status }: Answer,
): readonly Complaint[] {
  switch (expectation.kind) {
    case 'any':
      return []
    case 'valid': {
      if (!REFUSED.has(status) || operation.refuses.includes(status)) return []
      if (declaresErrorsOnly(operation, status)) return []
      return [
        {
          check: 'valid-accepted',
          sentence: `a request that the document admits was refused with ${status}`,
          status,
        },
      ]
    }
    case 'flawed':
      return flawedComplaints(expectation.flaw, status)
    case 'impostor':
      return impostorComplaints(expectation.impostor, operation, status)
  }
}

/**
 * A document that declares no success leaves a valid request nothing but its errors. A range of
 * successes is one, and so is `default`.
 */
function declaresErrorsOnly(operation: OperationFacts, status: number): boolean {
  return (
    responseFor(operation, status) !== undefined &&
    !operation.responses.some((response) => /^(?:[23]|default$)/u.test(response.status))
  )
}

function flawedComplaints({ place, pointer, rule }: Flaw, status: number): readonly Complaint[] {
  if (status >= 400) return []
  const name = pointer.replace(/^\//u, '')
  if (place === 'header' && rule === 'required') {
    return [
      {
        check: 'missing-header-refused',
        sentence: `the required header ${name} was missing, yet the answer is ${status}`,
        status,
      },
    ]
  }
  const where = place === 'body' ? `body${pointer}` : `${place} parameter ${name}`
  return [
    {
      check: 'flawed-refused',
      sentence: `${where} breaks '${rule}', yet the answer is ${status}`,
      status,
    },
  ]
}

/**
 * 401, or 403 where that is all that the document declares, or no body could be as it declares for
 * 401.
 */
function impostorComplaints(
  impostor: Impostor,
  operation: OperationFacts,
  status: number,
): readonly Complaint[] {
  const impossible = drawsOf(operation)?.impossible
  const declares = (wanted: number): boolean =>
    operation.responses.some((response) => response.status === String(wanted)) &&
    impossible?.includes(wanted) !== true
  if (status === 401 || status >= 500 || (status === 403 && declares(403) && !declares(401)))
    return []
  return [
    {
      check: 'authentication',
      sentence: `${impostor} was shown, yet the answer is ${status} and not 401`,
      status,
    },
  ]
}
