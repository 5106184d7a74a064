// How an interpretation ends before its end. Thrown inside the ledger only: the engine turns every
// one into a value.
import type { Rejection } from './rejection.ts'

export type InterruptReason =
  | { readonly kind: 'refused'; readonly rejection: Rejection }
  /** Contracts that nobody has looked up yet; it starts again when they are. */
  | { readonly kind: 'missing'; readonly contractIds: readonly string[] }
  /** A template that may be had, and is not at hand yet; it starts again when it is. */
  | { readonly kind: 'unready'; readonly templateId: string }
  /** A contract that an update on its way archives; it starts again when that is through. */
  | { readonly kind: 'contended'; readonly contractId: string }
  /** Refers to a contract that is younger than the effective time. */
  | { readonly kind: 'younger'; readonly createdAt: bigint }

export type Rejecting = Extract<InterruptReason, { readonly kind: 'refused' }>

export class Interrupt<T extends InterruptReason = InterruptReason> extends Error {
  override readonly name = 'Halt'
  readonly reason: T

  constructor(reason: T) {
    super(reason.kind)
    this.reason = reason
  }
}

/** The halt that refuses a transaction. */
export function refused(rejection: Rejection): Interrupt<Rejecting> {
  return new Interrupt<Rejecting>({ kind: 'refused', rejection })
}

/** The halt of a value that no codec reads. */
export function invalid(reason: string): Interrupt<Rejecting> {
  return refused({ kind: 'invalid', reason })
}

/** The value that a codec reads; refuses the transaction where it reads none. */
export function valid<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error))
  }
}

/** The halt of a plain requirement that does not hold. */
export function violated(
  message: string,
  category: 'argument' | 'state' = 'argument',
): Interrupt<Rejecting> {
  return refused({ kind: 'aborted', reason: { id: '', category, message } })
}

/** The refusal that an error is; undefined for others. */
export function rejectionIn(error: unknown): Rejection | undefined {
  const reason: InterruptReason | undefined = error instanceof Interrupt ? error.reason : undefined
  return reason?.kind === 'refused' ? reason.rejection : undefined
}
