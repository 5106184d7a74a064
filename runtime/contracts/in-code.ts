// Which events are of our contracts. Names of choices do not tell: uploaded packages choose theirs
// as they like. docs/ledger-rules.md, "Packages"
import { packages } from '../../generated/contracts.gen.ts'
import type { ExerciseEvent } from '../engine/transaction.ts'

/** Whether an event is of a package in code; an upload of the same name never runs. */
export function isInCode({ packageName }: Pick<ExerciseEvent, 'packageName'>): boolean {
  return Object.hasOwn(packages, packageName)
}
