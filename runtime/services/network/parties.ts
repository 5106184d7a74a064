// Who the network's parties are. On a new ledger names alone decide, so that all servers that start at once agree; afterwards the ledger
// says, whatever the names have become. interface.md §1 item 2
import type { WalletAppInstall } from '../../../generated/contracts.gen.ts'
import { dsoRules, walletAppInstall } from '../../contracts/index.ts'
import type { Contract, Reader } from '../../ledger/index.ts'
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
  const { reader, node, networkName, svName } = input
  const install = await operatorInstall(input)
  const dso = install?.payload.dsoParty ?? uniqueIdentifier('DSO', namespaceOf(networkName))
  const [rules] = await reader.active(dsoRules, { key: [1, dso], limit: 1 })
  return {
    dso,
    sv: rules?.payload.svs[0]?.[0] ?? uniqueIdentifier(partyHint(svName), namespaceOf(svName)),
    operator: install?.payload.endUserParty ?? await operatorParty(input),
    member: `PAR::${node.participantUid}`,
  }
}

/** The operator's wallet: the oldest one of its user that is its own validator's. */
async function operatorInstall({ reader, validatorWalletUser: name }: PartiesInput): Promise<Contract<WalletAppInstall> | undefined> {
  const installs = await reader.active(walletAppInstall, { key: [2, name], order: 'created' })
  return installs.find(({ payload }) => payload.endUserParty === payload.validatorParty)
}

/** Before there is a wallet: the user's own party, else one named after the user. */
async function operatorParty({ store, node, validatorWalletUser: name }: PartiesInput): Promise<string> {
  const user = await store.users.get(name)
  return user?.primaryParty || uniqueIdentifier(partyHint(name), node.namespace)
}
