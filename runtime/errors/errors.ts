// Errors of the ledger interface as values: a code of the catalogue (spec/errors.yaml) with its
// facts, and how it is written. docs/ledger-rules.md, "Errors"
import type { JsNetworkError } from '../../generated/ledger/types.gen.ts'
import { member } from '../host/member.ts'
import type { Issue } from '../http/wire.ts'
import { categories, codes, fill, redacted } from './catalogue.ts'
import type { ErrorCode, ErrorStatus, Facts } from './catalogue.ts'
import { helpPage } from './help.ts'
import { shortened, snakeCase } from './text.ts'

/**
 * `service`: the shape of checks behind the interface; `proxy`: of those in the JSON layer.
 * docs/ledger-rules.md, "Errors"
 */
type ErrorShape = 'service' | 'proxy'

interface ErrorOptions {
  readonly shape?: ErrorShape
  /** Added to what the catalogue puts into the context. */
  readonly context?: Facts
  /** The names of the resources where an error is about several. */
  readonly items?: readonly string[]
  /** Seconds after which the same may succeed; undefined if that is not known. */
  readonly retrySeconds?: number
  /** Texts are those of contracts that somebody uploaded: a vocabulary does not change them. */
  readonly isVerbatim?: boolean
}

/** This node's name, and whether answers link to the documentation. */
export interface ErrorNode {
  readonly participant: string
  readonly linksHelp?: boolean
}

/** Facts that an answer adds to an error: the node's, and the request's trace id. */
export interface ErrorScope extends ErrorNode {
  readonly traceId: string
}

/** Characters of a text for people in an answer. */
export const MAX_CAUSE_LENGTH = 512

/** One error; immutable. `params` fill the catalogue's templates. */
export class LedgerError {
  readonly code: ErrorCode
  readonly params: Facts
  readonly shape: ErrorShape
  readonly context: Facts
  readonly items: readonly string[]
  readonly retrySeconds: number | undefined
  readonly isVerbatim: boolean

  constructor(
    code: ErrorCode,
    params: Facts,
    {
      shape = 'service',
      context = {},
      items = [],
      retrySeconds,
      isVerbatim = false,
    }: ErrorOptions = {},
  ) {
    this.code = code
    this.params = params
    this.shape = shape
    this.context = context
    this.items = items
    this.retrySeconds = retrySeconds
    this.isVerbatim = isVerbatim
  }

  /** The text for people, unshortened. */
  get cause(): string {
    return fill(codes[this.code].cause, this.params)
  }
}

/** @example ledgerError('USER_NOT_FOUND', { operation: 'getting user', id: 'bob' }) */
export function ledgerError(code: ErrorCode, params: Facts, options?: ErrorOptions): LedgerError {
  return new LedgerError(code, params, options)
}

/** INVALID_ARGUMENT with `reason` as its text. */
export function invalidArgument(reason: string, options?: ErrorOptions): LedgerError {
  return ledgerError('INVALID_ARGUMENT', { reason }, options)
}

/** INVALID_FIELD about one field, by its snake_case name. */
export function invalidField(field: string, message: string): LedgerError {
  return ledgerError('INVALID_FIELD', { field, reason: message })
}

/** An error as it goes out; also what a generated reply type accepts. */
export interface ErrorReply {
  readonly status: ErrorStatus
  readonly mediaType: 'application/json'
  readonly body: JsNetworkError
  readonly isVerbatim?: true
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Status and body of an error; the security-sensitive categories say nothing but their gRPC number.
 */
export function errorReply(error: LedgerError, scope: ErrorScope): ErrorReply {
  const category = categories[codes[error.code].category]
  const body = category.redacted ? redactedBody(error, scope) : openBody(error, scope)
  const reply: ErrorReply = {
    status: httpStatus(error.code),
    mediaType: 'application/json',
    body,
    ...(error.isVerbatim ? { isVerbatim: true } : {}),
  }
  const headers = headersOf(error, scope)
  return Object.keys(headers).length === 0 ? reply : { ...reply, headers }
}

function headersOf(
  { code, retrySeconds }: LedgerError,
  { linksHelp = false }: ErrorScope,
): Readonly<Record<string, string>> {
  const help = linksHelp ? helpPage(code) : undefined
  return {
    ...(retrySeconds === undefined ? {} : { 'Retry-After': String(retrySeconds) }),
    ...(help === undefined ? {} : { Link: `<${help}>; rel="help"` }),
  }
}

function httpStatus(code: ErrorCode): ErrorStatus {
  const entry = codes[code]
  return 'httpStatus' in entry ? entry.httpStatus : categories[entry.category].http
}

function redactedBody(error: LedgerError, { traceId }: ErrorScope): JsNetworkError {
  return {
    code: redacted.code,
    cause: redacted.cause,
    correlationId: traceId,
    traceId,
    context: { ...error.context },
    errorCategory: redacted.category,
    grpcCodeValue: categories[codes[error.code].category].grpc,
  }
}

function openBody(error: LedgerError, scope: ErrorScope): JsNetworkError {
  const entry: CatalogueEntry = codes[error.code]
  const category = categories[codes[error.code].category]
  const resources = (entry.resources ?? []).flatMap(({ type, from }) => {
    const names = from === 'items' ? error.items : [error.params[from] ?? '']
    return names.map((name): [string, string] => [fill(type, error.params), name])
  })
  return {
    code: error.code,
    cause: shortened(error.cause, MAX_CAUSE_LENGTH),
    ...(error.shape === 'proxy' ? { correlationId: scope.traceId } : {}),
    traceId: scope.traceId,
    context: {
      ...ownContext(error, entry),
      ...(error.shape === 'service' ? serviceContext(error, scope) : {}),
    },
    ...(resources.length > 0 ? { resources } : {}),
    errorCategory: codes[error.code].category,
    grpcCodeValue: category.grpc,
    ...retryOf(error),
    ...(error.shape === 'proxy' && entry.definiteAnswer ? { definiteAnswer: false } : {}),
  }
}

function retryOf({ code, retrySeconds }: LedgerError): Pick<JsNetworkError, 'retryInfo'> {
  const { retry } = categories[codes[code].category]
  if (!retry) return {}
  return {
    retryInfo: retrySeconds === undefined || retrySeconds === 1 ? retry : `${retrySeconds} seconds`,
  }
}

function ownContext(error: LedgerError, entry: CatalogueEntry): Record<string, string> {
  const facts = (entry.context ?? []).flatMap((key) =>
    error.params[key] ? [[key, error.params[key]]] : [],
  )
  return { ...Object.fromEntries(facts), ...error.context }
}

function serviceContext(
  error: LedgerError,
  { participant, traceId }: ErrorScope,
): Record<string, string> {
  const entry: CatalogueEntry = codes[error.code]
  return {
    category: String(codes[error.code].category),
    ...(entry.definiteAnswer ? { definite_answer: 'false' } : {}),
    participant,
    tid: traceId,
  }
}

/** The catalogue's entry of a code beyond its category and its cause. */
interface CatalogueEntry {
  readonly cause: string
  readonly resources?: readonly { readonly type: string; readonly from: string }[]
  readonly context?: readonly string[]
  readonly definiteAnswer?: boolean
}

/**
 * The one error that answers violated constraints: the first violation names the code, those of the
 * same code are listed with it. Only the first violation at each place counts.
 */
export function constraintError(issues: readonly Issue[]): LedgerError {
  const firsts = issues.filter(
    (issue, index) => index === issues.findIndex((other) => samePlace(issue, other)),
  )
  const errors = firsts.map(issueError)
  const first = errors[0] ?? invalidArgument('the request is not acceptable')
  const others = errors
    .slice(1)
    .filter((error) => error.code === first.code)
    .map(detailOf)
  const key = first.code === 'MISSING_FIELD' ? 'field_name' : 'reason'
  const detail = [first.params[key] ?? '', ...others].join(', ')
  return ledgerError(first.code, { ...first.params, [key]: detail }, { shape: first.shape })
}

function detailOf(error: LedgerError): string {
  const { field_name: missing, field, reason = '' } = error.params
  return missing ?? (field === undefined ? reason : `Invalid field ${field}: ${reason}`)
}

function samePlace(one: Issue, other: Issue): boolean {
  return one.in === other.in && one.pointer === other.pointer
}

function issueError(issue: Issue): LedgerError {
  const { code, field, reason } = readDeclaration(issue.error)
  const name = field ?? snakeCase(issue.pointer.split('/').at(-1) || issue.in)
  const message = fillReason(reason ?? `${issue.pointer} ${issue.message}`, issue)
  if (code === 'MISSING_FIELD' || (code === undefined && issue.keyword === 'required')) {
    return ledgerError('MISSING_FIELD', { field_name: name })
  }
  if (code === 'INVALID_FIELD') return invalidField(name, message)
  return invalidArgument(message, issue.in === 'path' ? { shape: 'proxy' } : {})
}

interface Declaration {
  readonly code: string | undefined
  readonly field: string | undefined
  readonly reason: string | undefined
}

/** Reads the `x-error` literal that the generated check carried along. */
function readDeclaration(literal: unknown): Declaration {
  const [code, field, reason] = [
    textAt(literal, 'code'),
    textAt(literal, 'field'),
    textAt(literal, 'reason'),
  ]
  return { code, field, reason }
}

function fillReason(reason: string, issue: Issue): string {
  return fill(reason, {
    value: String(issue.value ?? ''),
    pattern: textAt(issue.error, 'pattern') ?? '',
  })
}

function textAt(literal: unknown, key: string): string | undefined {
  const value = member(literal, key)
  return typeof value === 'string' ? value : undefined
}
