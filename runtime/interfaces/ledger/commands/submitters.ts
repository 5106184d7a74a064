// Which parties a command may be submitted for here: those that this node signs for. A party whose
// keys are outside signs for itself, whatever rights a user has over it. docs/ledger-rules.md,
// "Topology" and "Commands"
import type { PartyStore } from '../../../store/store.ts'
import type { LedgerError } from '../../../errors/errors.ts'
import { ledgerError } from '../../../errors/errors.ts'

/**
 * NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT where one of the parties is unknown, or signs
 * for itself.
 */
export async function submittersProblem(
  parties: PartyStore,
  actAs: readonly string[],
): Promise<LedgerError | undefined> {
  const known = await parties.get(actAs)
  const signedForHere = new Set(
    known.flatMap(({ party, isLocal, topology }) => (isLocal && topology === '' ? [party] : [])),
  )
  const strangers = actAs.filter((party) => !signedForHere.has(party))
  if (strangers.length === 0) return undefined
  return ledgerError('NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT', {
    unknown_submitters: strangers.join(', '),
  })
}
