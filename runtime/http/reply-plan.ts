// How an answer of one status goes out: decided per operation, status and media type once, then
// looked up.
import type {
  BodyKind,
  HeaderValue,
  Issue,
  WireHeader,
  WireMedia,
  WireOperation,
  WireReply,
  WireResponse,
} from './wire.ts'
import { essenceOf, isAsyncIterable, matchMedia } from './media.ts'

export interface ReplyPlan {
  readonly contentType: string
  readonly kind: BodyKind
  readonly int64: boolean
  /** The fault of the status or the media type itself; '' when both are declared. */
  readonly undeclared: string
  readonly response: WireResponse | undefined
  readonly media: WireMedia | undefined
  /** Declared headers that are more than text, by lower-case name; absent where there are none. */
  readonly typedHeaders: ReadonlyMap<string, WireHeader> | undefined
  /** Nobody gets a body, whatever is declared. RFC 9110 §9.3.2, §15.3.5, §15.4.5 */
  readonly isBodiless: boolean
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

const KINDS: readonly (readonly [RegExp, BodyKind])[] = [
  [/^application\/(.+\+)?json$/, 'json'],
  [/^text\/event-stream$/, 'events'],
  [/^application\/(x-)?(nd-?json|jsonl|json-lines|jsonlines|json-seq)$/, 'json-lines'],
  [/^text\//, 'text'],
]

export class ReplyPlans {
  private readonly operation: WireOperation
  private readonly byStatus = new Map<number, ReplyPlan>()
  private readonly byMediaType = new Map<string, ReplyPlan>()

  constructor(operation: WireOperation) {
    this.operation = operation
  }

  /** The plan for a handler's answer. */
  of(status: number, mediaType: string | undefined): ReplyPlan {
    if (mediaType !== undefined) return this.named(status, mediaType)
    const known = this.byStatus.get(status)
    if (known !== undefined) return known
    const plan = planOf(this.operation, status, undefined)
    if (this.byStatus.size < 1_000) this.byStatus.set(status, plan)
    return plan
  }

  private named(status: number, mediaType: string): ReplyPlan {
    const key = `${status} ${mediaType}`
    const plan = this.byMediaType.get(key) ?? planOf(this.operation, status, mediaType)
    if (this.byMediaType.size < 1_000) this.byMediaType.set(key, plan)
    return plan
  }
}

function planOf(
  operation: WireOperation,
  status: number,
  mediaType: string | undefined,
): ReplyPlan {
  const response = responseOf(operation.responses, status)
  const media =
    mediaType === undefined ? response?.media[0] : matchMedia(response?.media ?? [], mediaType)
  const contentType = mediaType ?? media?.mediaType ?? 'application/json'
  return {
    response,
    media,
    typedHeaders: typedHeaders(response),
    contentType: withCharset(contentType),
    kind: media?.kind ?? kindOf(contentType),
    int64: media?.int64 ?? true,
    isBodiless: operation.method === 'HEAD' || BODILESS.has(status),
    // A document that declares no answer at all says nothing of them.
    undeclared:
      operation.responses.length === 0 ? '' : undeclared(response, media, status, mediaType),
  }
}

function responseOf(responses: readonly WireResponse[], status: number): WireResponse | undefined {
  const byStatus = (text: string): WireResponse | undefined =>
    responses.find((one) => one.status.toUpperCase() === text)
  return (
    byStatus(String(status)) ?? byStatus(`${Math.floor(status / 100)}XX`) ?? byStatus('DEFAULT')
  )
}

function typedHeaders(
  response: WireResponse | undefined,
): ReadonlyMap<string, WireHeader> | undefined {
  const typed = (response?.headers ?? []).filter(({ text }) => text !== undefined)
  if (typed.length === 0) return undefined
  return new Map(typed.map((header) => [header.name.toLowerCase(), header]))
}

/** The text of an answer's header. */
export function headerText(plan: ReplyPlan | undefined, name: string, value: HeaderValue): string {
  const written = plan?.typedHeaders?.get(name.toLowerCase())?.text?.(value)
  return written ?? (typeof value === 'string' ? value : String(value))
}

function undeclared(
  response: WireResponse | undefined,
  media: WireMedia | undefined,
  status: number,
  mediaType: string | undefined,
): string {
  if (response === undefined) return `status ${status} is not declared`
  return mediaType !== undefined && media === undefined
    ? `media type ${mediaType} is not declared for ${status}`
    : ''
}

function kindOf(contentType: string): BodyKind {
  const essence = essenceOf(contentType)
  return KINDS.find(([expression]) => expression.test(essence))?.[1] ?? 'binary'
}

function withCharset(contentType: string): string {
  return /^text\/(?!event-stream)[^;]*$/.test(contentType)
    ? `${contentType}; charset=utf-8`
    : contentType
}

/** Everything in which an answer departs from the document. */
export function replyIssues(plan: ReplyPlan, reply: WireReply): readonly Issue[] {
  const issues: Issue[] = []
  if (plan.undeclared !== '') issues.push(violation('header', '', plan.undeclared))
  if (plan.response === undefined) return issues
  for (const header of plan.response.headers) {
    const value = headerOf(reply, header.name)
    if (value !== undefined) header.check?.(headerText(plan, header.name, value), issues)
    else if (header.required)
      issues.push(violation('header', header.name, 'the header is required'))
  }
  checkBody(plan, reply, issues)
  return issues
}

function checkBody(plan: ReplyPlan, reply: WireReply, issues: Issue[]): void {
  if (reply.body === undefined) {
    if (plan.media?.kind === 'json' && !plan.isBodiless)
      issues.push(violation('body', '', 'a body is required'))
  } else if (plan.media === undefined) issues.push(violation('body', '', 'no body is declared'))
  else if (isChecked(plan.kind, reply.body)) plan.media.check?.(reply.body, issues)
}

/** Streams are not looked into, nor forms that are bytes already. */
function isChecked(kind: BodyKind, body: unknown): boolean {
  if (kind === 'json' || kind === 'text') return true
  if (kind !== 'form' && kind !== 'multipart') return false
  return !(body instanceof Uint8Array) && !isAsyncIterable(body)
}

function headerOf({ headers = {} }: WireReply, name: string): HeaderValue | undefined {
  const wanted = name.toLowerCase()
  const key = Object.keys(headers).find((given) => given.toLowerCase() === wanted)
  return key === undefined ? undefined : headers[key]
}

function violation(place: 'header' | 'body', pointer: string, message: string): Issue {
  return { in: place, pointer, keyword: 'response', message }
}
