// Why the engine commits nothing of a submission.
import type { FactName } from '../store/store.ts'

/** How large a transaction may become: interpretation and commit stop everything else meanwhile. */
export interface TransactionLimits {
  readonly maxTransactionNodes: number
  /** Bytes of the stored update: payloads, arguments and results with their informees. */
  readonly maxTransactionBytes: number
}

/**
 * Why a choice refused. `id` '' is a plain requirement, `arithmetic-error` an amount that no
 * decimal holds; the others are the structured ids of docs/economy-rules.md, "Refused transfers".
 */
export interface AbortReason {
  readonly id: string
  /** `argument`: will never work; `state`: may work later. */
  readonly category: 'argument' | 'state'
  readonly message: string
  readonly metadata?: Readonly<Record<string, string>>
  /** The texts are those of whoever wrote the template: a vocabulary does not change them. */
  readonly isVerbatim?: true
}

/** The reason why the engine did not commit a submission. Nothing of it was written. */
export type Rejection =
  /** Unknown, archived or not visible: not told apart. */
  | { readonly kind: 'contract-not-found'; readonly contractId: string }
  /** The contract is in flight between synchronizers. */
  | { readonly kind: 'contract-in-flight'; readonly contractId: string }
  | { readonly kind: 'unauthorised'; readonly missing: readonly string[]; readonly what: string }
  | { readonly kind: 'aborted'; readonly reason: AbortReason }
  | { readonly kind: 'too-early'; readonly notBefore: bigint }
  | { readonly kind: 'too-late'; readonly before: bigint }
  /** The deadline may have passed: nobody has confirmed the step of this machine's clock. */
  | { readonly kind: 'time-in-doubt'; readonly before: bigint }
  /** The transaction has more than so many nodes or bytes. */
  | { readonly kind: 'too-large'; readonly of: keyof TransactionLimits; readonly limit: number }
  /** A command, a payload, an argument or a disclosed contract that is none. */
  | { readonly kind: 'invalid'; readonly reason: string }
  /** Would tell a party of a package that its node has not vetted. */
  | { readonly kind: 'unvetted'; readonly packageId: string; readonly participant: string }
  /** Needs a contract that a newer program wrote. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'duplicate'; readonly updateId: string; readonly offset: bigint }
  /** A fact of `unless` is there. */
  | { readonly kind: 'done-before'; readonly fact: FactName }
  /** The same command is under way. */
  | { readonly kind: 'duplicate-in-flight' }
  /** Others were faster, again and again. */
  | { readonly kind: 'contention'; readonly contractIds: readonly string[] }
  | { readonly kind: 'no-traffic'; readonly member: string; readonly missingBytes: bigint }
  /** Somebody has had as much as may be, for now: whose quota it is and of what, for people. */
  | {
      readonly kind: 'over-quota'
      readonly whose: string
      readonly what: string
      readonly retryMs: number
    }

export type Rejected = Rejection & { readonly ok: false }
