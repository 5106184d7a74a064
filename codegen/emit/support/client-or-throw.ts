// A client whose methods answer the body of a success and throw anything else, for those who have
// nothing to decide by the status.
import { ownMember } from './own-member.ts'
import type { StatusRange } from './wire.ts'

/** An answer of any operation. */
interface AnyAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body?: unknown
}

type Call = (...input: readonly unknown[]) => Promise<AnyAnswer>

/** A declared answer that is no success. */
export class AnswerError extends Error {
  readonly operationId: string
  readonly status: number
  readonly headers: Headers
  /** The declared body; undefined if the answer has none. */
  readonly body: unknown
  /** The member `code` of the body, where it has one that is text. */
  readonly code: string | undefined

  constructor(operationId: string, { status, headers, body }: AnyAnswer) {
    const text =
      memberText(body, 'cause') ?? memberText(body, 'error') ?? memberText(body, 'message')
    const said = text ?? (typeof body === 'string' ? body : undefined)
    super(`${operationId}: ${status}${said === undefined ? '' : ` ${said}`}`)
    this.name = 'AnswerError'
    this.operationId = operationId
    this.status = status
    this.headers = headers
    this.body = body
    this.code = memberText(body, 'code')
  }
}

/** The result of a method of such a client: the bodies of its declared successes. */
export type SuccessBody<Answer> =
  Extract<Answer, { readonly status: StatusRange['2XX'] }> extends infer Success
    ? Success extends { readonly body: infer Body }
      ? Body
      : undefined
    : never

/** The methods of a client, each with what it resolves to in place of its answers. */
export type OrThrow<C> = {
  readonly [Name in keyof C]: C[Name] extends (...input: infer Input) => Promise<infer Answer>
    ? (...input: Input) => Promise<SuccessBody<Answer>>
    : never
}

/**
 * The same client, but methods resolve to the body of a success, and reject with AnswerError where
 * the answer is another one that the document declares.
 */
export function orThrow<C extends object>(client: C): OrThrow<C>
export function orThrow(client: Readonly<Record<string, Call>>): object {
  const methods: Record<string, (...input: readonly unknown[]) => Promise<unknown>> = {}
  for (const [name, method] of Object.entries(client)) {
    methods[name] = async (...input) => {
      const answer = await method(...input)
      if (answer.status >= 200 && answer.status < 300) return answer.body
      throw new AnswerError(name, answer)
    }
  }
  return methods
}

function memberText(body: unknown, name: string): string | undefined {
  const value = ownMember(body, name)
  return typeof value === 'string' ? value : undefined
}
