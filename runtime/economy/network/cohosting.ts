// How nodes of one ledger agree to host a party together: each consent is a fact, and whoever gives
// the last one allocates the party everywhere. docs/decisions/0032-nodes.md
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Engine } from '../../engine/index.ts'
import type { Cohosting, ProposedParty } from '../../participant/identity/cohosting.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import { nodeStore } from '../../store/node-store.ts'
import type { PartyStore, Store } from '../../store/store.ts'
import { knownNodes } from './nodes.ts'
import type { KnownNode } from './nodes.ts'
import type { Economy } from '../economy.ts'
import { isElsewhere } from '../hosting.ts'

const KIND = 'hosting-consents'

/** By uid of the node that agreed: as what it keeps the party. */
const consents = z.record(
  z.string(),
  z.object({
    identityProviderId: z.string(),
    grantTo: z
      .object({ userId: z.string(), inProvider: z.string(), maxRights: z.int() })
      .nullable(),
  }),
)

type Consents = z.output<typeof consents>

interface CohostingInput {
  /** Where a party is, on the whole ledger. */
  readonly economy: Pick<Economy, 'hostsOf' | 'parties'>
  /** Of all nodes. */
  readonly store: Store
  readonly engine: Pick<Engine, 'recordFacts'>
  readonly node: Pick<NodeIdentity, 'participantUid'>
}

/** Over the store of all nodes, for one of them. */
export function createCohosting(input: CohostingInput): Cohosting {
  const { store } = input
  return {
    strangers: async (uids) => {
      const known = new Set((await knownNodes(store)).map(({ participantUid }) => participantUid))
      return uids.filter((uid) => !known.has(uid))
    },
    isElsewhere: (party) => isElsewhere(input.economy, party),
    consent: async (proposed) => {
      const given = await record(input, proposed)
      const nodes = await knownNodes(store)
      const others = proposed.others.flatMap(
        (uid) => nodes.find(({ participantUid }) => participantUid === uid) ?? [],
      )
      if (others.some(({ participantUid }) => given[participantUid] === undefined))
        return 'proposed'
      const own = nodes.find(({ participantUid }) => participantUid === input.node.participantUid)
      if (await isOtherwise(store, nodes, proposed)) return 'exists'
      const outcome = await ownAllocation(store, own, proposed)
      if (outcome !== 'created' && outcome !== 'exists') return outcome
      for (const other of others) await allocate(store, other, proposed, given)
      return outcome
    },
  }
}

/** First, so that nothing has come about where this node's caller asked for what cannot be. */
function ownAllocation(
  store: Store,
  own: KnownNode | undefined,
  { party, grantTo }: ProposedParty,
): ReturnType<PartyStore['allocate']> {
  return nodeStore(store, own?.key ?? '').parties.allocate(party, grantTo)
}

/** What has been given so far, with this node's consent among it. */
async function record(
  { engine, node }: CohostingInput,
  { party, grantTo }: ProposedParty,
): Promise<Consents> {
  const name = { kind: KIND, key: keyOf(party) }
  let given: Consents = {}
  await engine.recordFacts([name], ({ facts }) => {
    const body = facts.get(KIND)?.get(name.key)
    const before = body === undefined ? {} : consents.parse(JSON.parse(body))
    const own = {
      identityProviderId: party.identityProviderId,
      grantTo: grantTo === undefined ? null : { ...grantTo, inProvider: grantTo.inProvider ?? '' },
    }
    given = { ...before, [node.participantUid]: own }
    return [{ ...name, body: JSON.stringify(given) }]
  })
  return given
}

/** Who holds the party's keys may have signed several topologies: each is agreed to by itself. */
function keyOf({ party, topology }: ProposedParty['party']): string {
  return `${party} ${hash('sha256', topology)}`
}

/** Whether a node hosts the party already, and not together with these. */
async function isOtherwise(
  store: Store,
  nodes: readonly KnownNode[],
  { party: { party, topology } }: ProposedParty,
): Promise<boolean> {
  for (const { key } of nodes) {
    const [known] = await nodeStore(store, key).parties.get([party])
    if (known !== undefined && known.topology !== topology) return true
  }
  return false
}

/**
 * At another node. Who was to have rights may be gone since: the party comes about without them, as
 * a node that has agreed hosts it.
 */
async function allocate(
  store: Store,
  { key, participantUid }: KnownNode,
  { party }: ProposedParty,
  given: Consents,
): Promise<void> {
  const { identityProviderId = '', grantTo = null } = given[participantUid] ?? {}
  const { parties } = nodeStore(store, key)
  const outcome = await parties.allocate({ ...party, identityProviderId }, grantTo ?? undefined)
  if (outcome !== 'created' && outcome !== 'exists')
    await parties.allocate({ ...party, identityProviderId: '' }, undefined)
}
