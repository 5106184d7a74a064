// Which parties live on this node, and who signs for them.
import { validatorRight } from '../contracts/index.ts'
import type { PartyRecord, Store } from '../store/store.ts'
import { nodeSpace } from '../participant/node.ts'
import type { Economy } from './economy.ts'

/**
 * `local`: this node signs for the party. `external`: this node hosts it, its keys are elsewhere.
 */
export type Hosting = 'local' | 'external'

const PAGE = 500
const MAX_RIGHTS = 200

/** Hosting of the parties that live on this node; others are absent. */
export async function hostingOf(
  { store }: Pick<Economy, 'store'>,
  parties: Iterable<string>,
): Promise<ReadonlyMap<string, Hosting>> {
  const asked = [...new Set(parties)]
  const hosted = new Map<string, Hosting>()
  for (let from = 0; from < asked.length; from += PAGE) {
    const known = await store.parties.get(asked.slice(from, from + PAGE))
    for (const record of known) if (record.isLocal) hosted.set(record.party, hostingIn(record))
  }
  return hosted
}

/**
 * Whether this node signs for a party; a party with keys of its own signs for itself.
 * docs/authority.md
 */
export async function signsFor(
  { parties }: Pick<Store, 'parties'>,
  party: string,
): Promise<boolean> {
  const [known] = await parties.get([party])
  return known?.isLocal === true && hostingIn(known) === 'local'
}

/**
 * Whether the operator is the party's validator: of a wallet's party, or of an external one that
 * was set up here. The right is one of the party's first: those that the party gave itself
 * afterwards, any number of them, are not all read.
 */
export async function isServedHere(
  { reader, parties: { operator } }: Pick<Economy, 'parties' | 'reader'>,
  party: string,
): Promise<boolean> {
  const rights = await reader.active(validatorRight, { user: party }, { limit: MAX_RIGHTS })
  return rights.some(({ payload }) => payload.validator === operator)
}

/**
 * `PAR::name::fingerprint` of each node that hosts a party of a node that is alone; empty for a
 * party that it does not know.
 */
export async function hostsHere(
  { parties }: Pick<Store, 'parties'>,
  member: string,
  party: string,
): Promise<readonly string[]> {
  const [known] = await parties.get([party])
  if (known === undefined) return []
  const uids = known.topology === '' ? [member] : uidsOf(known)
  return uids.map((uid) => (nodeSpace(uid) === nodeSpace(member) ? member : `PAR::${uid}`))
}

/** Whether any node of the ledger knows the party. */
export async function isKnown(
  { hostsOf }: Pick<Economy, 'hostsOf'>,
  party: string,
): Promise<boolean> {
  return (await hostsOf(party)).length > 0
}

/** Uids of the nodes that an outside party's topology names, in its order. */
export function uidsOf({ topology }: Pick<PartyRecord, 'topology'>): readonly string[] {
  const {
    participants,
  }: { readonly participants: readonly { readonly participantUid: string }[] } =
    JSON.parse(topology)
  return participants.map(({ participantUid }) => participantUid)
}

function hostingIn({ topology }: PartyRecord): Hosting {
  return topology === '' ? 'local' : 'external'
}
