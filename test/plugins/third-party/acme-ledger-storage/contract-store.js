// Contracts and updates of the JSON file: plain lists that queries filter and sort. A commit is checked whole before it
// changes anything.
import { compareUtf8, factsByKind, storableReads, storableWrites, StoreConflict } from 'ledgerwright'

/** @import { ActiveQuery, CommandRecord, CommitFacts, CommitReads, CommitWrites, ContractState } from 'ledgerwright' */
/** @import { ContractStore, FactRecord, LogRecord, SnapshotQuery, TotalKey, Total, UpdateRecord } from 'ledgerwright' */
/** @import { UpdateStore } from 'ledgerwright' */
/** @import { Access } from './json-store.js' */
/** @typedef {{ -readonly [K in keyof ContractState]: ContractState[K] } & { sequence: bigint }} Entry */
/**
 * @typedef {object} Ledger
 * @property {{ offset: bigint, recordTime: bigint, prunedUpTo: bigint }} end
 * @property {UpdateRecord[]} updates
 * @property {Map<string, Entry>} contracts
 * @property {Map<string, TotalKey & Total>} totals
 * @property {LogRecord[]} lines
 * @property {Map<string, FactRecord>} facts
 * @property {Map<string, CommandRecord>} commands
 */

/** @returns {Ledger} */
export function emptyLedger() {
  return {
    end: { offset: 0n, recordTime: 0n, prunedUpTo: 0n },
    updates: [],
    contracts: new Map(),
    totals: new Map(),
    lines: [],
    facts: new Map(),
    commands: new Map(),
  }
}

/**
 * @param {Ledger} ledger
 * @param {Access} read
 * @param {Access} write
 * @returns {ContractStore}
 */
export function contractStore(ledger, read, write) {
  const { contracts, totals, facts, commands } = ledger
  return {
    commit: ({ reads, decide }) => write([], () => {
      storableReads(reads)
      const { writes, result } = decide(factsFor(ledger, reads))
      storableWrites(writes)
      requireFit(ledger, writes)
      apply(ledger, writes)
      return result
    }),
    ledgerEnd: () => read([], () => ({ offset: ledger.end.offset, recordTime: ledger.end.recordTime })),
    now: () => read([], now),
    byIds: (ids) => read(ids, () => [...new Set(ids)].flatMap((id) => contracts.get(id) ?? [])
      .map(({ sequence, ...state }) => state)),
    active: (query) => read([query.templateId, query.key?.value ?? ''], () => active(ledger, query)),
    keys: ({ templateId, name, after, limit }) => read([templateId, after], () =>
      [...new Set(active(ledger, { templateId, order: 'created', limit: Infinity }).map(({ contract }) => contract[name]))]
        .filter((value) => compareUtf8(value, after) > 0).sort(compareUtf8).slice(0, limit)),
    count: ({ templateId, key, limit }) => read([templateId, key.value], () =>
      active(ledger, { templateId, key, order: 'created', limit }).length),
    snapshot: (query) => read([...query.templateIds, ...query.owners], () => snapshot(ledger, query)),
    total: ({ name, account }) => read([name, account], () => {
      const { amount, count } = totals.get(keyOf(name, account)) ?? { amount: 0n, count: 0n }
      return { amount, count }
    }),
    log: ({ log, owner, after, limit }) => read([log, owner, after], () => {
      const lines = ledger.lines.filter((line) => line.log === log && line.owner === owner).reverse()
      if (after === '') return lines.slice(0, limit)
      const seen = lines.findIndex(({ id }) => id === after)
      return seen < 0 ? [] : lines.slice(seen + 1, seen + 1 + limit)
    }),
    fact: (kind, key) => read([kind, key], () => facts.get(keyOf(kind, key))),
    facts: (kind, after, limit) => read([kind, after], () => [...facts.values()]
      .filter((fact) => fact.kind === kind && compareUtf8(fact.key, after) > 0)
      .sort((a, b) => compareUtf8(a.key, b.key)).slice(0, limit)),
    command: (key) => read([key], () => commands.get(key)),
    updatesAfter: (offset, limit) => read([], () => ledger.updates.filter((each) => each.offset > offset).slice(0, limit)),
    updateAt: (time) => read([], () => ledger.updates.filter(({ recordTime }) => recordTime <= time)
      .map(({ offset, updateId, recordTime }) => ({ offset, updateId, recordTime })).at(-1)),
    forgetCommands: (time) => write([], () => {
      for (const { key, keptUntil } of commands.values()) if (keptUntil < time) commands.delete(key)
    }),
  }
}

/**
 * @param {Ledger} ledger
 * @param {Access} read
 * @param {Access} write
 * @returns {UpdateStore}
 */
export function updateStore(ledger, read, write) {
  const { end } = ledger
  return {
    ledgerEnd: () => read([], () => end.offset),
    prunedUpTo: () => read([], () => ({ participant: end.prunedUpTo, divulged: end.prunedUpTo })),
    prune: (upTo) => write([], () => {
      if (upTo > end.offset) return 'after-end'
      if (upTo <= end.prunedUpTo) return 'nothing'
      ledger.updates = ledger.updates.filter(({ offset }) => offset > upTo)
      end.prunedUpTo = upTo
      return 'pruned'
    }),
    byOffset: (offset) => read([], () => ledger.updates.find((update) => update.offset === offset)),
    byId: (id) => read([id], () => ledger.updates.find((update) => update.updateId === id)),
  }
}

/**
 * @param {Ledger} ledger
 * @param {CommitReads} reads
 * @returns {CommitFacts}
 */
function factsFor({ end, contracts, commands, facts }, reads) {
  const known = reads.contractIds.flatMap((id) => contracts.get(id) ?? [])
  return {
    end: { offset: end.offset, recordTime: end.recordTime },
    now: now(),
    states: new Map(known.map(({ contract, sequence, ...state }) => [contract.contractId, state])),
    commands: new Map(reads.commandKeys.flatMap((key) => commands.get(key) ?? []).map((each) => [each.key, each])),
    facts: factsByKind(reads.facts.flatMap(({ kind, key }) => facts.get(keyOf(kind, key)) ?? [])),
  }
}

/**
 * @param {Ledger} ledger
 * @param {CommitWrites} writes
 */
function requireFit({ updates, contracts, lines }, { archives, assignments, creates, ...writes }) {
  const updateIds = new Set(updates.map(({ updateId }) => updateId))
  const lineIds = new Set(lines.map(lineKey))
  const created = creates.map(({ contract }) => contract.contractId)
  const fits = areNew(writes.updates.map(({ updateId }) => updateId), (id) => updateIds.has(id))
    && areNew(created, (id) => contracts.has(id))
    && areNew(writes.logs.map(lineKey), (key) => lineIds.has(key))
    && areNew(archives.map(({ contractId }) => contractId), (id) => contracts.get(id)?.archivedOffset !== 0n)
    && assignments.every(({ contractId }) => contracts.has(contractId) || created.includes(contractId))
  if (!fits) throw new StoreConflict('the commit does not fit what is stored')
}

/**
 * @param {readonly string[]} keys
 * @param {(key: string) => boolean} isTaken
 */
function areNew(keys, isTaken) {
  return new Set(keys).size === keys.length && !keys.some(isTaken)
}

/**
 * @param {Ledger} ledger
 * @param {CommitWrites} writes
 */
function apply({ end, updates, contracts, totals, lines, facts, commands }, writes) {
  updates.push(...writes.updates)
  const last = writes.updates.at(-1)
  if (last !== undefined) Object.assign(end, { offset: last.offset, recordTime: last.recordTime })
  for (const state of writes.creates) {
    contracts.set(state.contract.contractId, { ...state, sequence: BigInt(contracts.size + 1) })
  }
  for (const { contractId, synchronizerId } of writes.assignments) change(contracts, contractId, { synchronizerId })
  for (const { contractId, offset } of writes.archives) change(contracts, contractId, { archivedOffset: offset })
  for (const { name, account, amount, count } of writes.totals) {
    const known = totals.get(keyOf(name, account)) ?? { amount: 0n, count: 0n }
    totals.set(keyOf(name, account), { name, account, amount: known.amount + amount, count: known.count + count })
  }
  lines.push(...writes.logs)
  for (const fact of writes.facts) facts.set(keyOf(fact.kind, fact.key), fact)
  for (const command of writes.commands) commands.set(command.key, command)
}

/**
 * @param {Map<string, Entry>} contracts
 * @param {string} contractId
 * @param {Partial<Entry>} patch
 */
function change(contracts, contractId, patch) {
  const entry = contracts.get(contractId)
  if (entry !== undefined) contracts.set(contractId, { ...entry, ...patch })
}

/**
 * @param {Ledger} ledger
 * @param {ActiveQuery} query
 */
function active({ contracts }, { templateId, key, order, maxRank, after, limit }) {
  if (key?.value === '') return []
  const direction = order.endsWith('-desc') ? -1 : 1
  /** @type {(one: { rank: bigint, sequence: bigint }, other: { rank: bigint, sequence: bigint }) => number} */
  const compare = (one, other) => direction * (order.startsWith('rank') && Number(one.rank - other.rank)
    || Number(one.sequence - other.sequence))
  return [...contracts.values()]
    .filter(({ contract, archivedOffset }) => contract.templateId === templateId && archivedOffset === 0n
      && (key === undefined || contract[key.name] === key.value) && (maxRank === undefined || contract.rank <= maxRank))
    .map(({ contract, synchronizerId, sequence }) => ({ contract, synchronizerId, sequence, rank: contract.rank }))
    .filter((each) => after === undefined || compare(each, after) > 0)
    .sort(compare).slice(0, limit).map(({ rank, ...each }) => each)
}

/**
 * @param {Ledger} ledger
 * @param {SnapshotQuery} query
 */
function snapshot({ contracts }, { offset, templateIds, owners, after, limit }) {
  return [...contracts.values()]
    .filter(({ contract, createdOffset, archivedOffset, sequence }) => createdOffset <= offset && sequence > after
      && (archivedOffset === 0n || archivedOffset > offset)
      && (templateIds.length === 0 || templateIds.includes(contract.templateId))
      && (owners.length === 0 || owners.includes(contract.key1)))
    .slice(0, limit).map(({ archivedOffset, ...each }) => each)
}

/** This machine's clock, microseconds: a file has none of its own. */
function now() {
  return BigInt(Date.now()) * 1_000n
}

/** @param {LogRecord} line */
function lineKey({ log, owner, id }) {
  return keyOf(log, owner, id)
}

/** @param {readonly string[]} parts */
function keyOf(...parts) {
  return JSON.stringify(parts)
}
