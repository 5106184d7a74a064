// How an interpretation ends before its end. Thrown inside the ledger only: the engine turns every one into a value.
import type { Refusal } from './submission.ts'

export type HaltReason =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Contracts that nobody has looked up yet; it starts again when they are. */
  | { readonly kind: 'missing'; readonly contractIds: readonly string[] }
  /** A contract that an update on its way archives; it starts again when that is through. */
  | { readonly kind: 'contended'; readonly contractId: string }
  /** Refers to a contract that is younger than the effective time. */
  | { readonly kind: 'younger'; readonly createdAt: bigint }

export type Refusing = Extract<HaltReason, { readonly kind: 'refused' }>

export class Halt<T extends HaltReason = HaltReason> extends Error {
  override readonly name = 'Halt'
  readonly reason: T

  constructor(reason: T) {
    super(reason.kind)
    this.reason = reason
  }
}

/** The halt that refuses a transaction. */
export function refused(refusal: Refusal): Halt<Refusing> {
  return new Halt<Refusing>({ kind: 'refused', refusal })
}

/** The halt of a value that no codec reads. */
export function invalid(reason: string): Halt<Refusing> {
  return refused({ kind: 'invalid', reason })
}

/** The halt of a plain requirement that does not hold. */
export function violated(message: string, category: 'argument' | 'state' = 'argument'): Halt<Refusing> {
  return refused({ kind: 'aborted', fault: { id: '', category, message } })
}
