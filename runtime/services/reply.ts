// How handlers of the ledger interface turn a value or an error of the catalogue into a reply that its document declares.
import type { HandlerContext } from '../http/index.ts'
import type { Principal } from './access/principal.ts'
import type { ErrorReply } from './errors.ts'
import { errorReply, LedgerError } from './errors.ts'

/** What handlers know besides their input. */
export type Context = HandlerContext<Principal>

/** Answers with `value`'s body, or with the error that came instead. */
export type Respond = <T, B>(outcome: T | LedgerError, context: Context, body: (value: T) => B) =>
  { readonly status: 200; readonly body: B } | ErrorReply

/** Binds replies to the name of this node, which service errors carry. */
export function responder(participant: string): Respond {
  return (outcome, context, body) => {
    if (!(outcome instanceof LedgerError)) return { status: 200, body: body(outcome) }
    return errorReply(outcome, { traceId: context.traceId, participant })
  }
}

/** The caller; the guard lets nobody through without one where `x-access` requires a token. */
export function callerOf({ principal }: Context): Principal {
  if (principal === undefined) throw new Error('an operation that needs a caller was reached without one')
  return principal
}
