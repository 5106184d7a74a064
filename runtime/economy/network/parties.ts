// Who the network's parties are. Its beginning writes them down, and from then on what is written
// holds, whatever the names in the configuration have become.
import { z } from 'zod'
import type { FactRecord, Store } from '../../store/store.ts'
import type { NetworkParties } from '../economy.ts'
import type { Ids } from '../../participant/node.ts'
import { uniqueIdentifier } from '../../participant/topology/unique-identifier.ts'
import { knownNodes } from './nodes.ts'
import { partyHint } from '../wallets/party-hint.ts'

/** The fact that holds the network's parties. */
export const PARTIES = { kind: 'network', key: 'parties' } as const
const written = z.object({
  dso: z.string(),
  sv: z.string(),
  operator: z.string(),
  operatorUser: z.string(),
})

interface PartiesInput {
  readonly store: Store
  readonly ids: Ids
  readonly validatorWalletUser: string
}

/**
 * The parties of the network and of this node's validator; allocates nothing. Throws an Error with
 * one line for people when the ledger's operator is another user.
 */
export async function networkParties(input: PartiesInput): Promise<NetworkParties> {
  const { store, ids, validatorWalletUser } = input
  const { node, dso, sv } = ids
  const member = `PAR::${node.participantUid}`
  if (node.key !== '') return laterParties(input, member)
  const fact = await store.contracts.fact(PARTIES.kind, PARTIES.key)
  if (fact !== undefined) {
    const { operatorUser, ...parties } = written.parse(JSON.parse(fact.body))
    if (operatorUser === validatorWalletUser) return { ...parties, member }
    throw new Error(
      `validator.validatorWalletUser is "${validatorWalletUser}", but this ledger's operator is the user "${operatorUser}"`,
    )
  }
  return { dso, sv, operator: await operatorParty(input), member }
}

/** The parties of a node that joins an existing network. */
async function laterParties(input: PartiesInput, member: string): Promise<NetworkParties> {
  const { store, ids, validatorWalletUser } = input
  const fact = await store.contracts.fact(PARTIES.kind, PARTIES.key)
  if (fact === undefined)
    throw new Error('this ledger has no network yet: its first node has to start before others')
  const { dso, sv } = written.parse(JSON.parse(fact.body))
  const known = (await knownNodes(store)).find(({ key }) => key === ids.node.key)
  if (known === undefined) return { dso, sv, operator: await operatorParty(input), member }
  if (known.operatorUser !== validatorWalletUser)
    throw new Error(
      `validator.validatorWalletUser is "${validatorWalletUser}", but the operator of the node "${known.name}" is the user "${known.operatorUser}"`,
    )
  return { dso, sv, operator: known.operator, member }
}

/** The fact of the network's parties that its beginning writes. */
export function partiesFact(
  { dso, sv, operator }: NetworkParties,
  operatorUser: string,
): FactRecord {
  return { ...PARTIES, body: JSON.stringify({ dso, sv, operator, operatorUser }) }
}

/** The user's own party, else one named after the user. */
async function operatorParty({
  store,
  ids: { node },
  validatorWalletUser: name,
}: PartiesInput): Promise<string> {
  const user = await store.users.get(name)
  return user?.primaryParty || uniqueIdentifier(partyHint(name, ''), node.namespace)
}
