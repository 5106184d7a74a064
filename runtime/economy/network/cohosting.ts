// How nodes of one ledger agree to host a party: each consent is a fact, and whoever gives the last
// one has the party hosted as agreed. docs/decisions/0032-nodes.md
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Engine } from '../../engine/index.ts'
import type { Cohosting, ProposedParty } from '../../participant/identity/cohosting.ts'
import { hostsNow } from '../../participant/hosting-record.ts'
import type { HostingRecord } from '../../participant/hosting-record.ts'
import { readNamespaces } from '../../participant/namespace-record.ts'
import { nodeSpace } from '../../participant/node.ts'
import type { NodeIdentity } from '../../participant/node.ts'
import { nextSerial, successionOf } from '../../participant/succession.ts'
import { bodyIn } from '../../store/rules.ts'
import type { Store } from '../../store/store.ts'
import { hostAgain, hostFirst } from './host-party.ts'
import type { Agreement } from './host-party.ts'
import { hostingOnLedger, knownNodes } from './nodes.ts'
import { openProposals } from './proposed-parties.ts'

const KIND = 'hosting-consents'

/** Consents by uid of the node that agreed, each with the role in which it keeps the party. */
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
  /** The store of all nodes. */
  readonly store: Store
  readonly engine: Pick<Engine, 'recordFacts'>
  readonly node: Pick<NodeIdentity, 'key' | 'participantUid' | 'serialBase'>
}

/** The cohosting of one node, over the store of all nodes. */
export function createCohosting(input: CohostingInput): Cohosting {
  const { store } = input
  const { serialBase } = input.node
  return {
    strangers: async (uids) => {
      const known = new Set((await knownNodes(store)).map(({ participantUid }) => participantUid))
      return uids.filter((uid) => !known.has(uid))
    },
    nextSerial: async (party, hosts) => {
      const hosting = await hostingOnLedger(store, party)
      const spaces = new Set(hosts.map(nodeSpace))
      const isTheirs = hosting && hostsNow(hosting).some((space) => spaces.has(space))
      return isTheirs === true ? nextSerial(hosting.serial, serialBase) : 1
    },
    consent: async (proposed) => {
      const { party, dated } = proposed
      const before = await hostingOnLedger(store, party.party)
      const namespaces = await readNamespaces(store.contracts, dated)
      const { topology } = party
      const inForce = { hosting: before, namespaces, serialBase }
      const succession = successionOf(inForce, { topology, dated })
      if (succession !== 'same' && succession !== 'next') return succession
      const others = proposed.hosts.filter((uid) => uid !== input.node.participantUid)
      const given = others.length === 0 ? {} : await record(input, proposed)
      if (given === undefined) return 'too-many-proposed'
      const hosting = new Set(before && hostsNow(before))
      if (others.some((uid) => !hosting.has(nodeSpace(uid)) && given[uid] === undefined))
        return 'proposed'
      const agreement = await agreementOf(input, proposed, given, before)
      return dated.serial === 1 ? hostFirst(input, agreement) : hostAgain(input, agreement)
    },
  }
}

async function agreementOf(
  { store, node }: CohostingInput,
  { party, grantTo: ownGrant, dated, hosts: uids }: ProposedParty,
  given: Consents,
  before: HostingRecord | undefined,
): Promise<Agreement> {
  const grantOf = ({ key, participantUid }: Pick<NodeIdentity, 'key' | 'participantUid'>) => {
    const { identityProviderId = '', grantTo } = given[participantUid] ?? {}
    return { key, participantUid, identityProviderId, grantTo: grantTo ?? undefined }
  }
  const { identityProviderId } = party
  const { key: ownKey, participantUid } = node
  const own = { key: ownKey, participantUid, identityProviderId, grantTo: ownGrant }
  const others = (await knownNodes(store)).filter(
    ({ key, participantUid }) => key !== node.key && uids.includes(participantUid),
  )
  return { party, dated, spaces: uids.map(nodeSpace), before, own, others: others.map(grantOf) }
}

/**
 * What has been given so far, with this node's consent among it; undefined where the user has too
 * many open.
 */
async function record(
  { engine, node, store }: CohostingInput,
  proposed: ProposedParty,
): Promise<Consents | undefined> {
  const { party, grantTo, dated, maxProposed } = proposed
  const name = { kind: KIND, key: keyOf(proposed) }
  const { participantUid } = node
  const open =
    grantTo === undefined || maxProposed === undefined
      ? undefined
      : await openProposals(store, { participantUid, userId: grantTo.userId }, maxProposed)
  let given: Consents | undefined
  await engine.recordFacts([name, ...(open ? [open.name] : [])], (found) => {
    const added = { key: name.key, party: party.party, serial: dated.serial }
    const proposals = open?.with(bodyIn(found, open.name), added)
    given = undefined
    if (open !== undefined && proposals === undefined) return []
    const body = bodyIn(found, name)
    const before = body === undefined ? {} : consents.parse(JSON.parse(body))
    const own = {
      identityProviderId: party.identityProviderId,
      grantTo: grantTo === undefined ? null : { ...grantTo, inProvider: grantTo.inProvider ?? '' },
    }
    given = { ...before, [participantUid]: own }
    return [{ ...name, body: JSON.stringify(given) }, ...(proposals ? [proposals] : [])]
  })
  return given
}

/**
 * Who holds the party's keys may have signed several topologies: each is agreed to by itself, and
 * again where it comes back with a later serial.
 */
function keyOf({ party: { party, topology }, dated: { serial } }: ProposedParty): string {
  return `${party} ${hash('sha256', serial === 1 ? topology : `${serial} ${topology}`)}`
}
