// How an answer of one status goes out: decided per operation, status and media type once, then
// looked up.
import type { BodyKind, Issue, WireMedia, WireOperation, WireReply, WireResponse } from './wire.ts'
import { essenceOf, matchMedia } from './media.ts'

export interface ReplyPlan {
  readonly contentType: string
  readonly kind: BodyKind
  readonly int64: boolean
  /** What is wrong with the status or the media type itself; '' when both are declared. */
  readonly undeclared: string
  readonly response: WireResponse | undefined
  readonly media: WireMedia | undefined
  /** Nobody gets a body, whatever is declared. RFC 9110 §9.3.2, §15.3.5, §15.4.5 */
  readonly isBodiless: boolean
}

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304])

const KINDS: readonly (readonly [RegExp, BodyKind])[] = [
  [/^application\/(.+\+)?json$/, 'json'],
  [/^text\/event-stream$/, 'events'],
  [/^application\/(x-)?(nd-?json|jsonl)$/, 'json-lines'],
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
    mediaType === undefined
      ? response?.media[0]
      : matchMedia(response?.media ?? [], essenceOf(mediaType))
  const contentType = mediaType ?? media?.mediaType ?? 'application/json'
  return {
    response,
    media,
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
    if (header.required && !hasHeader(reply, header.name)) {
      issues.push(violation('header', header.name, 'the header is required'))
    }
  }
  checkBody(plan, reply, issues)
  return issues
}

function checkBody(plan: ReplyPlan, reply: WireReply, issues: Issue[]): void {
  if (reply.body === undefined) {
    if (plan.media?.kind === 'json' && !plan.isBodiless)
      issues.push(violation('body', '', 'a body is required'))
  } else if (plan.media === undefined) issues.push(violation('body', '', 'no body is declared'))
  else if (plan.kind === 'json' || plan.kind === 'text') plan.media.check?.(reply.body, issues)
}

function hasHeader(reply: WireReply, name: string): boolean {
  return Object.keys(reply.headers ?? {}).some(
    (given) => given.toLowerCase() === name.toLowerCase(),
  )
}

function violation(place: 'header' | 'body', pointer: string, message: string): Issue {
  return { in: place, pointer, keyword: 'response', message }
}
