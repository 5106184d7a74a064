// Who the network's parties are. Names alone decide, so that all servers and every start agree; only the operator's party is what
// it once became. interface.md §1 item 2
import { walletAppInstall } from '../../contracts/index.ts'
import type { Reader } from '../../ledger/index.ts'
import type { Store } from '../../store/store.ts'
import type { NetworkParties } from '../economy.ts'
import { uniqueIdentifier } from '../ledger/topology/unique-identifier.ts'
import type { NodeIdentity } from '../node.ts'
import { namespaceOf } from '../node.ts'
import { partyHint } from '../wallet/party-hint.ts'

export interface PartiesInput {
  readonly store: Store
  readonly reader: Reader
  readonly node: NodeIdentity
  readonly networkName: string
  readonly svName: string
  readonly validatorWalletUser: string
}

/** The parties of the network and of this node's validator; allocates nothing. */
export async function networkParties(input: PartiesInput): Promise<NetworkParties> {
  const { node, networkName, svName } = input
  return {
    dso: uniqueIdentifier('DSO', namespaceOf(networkName)),
    sv: uniqueIdentifier(partyHint(svName), namespaceOf(svName)),
    operator: await operatorParty(input),
    member: `PAR::${node.participantUid}`,
  }
}

/** That of the wallet once there is one, else the user's own, else one named after the user. */
async function operatorParty({ store, reader, node, validatorWalletUser: name }: PartiesInput): Promise<string> {
  const installs = await reader.active(walletAppInstall, { key: [2, name] })
  const own = installs.find(({ payload }) => payload.endUserParty === payload.validatorParty)
  if (own !== undefined) return own.payload.endUserParty
  const user = await store.users.get(name)
  return user?.primaryParty || uniqueIdentifier(partyHint(name), node.namespace)
}
