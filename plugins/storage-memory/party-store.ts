// Parties in memory.
import {
  actAsRight,
  compareRights,
  compareUtf8,
  partyTexts,
  pickRights,
} from '../../runtime/index.ts'
import { checker, entryOf, knownProvider } from './tables.ts'
import type { PartyGrant, PartyRecord, PartyStore } from '../../runtime/index.ts'
import type { Tables } from './tables.ts'

export function partyStore(tables: Tables): PartyStore {
  const { parties } = tables
  const check = checker(tables)
  return {
    get: async (ids) =>
      check(...ids) && byParty([...new Set(ids)].flatMap((id) => parties.get(id) ?? [])),
    list: async ({ identityProviderId, prefix, after, limit }) =>
      check(identityProviderId, prefix, after) &&
      byParty([...parties.values()])
        .filter((party) => party.identityProviderId === identityProviderId)
        .filter(({ party }) => party.startsWith(prefix) && compareUtf8(party, after) > 0)
        .slice(0, limit),
    allocate: async (party, grantTo) => {
      check(...partyTexts(party, grantTo))
      return allocate(tables, party, grantTo)
    },
    update: async (id, expected, annotations) => {
      check(id)
      const found = parties.get(id)
      if (found === undefined) return 'missing'
      if (found.resourceVersion !== expected) return 'stale'
      const updated = { ...found, annotations: { ...annotations }, resourceVersion: expected + 1n }
      parties.set(id, updated)
      return updated
    },
  }
}

function allocate(
  tables: Tables,
  party: Omit<PartyRecord, 'resourceVersion'>,
  grantTo: PartyGrant | undefined,
): 'created' | 'exists' | 'unknown-provider' | 'unknown-user' | 'too-many' {
  if (tables.parties.has(party.party)) return 'exists'
  if (!knownProvider(tables, party.identityProviderId)) return 'unknown-provider'
  if (grantTo !== undefined) {
    const entry = entryOf(tables, grantTo.userId, grantTo.inProvider)
    if (entry === undefined) return 'unknown-user'
    const rights = [...entry.rights, ...pickRights([actAsRight(party.party)], entry.rights, false)]
    if (rights.length > grantTo.maxRights) return 'too-many'
    entry.rights = rights.sort(compareRights)
  }
  tables.parties.set(party.party, {
    ...party,
    annotations: { ...party.annotations },
    resourceVersion: 0n,
  })
  return 'created'
}

function byParty(parties: readonly PartyRecord[]): readonly PartyRecord[] {
  return parties.toSorted((a, b) => compareUtf8(a.party, b.party))
}
