// Refusals of wallet and admin operations: a status and a sentence for a person. Bad input never
// becomes a 5xx. docs/economy-rules.md, "Wallet answers"; docs/ledger-rules.md, "Errors"
import type { Rejection } from '../engine/index.ts'
import { overQuotaText, secondsOf } from './quotas/index.ts'
import { failureText } from './failure-text.ts'
import type { TreasuryRejection } from './treasury/outcome.ts'

type PlainStatus = 400 | 403 | 404 | 409 | 429 | 503

/** One refusal; immutable. */
export class PlainError {
  readonly status: PlainStatus
  readonly message: string
  /** Seconds after which the same may succeed; undefined if that is not known. */
  readonly retrySeconds: number | undefined

  constructor(status: PlainStatus, message: string, retrySeconds?: number) {
    this.status = status
    this.message = message
    this.retrySeconds = retrySeconds
  }
}

export const badRequest = (message: string): PlainError => new PlainError(400, message)
export const notFound = (message: string): PlainError => new PlainError(404, message)
export const conflict = (message: string): PlainError => new PlainError(409, message)

/** The sentence by which clients of the public network tell that there is no preapproval. */
export const noPreapproval = (party: string): string =>
  `No TransferPreapproval found for party: ${party}`

/** A refusal as it goes out; also what a generated reply type accepts. */
export interface PlainErrorReply {
  readonly status: PlainStatus
  readonly body: { error: string }
  readonly headers?: Readonly<Record<string, string>>
}

/** 409 for an id that stands for another request. docs/idempotency.md */
export const otherContent = (): PlainError => conflict('The id was used with other content before')

/** Answers with the value's body, or with the refusal that came instead. */
export function answer<T, B>(
  outcome: T | PlainError,
  body: (value: T) => B,
): { readonly status: 200; readonly body: B } | PlainErrorReply {
  return outcome instanceof PlainError
    ? refusalReply(outcome)
    : { status: 200, body: body(outcome) }
}

/** The answer to what is refused. */
export function refusalReply({ status, message, retrySeconds }: PlainError): PlainErrorReply {
  const reply = { status, body: { error: message } }
  return retrySeconds === undefined
    ? reply
    : { ...reply, headers: { 'Retry-After': String(retrySeconds) } }
}

/**
 * Why the ledger refused a command. `target` is the contract that the request is about: where that
 * one is unknown or archived the answer is 404, for any other contract 409, since that was there a
 * moment ago.
 */
export function rejectionError(rejection: Rejection, target?: string): PlainError {
  switch (rejection.kind) {
    case 'contract-not-found':
      return new PlainError(
        rejection.contractId === target ? 404 : 409,
        `Contract ${rejection.contractId} is not active`,
      )
    case 'contract-in-flight':
      return conflict(`Contract ${rejection.contractId} is between synchronizers`)
    case 'unauthorised':
      return badRequest(`${rejection.what} needs the authority of ${rejection.missing.join(', ')}`)
    case 'aborted':
      return rejection.reason.id === ''
        ? conflict(rejection.reason.message)
        : badRequest(rejection.reason.message)
    case 'too-early':
    case 'too-late':
      return conflict(
        rejection.kind === 'too-early' ? 'It is too early for this' : 'The deadline has passed',
      )
    case 'time-in-doubt':
      return new PlainError(
        503,
        'The deadline may have passed: the clock of this server is in doubt',
      )
    case 'invalid':
      return badRequest(rejection.reason)
    case 'unvetted':
      return conflict(`${rejection.participant} has not vetted ${rejection.packageId}`)
    case 'unreadable':
      return new PlainError(503, rejection.reason)
    case 'too-large':
      return badRequest('The transaction is too large')
    case 'duplicate':
      return conflict('A request with the same id was accepted before')
    case 'done-before':
      return conflict('It was done before')
    case 'duplicate-in-flight':
      return new PlainError(429, 'A request with the same id is in flight')
    case 'contention':
      return conflict('Others use the same contracts at the same time')
    case 'no-traffic':
      return new PlainError(
        429,
        `The traffic of ${rejection.member} is used up, ${rejection.missingBytes} bytes are missing`,
      )
    case 'over-quota':
      return new PlainError(429, overQuotaText(rejection), secondsOf(rejection.retryMs))
  }
}

/**
 * The refusal of an operation that the treasury could not carry out. `target` as in
 * `rejectionError`.
 */
export function treasuryError(failure: TreasuryRejection, target?: string): PlainError {
  switch (failure.kind) {
    case 'invalid-transfer':
      return badRequest(failureText(failure.reason, failure.inputs))
    case 'refused':
      return rejectionError(failure.rejection, target)
    case 'target-gone':
      return new PlainError(
        failure.contractId === target ? 404 : 409,
        `Contract ${failure.contractId} is not active`,
      )
    case 'paid-before':
      return conflict(`The tracking id of contract ${failure.contractId} was paid before`)
    case 'no-wallet':
      return notFound(`No wallet found for party ${failure.party}`)
    case 'no-round':
      return new PlainError(503, 'None of the rounds are open')
    case 'other-content':
      return otherContent()
    case 'queue-full':
      return new PlainError(429, 'Too many operations are already in flight')
  }
}
