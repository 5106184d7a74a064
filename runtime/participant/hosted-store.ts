// A node's parties as they are hosted now: a party with keys of its own may have moved, which its
// hosting says, and not what the node once stored of it. docs/decisions/0032-nodes.md
import type { PartyRecord, PartyStore, Store } from '../store/store.ts'
import { hostsNow, readHostings } from './hosting-record.ts'

/**
 * The store of one of several nodes, whose parties are local only while the node hosts them.
 *
 * @param store of the node
 * @param space as of `nodeSpace`
 */
export function hostedStore(store: Store, space: string): Store {
  const { parties, contracts } = store
  const all = async (records: readonly PartyRecord[]): Promise<readonly PartyRecord[]> => {
    const moving = records.filter(({ topology }) => topology !== '').map(({ party }) => party)
    if (moving.length === 0) return records
    const hostings = await readHostings(contracts, moving)
    return records.map((record) => {
      const hosting = record.topology === '' ? undefined : hostings.get(record.party)
      if (hosting === undefined) return record
      const isLocal = hostsNow(hosting).includes(space)
      return { ...record, isLocal, topology: hosting.topology }
    })
  }
  const own: PartyStore = {
    get: async (asked) => all(await parties.get(asked)),
    list: async (page) => all(await parties.list(page)),
    allocate: (party, grantTo) => parties.allocate(party, grantTo),
    update: async (party, expected, annotations) => {
      const updated = await parties.update(party, expected, annotations)
      if (typeof updated === 'string') return updated
      const [asHosted = updated] = await all([updated])
      return asHosted
    },
  }
  return { ...store, parties: own }
}
