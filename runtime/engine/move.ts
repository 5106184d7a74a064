// A contract moves between synchronizers: unassigned it is in flight, and nobody can use it until
// it is assigned. docs/ledger-rules.md, "Assignment"
import { encodeReassignment } from './update-body.ts'
import type { MoveNames } from './transaction.ts'
import type { FactRecord } from '../store/store.ts'

/** Fact kind, by contract id: which synchronizer a contract in flight left, and by which update. */
export const IN_FLIGHT = 'in-flight'

export interface Move {
  readonly kind: 'move'
  readonly updateId: string
  readonly contractId: string
  /** '' takes it off its synchronizer. */
  readonly to: string
  /** The destination of a contract that leaves. */
  readonly target: string
  /** The names of `Reassignment`. */
  readonly names?: MoveNames | undefined
  /** The contract's stakeholders. */
  readonly seenBy: readonly string[]
  /** Written with it. */
  readonly facts: readonly FactRecord[]
}

interface Origin {
  readonly source: string
  readonly unassignId: string
}

/**
 * What a move writes, given the ledger's synchronizer and, for a contract in flight, where it came
 * from.
 */
export function moveTexts(
  { updateId, contractId, to, target, names }: Move,
  at: string,
  origin: string | undefined,
): { readonly body: string; readonly facts: readonly FactRecord[] } {
  if (to === '') {
    const body = encodeReassignment({
      updateId,
      kind: 'unassigned',
      contractId,
      source: at,
      target,
      ...(names && { names }),
    })
    return {
      body,
      facts: [
        {
          kind: IN_FLIGHT,
          key: contractId,
          body: JSON.stringify({ source: at, unassignId: updateId }),
        },
      ],
    }
  }
  const { source, unassignId }: Origin = JSON.parse(origin ?? '{"source":"","unassignId":""}')
  return {
    body: encodeReassignment({
      updateId,
      kind: 'assigned',
      contractId,
      source,
      target: to,
      unassignId,
      ...(names && { names }),
    }),
    facts: [],
  }
}
