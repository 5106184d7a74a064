// What auth plugins may look up of the ledger: identity providers, users, keys of parties.
// docs/authentication.md
import type { AccessDirectory, PartyKey } from '../host/plugin.ts'
import type { PartyStore } from '../store/store.ts'
import { tokenKeysOf } from './topology/party-topology.ts'
import { userIdProblem } from '../errors/grammar.ts'
import { parseUniqueIdentifier } from './topology/unique-identifier.ts'
import type { NodeIdentity } from './node.ts'
import type { PrincipalDirectory } from '../access/principal.ts'
import type { ProviderDirectory } from '../access/provider.ts'

interface DirectoryParts {
  readonly parties: PartyStore
  readonly principals: PrincipalDirectory
  readonly providers: ProviderDirectory
  readonly node: Pick<NodeIdentity, 'participantUid' | 'synchronizerId'>
}

/**
 * The directory of a node, over the caches that its guard has. What could be nobody's name is not
 * looked for.
 */
export function accessDirectory({
  parties,
  principals,
  providers,
  node,
}: DirectoryParts): AccessDirectory {
  return {
    audience: [node.participantUid, node.synchronizerId],
    providerOf: (issuer) => providers.ofIssuer(issuer),
    provider: (id) => providers.get(id),
    user: (id) => (userIdProblem(id) === undefined ? principals.user(id) : undefined),
    // A key that a party replaces is most often a lost one: its tokens end at once.
    partyKeys: (party) => keysOf(parties, party),
  }
}

/** None where the party is not hosted here, or several keys must sign for it. */
async function keysOf(store: PartyStore, party: string): Promise<readonly PartyKey[]> {
  if (typeof parseUniqueIdentifier(party) === 'string') return []
  const [record] = await store.get([party])
  return record?.isLocal === true ? tokenKeysOf(record.topology) : []
}
