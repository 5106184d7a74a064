// The state of the ledger, and the node's connections. docs/ledger-rules.md, "Offsets" and
// "Pruning"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { PartyRecord, Store } from '../../store/store.ts'
import { invalidArgument } from '../../errors/errors.ts'
import { partyProblem } from '../../errors/grammar.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import type { Context, Respond } from '../reply.ts'

export function stateHandlers(
  { updates, parties }: Store,
  node: NodeIdentity,
  respond: Respond,
) {
  const synchronizer = {
    synchronizerAlias: node.synchronizerAlias,
    synchronizerId: node.synchronizerId,
  }
  return {
    getLedgerEnd: async () => ({ status: 200, body: { offset: await updates.ledgerEnd() } }),
    getLatestPrunedOffsets: async () => {
      const { participant, divulged } = await updates.prunedUpTo()
      return {
        status: 200,
        body: {
          participantPrunedUpToInclusive: participant,
          allDivulgedContractsPrunedUpToInclusive: divulged,
        },
      }
    },
    getConnectedSynchronizers: async ({ query }, context) => {
      if (!query.party) return { status: 200, body: { connectedSynchronizers: [synchronizer] } }
      const problem = partyProblem(query.party)
      if (problem !== undefined) return respond.refuse(invalidArgument(problem), context)
      const [party] = await parties.get([query.party])
      const connected = party?.isLocal ? [{ ...synchronizer, permission: permissionOf(party) }] : []
      return { status: 200, body: { connectedSynchronizers: connected } }
    },
  } satisfies Partial<Handlers<Context>>
}

/**
 * This node's permission: to confirm for a party with an outside key; for others also to submit.
 */
function permissionOf({
  topology,
}: PartyRecord): 'PARTICIPANT_PERMISSION_CONFIRMATION' | 'PARTICIPANT_PERMISSION_SUBMISSION' {
  return topology === ''
    ? 'PARTICIPANT_PERMISSION_SUBMISSION'
    : 'PARTICIPANT_PERMISSION_CONFIRMATION'
}
