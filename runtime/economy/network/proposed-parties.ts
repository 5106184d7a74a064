// Parties that a user has had this node agree to, and that other nodes have not: each such consent
// is kept, so whoever may allocate few parties may have few of them open.
// docs/decisions/0032-nodes.md
import { z } from 'zod'
import type { FactName, FactRecord, Store } from '../../store/store.ts'
import { hostingOnLedger } from './nodes.ts'

const KIND = 'hosting-proposed'

const written = z.array(z.object({ key: z.string(), party: z.string(), serial: z.int() }))

type Proposal = z.output<typeof written>[number]

/** A user's open proposals, read together with the one to be added. */
export interface OpenProposals {
  readonly name: FactName
  /**
   * The fact with one more, by what is in it now; undefined where that would be too many.
   *
   * @param body undefined where the user has none yet
   */
  with(body: string | undefined, added: Proposal): FactRecord | undefined
}

/**
 * Proposals count until their party is hosted as they say, or in a later way.
 *
 * @param user of which node, and who
 */
export async function openProposals(
  store: Store,
  user: { readonly participantUid: string; readonly userId: string },
  most: number,
): Promise<OpenProposals> {
  const name = { kind: KIND, key: `${user.participantUid} ${user.userId}` }
  const known = proposalsIn((await store.contracts.fact(name.kind, name.key))?.body)
  const settled = new Set<string>()
  for (const { key, party, serial } of known)
    if (((await hostingOnLedger(store, party))?.serial ?? 0) >= serial) settled.add(key)
  return {
    name,
    with: (body, added) => {
      const others = proposalsIn(body).filter(({ key }) => key !== added.key && !settled.has(key))
      return others.length < most
        ? { ...name, body: JSON.stringify([...others, added]) }
        : undefined
    },
  }
}

function proposalsIn(body: string | undefined): readonly Proposal[] {
  return body === undefined ? [] : written.parse(JSON.parse(body))
}
