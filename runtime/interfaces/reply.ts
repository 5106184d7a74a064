// How handlers of the ledger interface turn a value or an error of the catalogue into a reply that
// its document declares.
import type { HandlerContext } from '../http/index.ts'
import type { Principal } from '../access/principal.ts'
import type { ErrorNode, ErrorReply } from '../errors/errors.ts'
import { errorReply, LedgerError } from '../errors/errors.ts'

/** A handler's knowledge besides its input. */
export type Context = HandlerContext<Principal>

export interface Respond {
  /** Answers with the value's body, or with the error that came instead. */
  <T, B>(
    outcome: T | LedgerError,
    context: Context,
    body: (value: T) => B,
  ): { readonly status: 200; readonly body: B } | ErrorReply
  refuse(error: LedgerError, context: Context): ErrorReply
}

/** Binds replies to this node, whose name service errors carry. */
export function responder(node: ErrorNode): Respond {
  const refuse = (error: LedgerError, { traceId }: Context): ErrorReply =>
    errorReply(error, { ...node, traceId })
  const respond = <T, B>(outcome: T | LedgerError, context: Context, body: (value: T) => B) =>
    outcome instanceof LedgerError
      ? refuse(outcome, context)
      : { status: 200 as const, body: body(outcome) }
  return Object.assign(respond, { refuse })
}

/** The caller; the guard lets nobody through without one where `x-access` requires a token. */
export function callerOf({ principal }: Context): Principal {
  if (principal === undefined)
    throw new Error('an operation that needs a caller was reached without one')
  return principal
}
