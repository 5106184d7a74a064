// A node's parties as they are hosted now: a party with keys of its own may have moved, which its
// hosting says, and not what the node once stored of it. docs/decisions/0032-nodes.md
import type { PartyRecord, PartyStore, Store } from '../store/store.ts'
import { hostsNow, readHosting } from './hosting-record.ts'

/**
 * The store of one of several nodes, whose parties are local only while the node hosts them.
 *
 * @param store of the node
 */
export function hostedStore(store: Store, participantUid: string): Store {
  const { parties, contracts } = store
  const asHosted = async (record: PartyRecord): Promise<PartyRecord> => {
    const hosting = record.topology === '' ? undefined : await readHosting(contracts, record.party)
    if (hosting === undefined) return record
    const isLocal = hostsNow(hosting).includes(participantUid)
    return { ...record, isLocal, topology: hosting.topology }
  }
  const all = (records: readonly PartyRecord[]) => Promise.all(records.map(asHosted))
  const own: PartyStore = {
    get: async (asked) => all(await parties.get(asked)),
    list: async (page) => all(await parties.list(page)),
    allocate: (party, grantTo) => parties.allocate(party, grantTo),
    update: async (party, expected, annotations) => {
      const updated = await parties.update(party, expected, annotations)
      return typeof updated === 'string' ? updated : asHosted(updated)
    },
  }
  return { ...store, parties: own }
}
