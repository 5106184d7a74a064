// What a handler gets beside its input.
import type { HandlerContext } from 'ledgerwright/http'

/** Who calls, as the guard (guard.ts) has found out. */
export interface Caller {
  readonly name: string
}

/**
 * The second argument of every handler: the caller, a logger, the trace, a signal that says when
 * nobody waits any more.
 */
export type Context = HandlerContext<Caller>
