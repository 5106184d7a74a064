// What the evaluator asks of the ledger that it runs on. Authority, visibility, time, which code
// runs for a contract and in which version are the host's; a host function that cannot answer now
// throws, and the whole interpretation is repeated by whoever threw.
import type { Reference } from '../program/types.ts'
import type { Contract, Value } from '../values/value.ts'

/** A choice that the contract's code exercises. */
export interface HostExercise {
  /** The template or, where `isInterface`, the interface that the code names. */
  readonly on: Reference
  readonly isInterface: boolean
  readonly choice: string
  readonly contractId: string
  readonly argument: Value
}

/**
 * The ledger as code sees it. Synchronous: `exercise` runs the choice before it returns, with the
 * evaluator where a package has its code. Values are of the types that the code's package says;
 * the host converts where its contract is of another version.
 */
export interface UpdateHost {
  /** Answers the contract id. The host evaluates the precondition and the stakeholders. */
  create(template: Reference, payload: Value): string
  /** The payload as this template has it. */
  fetch(template: Reference, contractId: string): Value
  /** The contract as what implements the interface. */
  fetchInterface(interfaceName: Reference, contractId: string): Contract
  /** Answers the choice's result. An exception of the choice is thrown as `Thrown`. */
  exercise(exercise: HostExercise): Value
  /** The ledger's time, microseconds. */
  getTime(): bigint
  /** Whether the ledger's time is before `time`. */
  ledgerTimeBefore(time: bigint): boolean
  /** The state that `rollBack` returns to. Savepoints nest; one that is passed is forgotten. */
  savepoint(): Savepoint
}

export interface Savepoint {
  /** Undoes what happened since, and says so in the transaction. */
  rollBack(): void
}
