// The rules that every storage plugin follows when it commits: which texts and ranks it rejects,
// and what `decide` sees.
import { requireStorable, storable } from './rules.ts'
import type { CommitReads, CommitWrites, FactRecord } from './contract-store.ts'

/** The largest rank, 38 digits: what SQL's exact numbers hold everywhere. */
export const MAX_RANK = 10n ** 38n - 1n

/** An entry of a database's index holds little; two ids and a short name fit. */
export const MAX_KEY_BYTES = 1_000
const MAX_BYTES_PER_UNIT = 3

/** Throws a TypeError where `storable` does for one of the texts that a commit asks for. */
export function storableReads({ contractIds, commandKeys, facts }: CommitReads): void {
  requireStorable(contractIds)
  requireStorable(commandKeys)
  for (const { kind, key } of facts) storable(kind, key)
}

/**
 * Throws a TypeError where `storable` does for one of the texts that are not JSON, where an id,
 * owner or key has more than 1,000 bytes, or where a rank is negative or has more than 38 digits.
 */
export function storableWrites(writes: CommitWrites): void {
  const keys: string[] = []
  for (const { updateId, seenBy = [] } of writes.updates) {
    keys.push(updateId)
    requireStorable(seenBy)
  }
  for (const { contract, synchronizerId } of writes.creates) {
    const { contractId, templateId, packageName, key1, key2, key3 } = contract
    keys.push(contractId, templateId, packageName, key1, key2, key3, synchronizerId)
    requireStorable(contract.signatories)
    requireStorable(contract.observers)
    requireRank(contract.rank)
  }
  for (const { contractId } of writes.archives) keys.push(contractId)
  for (const { contractId, synchronizerId } of writes.assignments)
    keys.push(contractId, synchronizerId)
  for (const { key, updateId } of writes.commands) keys.push(key, updateId)
  for (const { name, account } of writes.totals) keys.push(name, account)
  for (const { name, account } of writes.accruals) keys.push(name, account)
  for (const { log, owner, id } of writes.logs) keys.push(log, owner, id)
  for (const { kind, key } of writes.facts) keys.push(kind, key)
  requireStorable(keys)
  if (longKey(keys) !== undefined)
    throw new TypeError(`An id, owner or key to store has more than ${MAX_KEY_BYTES} bytes`)
}

function requireRank(rank: bigint): void {
  if (rank < 0n || rank > MAX_RANK)
    throw new TypeError(`The rank ${rank} has more than 38 digits or is negative`)
}

/** The first id, owner or key that has more than 1,000 bytes; undefined where none has. */
export function longKey(keys: readonly string[]): string | undefined {
  for (const key of keys)
    if (key.length * MAX_BYTES_PER_UNIT > MAX_KEY_BYTES && Buffer.byteLength(key) > MAX_KEY_BYTES)
      return key
  return undefined
}

/** Bodies by kind, then key, as `decide` sees facts. */
export function factsByKind(
  facts: readonly FactRecord[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const byKind = new Map<string, Map<string, string>>()
  for (const { kind, key, body } of facts) {
    const byKey = byKind.get(kind) ?? new Map<string, string>()
    byKind.set(kind, byKey.set(key, body))
  }
  return byKind
}
