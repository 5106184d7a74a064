// Parties and packages of the JSON file. Payloads are kept as Base64; they are read before anything
// changes.
import {
  actAsRight,
  compareRights,
  compareUtf8,
  distinctPackages,
  packageTexts,
  partyTexts,
  pickRights,
  verifiedPayload,
} from 'ledgerwright'

/** @import { PackageRecord, PackageStore, PartyRecord, PartyStore } from 'ledgerwright' */
/** @import { Access, Tables } from './json-store.js' */

const PIECE_BYTES = 1024 * 1024

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {PartyStore}
 */
export function partyStore({ users, providers, parties }, read, write) {
  return {
    get: (ids) =>
      read(ids, () => byParty([...parties.values()].filter(({ party }) => ids.includes(party)))),
    list: ({ identityProviderId, prefix, after, limit }) =>
      read([identityProviderId, prefix, after], () =>
        byParty([...parties.values()])
          .filter((party) => party.identityProviderId === identityProviderId)
          .filter(({ party }) => party.startsWith(prefix) && compareUtf8(party, after) > 0)
          .slice(0, limit),
      ),
    allocate: (party, grantTo) =>
      write(partyTexts(party, grantTo), () => {
        if (parties.has(party.party)) return 'exists'
        if (party.identityProviderId !== '' && !providers.has(party.identityProviderId))
          return 'unknown-provider'
        if (grantTo !== undefined) {
          const entry = users.get(grantTo.userId)
          const isElsewhere =
            grantTo.inProvider !== undefined &&
            entry?.user.identityProviderId !== grantTo.inProvider
          if (entry === undefined || isElsewhere) return 'unknown-user'
          const rights = [
            ...entry.rights,
            ...pickRights([actAsRight(party.party)], entry.rights, false),
          ]
          if (rights.length > grantTo.maxRights) return 'too-many'
          entry.rights = rights.sort(compareRights)
        }
        parties.set(party.party, {
          ...party,
          annotations: { ...party.annotations },
          resourceVersion: 0n,
        })
        return 'created'
      }),
    update: (id, expected, annotations) =>
      write([id], () => {
        const found = parties.get(id)
        if (found === undefined) return 'missing'
        if (found.resourceVersion !== expected) return 'stale'
        const updated = {
          ...found,
          annotations: { ...annotations },
          resourceVersion: expected + 1n,
        }
        parties.set(id, updated)
        return updated
      }),
  }
}

/**
 * @param {Tables} tables
 * @param {Access} read
 * @param {Access} write
 * @returns {PackageStore}
 */
export function packageStore(tables, read, write) {
  const { packages } = tables
  const records = (/** @type {(record: PackageRecord) => boolean} */ wanted) =>
    [...packages.values()]
      .map(({ record }) => record)
      .filter(wanted)
      .sort((a, b) => compareUtf8(a.packageId, b.packageId))
  /** @type {(vet: readonly string[], expected: bigint) => boolean} */
  const isStale = (vet, expected) => vet.length > 0 && tables.vetting !== expected
  return {
    list: () => read([], () => records(() => true).map(({ packageId }) => packageId)),
    get: (ids) => read(ids, () => records(({ packageId }) => ids.includes(packageId))),
    named: (names) => read(names, () => records(({ name }) => names.includes(name))),
    payloadStream: (id) =>
      read([id], () => {
        const entry = packages.get(id)
        return entry && piecesOf(Buffer.from(entry.payload, 'base64'))
      }),
    vettingVersion: () => read([], () => tables.vetting),
    upload: async (uploads, vet, expectedVetting) => {
      const fresh = await read([...packageTexts(uploads), ...vet], () =>
        distinctPackages(uploads).filter(({ packageId }) => !packages.has(packageId)),
      )
      const there = new Set([...packages.keys(), ...fresh.map(({ packageId }) => packageId)])
      if (!vet.every((id) => there.has(id))) return 'missing'
      if (isStale(vet, expectedVetting)) return 'stale'
      const entries = await Promise.all(
        fresh.map(async (upload) => {
          const { packageId, name, version, size, summary } = upload
          const payload = Buffer.from(await verifiedPayload(upload)).toString('base64')
          return { record: { packageId, name, version, size, summary, vetted: false }, payload }
        }),
      )
      return write([], () => {
        if (isStale(vet, expectedVetting)) return 'stale'
        for (const entry of entries)
          packages.set(entry.record.packageId, packages.get(entry.record.packageId) ?? entry)
        const changed = vet
          .flatMap((id) => packages.get(id) ?? [])
          .filter(({ record }) => !record.vetted)
        for (const entry of changed) entry.record = { ...entry.record, vetted: true }
        if (changed.length > 0) tables.vetting += 1n
        return 'stored'
      })
    },
  }
}

/** @param {readonly PartyRecord[]} parties */
function byParty(parties) {
  return [...parties].sort((a, b) => compareUtf8(a.party, b.party))
}

/** @param {Uint8Array} payload */
async function* piecesOf(payload) {
  for (let start = 0; start < payload.length; start += PIECE_BYTES)
    yield payload.slice(start, start + PIECE_BYTES)
}
