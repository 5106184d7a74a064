// Contracts and updates of the JSON file: plain lists that queries filter and sort. A commit is
// checked whole before it changes anything.
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  compareUtf8,
  factsByKind,
  SnapshotPruned,
  storableReads,
  storableWrites,
  StoreConflict,
  templateOf,
} from 'ledgerwright'

/**
 * @import { ActiveQuery, CommandRecord, CommitFacts, CommitReads, CommitWrites, ContractState }
 *   from 'ledgerwright'
 */
/**
 * @import { ContractStore, LogRecord, PrunableFact, SnapshotQuery, TotalKey, Total, UpdateRecord }
 *   from 'ledgerwright'
 */
/** @import { Accrual, AccrualKey, AccrualQuery, SeenQuery } from 'ledgerwright' */
/** @import { UpdateStore } from 'ledgerwright' */
/** @import { Access } from './json-store.js' */
/** @typedef {{ -readonly [K in keyof ContractState]: ContractState[K] } & {
 *   sequence: bigint, places: { offset: bigint, synchronizerId: string }[] }} Entry */
/**
 * @typedef {object} Ledger
 * @property {{ offset: bigint, recordTime: bigint, prunedUpTo: bigint, sequence: bigint }} end
 * @property {UpdateRecord[]} updates
 * @property {Map<string, Entry>} contracts
 * @property {Map<string, TotalKey & Total>} totals
 * @property {Map<string, AccrualKey & Accrual>} accruals
 * @property {CommitWrites['logs'][number][]} lines
 * @property {Map<string, PrunableFact>} facts
 * @property {Map<string, CommandRecord>} commands
 */

const SLICE = 500
/** Of updates, which very many parties may see. */
const UPDATE_SLICE = 20

/** @returns {Ledger} */
export function emptyLedger() {
  return {
    end: { offset: 0n, recordTime: 0n, prunedUpTo: 0n, sequence: 0n },
    updates: [],
    contracts: new Map(),
    totals: new Map(),
    accruals: new Map(),
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
  const { contracts, totals, accruals, facts, commands } = ledger
  return {
    commit: ({ reads, decide }) =>
      write([], () => {
        storableReads(reads)
        const { writes, result } = decide(factsFor(ledger, reads))
        storableWrites(writes)
        requireFit(ledger, writes)
        apply(ledger, writes)
        return result
      }),
    ledgerEnd: () =>
      read([], () => ({ offset: ledger.end.offset, recordTime: ledger.end.recordTime })),
    history: (offset) =>
      read([], () => ({
        end: { offset: ledger.end.offset, recordTime: ledger.end.recordTime },
        last: updateIdAt(ledger, ledger.end.offset),
        seen: updateIdAt(ledger, offset),
        now: now(),
      })),
    byIds: (ids) =>
      read(ids, () =>
        [...new Set(ids)]
          .flatMap((id) => contracts.get(id) ?? [])
          .map(({ sequence, places, ...state }) => state),
      ),
    active: (query) => read([query.template, query.key?.value ?? ''], () => active(ledger, query)),
    keys: ({ template, name, after, limit }) =>
      read([template, after], () =>
        [
          ...new Set(
            active(ledger, { template, order: 'created', limit: Infinity }).map(
              ({ contract }) => contract[name],
            ),
          ),
        ]
          .filter((value) => compareUtf8(value, after) > 0)
          .sort(compareUtf8)
          .slice(0, limit),
      ),
    count: ({ template, key, limit }) =>
      read(
        [template, key.value],
        () => active(ledger, { template, key, order: 'created', limit }).length,
      ),
    countStakes: ({ template, parties: [one, other = one], limit }) =>
      read([template, one, other], () => {
        const all = active(ledger, { template, order: 'created', limit: Infinity })
        const shared = all.filter(({ contract: { signatories, observers } }) =>
          [one, other].every((party) => signatories.includes(party) || observers.includes(party)),
        )
        return shared.slice(0, limit).length
      }),
    snapshot: (query) =>
      read([...query.templates, ...query.parties], () => snapshot(ledger, query)),
    total: ({ name, account }) =>
      read([name, account], () => {
        const { amount, count } = totals.get(keyOf(name, account)) ?? { amount: 0n, count: 0n }
        return { amount, count }
      }),
    accruals: (query) =>
      read([query.name, query.account], () =>
        [...accruals.values()].filter((row) => decides(row, query)),
      ),
    log: ({ log, owner, after, limit }) =>
      read([log, owner, after], () => {
        const lines = ledger.lines
          .filter((line) => line.log === log && line.owner === owner)
          .reverse()
          .map(({ offset, ...line }) => line)
        if (after === '') return lines.slice(0, limit)
        const seen = lines.findIndex(({ id }) => id === after)
        return seen < 0 ? [] : lines.slice(seen + 1, seen + 1 + limit)
      }),
    fact: (kind, key) => read([kind, key], () => factOf(facts.get(keyOf(kind, key)))),
    facts: (kind, after, limit) =>
      read([kind, after], () =>
        [...facts.values()]
          .filter((fact) => fact.kind === kind && compareUtf8(fact.key, after) > 0)
          .sort((a, b) => compareUtf8(a.key, b.key))
          .slice(0, limit)
          .flatMap((fact) => factOf(fact) ?? []),
      ),
    command: (key) => read([key], () => commands.get(key)),
    updatesAfter: (offset, limit, maxBytes) =>
      read([], () => updatesAfter(ledger, offset, limit, maxBytes)),
    updatesSeenBy: (query) => read(query.parties, () => seen(ledger, query)),
    updateAt: (time) =>
      read([], () =>
        ledger.updates
          .filter(({ recordTime }) => recordTime <= time)
          .map(({ offset, updateId, recordTime }) => ({ offset, updateId, recordTime }))
          .at(-1),
      ),
    forgetCommands: async (time) => {
      const old = await read([], () =>
        [...commands.values()].filter(({ keptUntil }) => keptUntil < time),
      )
      await inSlices(old, (slice) =>
        write([], () => {
          for (const { key } of slice) commands.delete(key)
        }),
      )
    },
    forgetFacts: async (from, to) => {
      const old = await read([from, to], () =>
        [...facts.values()].filter(
          ({ kind }) => compareUtf8(kind, from) >= 0 && compareUtf8(kind, to) < 0,
        ),
      )
      await inSlices(old, (slice) =>
        write([], () => {
          for (const { kind, key } of slice) facts.delete(keyOf(kind, key))
        }),
      )
    },
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
    prune: async (upTo) => {
      const answer = await write([], () => {
        if (upTo > end.offset) return 'after-end'
        if (upTo <= end.prunedUpTo) return 'nothing'
        end.prunedUpTo = upTo
        return 'pruned'
      })
      if (answer === 'after-end') return answer
      const { prunedUpTo } = end
      const old = ledger.updates.filter(({ offset }) => offset <= prunedUpTo)
      await inSlices(
        old,
        (slice) =>
          write([], () => {
            const gone = new Set(slice)
            ledger.updates = ledger.updates.filter((update) => !gone.has(update))
          }),
        UPDATE_SLICE,
      )
      await pruneOthers(ledger, write)
      return answer
    },
    byOffset: (offset) => read([], () => ledger.updates.find((update) => update.offset === offset)),
    byId: (id) => read([id], () => ledger.updates.find((update) => update.updateId === id)),
  }
}

/**
 * What goes with updates that are pruned.
 *
 * @param {Ledger} ledger
 * @param {Access} write
 */
async function pruneOthers(ledger, write) {
  const { contracts, facts, end } = ledger
  /** @param {bigint} offset */
  const isPruned = (offset) => offset > 0n && offset <= end.prunedUpTo
  const ended = [...contracts.values()].filter(({ archivedOffset }) => isPruned(archivedOffset))
  await inSlices(ended, (slice) =>
    write([], () => {
      for (const { contract } of slice) contracts.delete(contract.contractId)
    }),
  )
  await write([], () => {
    ledger.lines = ledger.lines.filter(({ offset }) => offset > end.prunedUpTo)
    for (const [key, { prunedWith = 0n }] of facts) if (isPruned(prunedWith)) facts.delete(key)
  })
}

/** @param {PrunableFact | undefined} fact */
function factOf(fact) {
  return fact && { kind: fact.kind, key: fact.key, body: fact.body }
}

/**
 * @param {Ledger} ledger
 * @param {CommitReads} reads
 * @returns {CommitFacts}
 */
function factsFor(ledger, reads) {
  const { end, contracts, commands, facts } = ledger
  const known = reads.contractIds.flatMap((id) => contracts.get(id) ?? [])
  return {
    end: { offset: end.offset, recordTime: end.recordTime },
    seen: updateIdAt(ledger, reads.seen ?? 0n),
    now: now(),
    states: new Map(
      known.map(({ contract, sequence, places, ...state }) => [contract.contractId, state]),
    ),
    commands: new Map(
      reads.commandKeys.flatMap((key) => commands.get(key) ?? []).map((each) => [each.key, each]),
    ),
    facts: factsByKind(reads.facts.flatMap(({ kind, key }) => facts.get(keyOf(kind, key)) ?? [])),
  }
}

/**
 * @param {Ledger} ledger
 * @param {bigint} offset
 */
function updateIdAt({ updates }, offset) {
  return updates.find((update) => update.offset === offset)?.updateId
}

/**
 * @param {Ledger} ledger
 * @param {CommitWrites} writes
 */
function requireFit({ updates, contracts, lines }, { archives, assignments, creates, ...writes }) {
  const updateIds = new Set(updates.map(({ updateId }) => updateId))
  const lineIds = new Set(lines.map(lineKey))
  const created = creates.map(({ contract }) => contract.contractId)
  const fits =
    areNew(
      writes.updates.map(({ updateId }) => updateId),
      (id) => updateIds.has(id),
    ) &&
    areNew(created, (id) => contracts.has(id)) &&
    areNew(writes.logs.map(lineKey), (key) => lineIds.has(key)) &&
    areNew(
      archives.map(({ contractId }) => contractId),
      (id) => contracts.get(id)?.archivedOffset !== 0n,
    ) &&
    assignments.every(({ contractId }) => contracts.has(contractId) || created.includes(contractId))
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
function apply(ledger, writes) {
  const { end, updates, contracts, totals, accruals, lines, facts, commands } = ledger
  updates.push(...writes.updates.map(({ seenBy, ...update }) => update))
  const last = writes.updates.at(-1)
  if (last !== undefined) Object.assign(end, { offset: last.offset, recordTime: last.recordTime })
  for (const state of writes.creates) {
    const places = [{ offset: state.createdOffset, synchronizerId: state.synchronizerId }]
    end.sequence += 1n
    contracts.set(state.contract.contractId, {
      ...state,
      sequence: end.sequence,
      places,
    })
  }
  for (const { contractId, offset, synchronizerId } of writes.assignments) {
    const places = [...(contracts.get(contractId)?.places ?? []), { offset, synchronizerId }]
    change(contracts, contractId, { synchronizerId, places })
  }
  for (const { contractId, offset } of writes.archives)
    change(contracts, contractId, { archivedOffset: offset })
  for (const { name, account, amount, count } of writes.totals) {
    const known = totals.get(keyOf(name, account)) ?? { amount: 0n, count: 0n }
    totals.set(keyOf(name, account), {
      name,
      account,
      amount: known.amount + amount,
      count: known.count + count,
    })
  }
  for (const row of writes.accruals) accrue(accruals, row)
  lines.push(...writes.logs)
  for (const fact of writes.facts) facts.set(keyOf(fact.kind, fact.key), fact)
  for (const command of writes.commands) commands.set(command.key, command)
}

/**
 * @param {Ledger} ledger
 * @param {bigint} offset
 * @param {number} limit
 */
function updatesAfter({ updates }, offset, limit, maxBytes = Infinity) {
  let bytes = 0
  const page = updates.filter((each) => each.offset > offset).slice(0, limit)
  const end = page.findIndex(
    ({ body }, index) => (bytes += Buffer.byteLength(body)) > maxBytes && index > 0,
  )
  return end < 0 ? page : page.slice(0, end)
}

/**
 * This store keeps no index of who sees what: it answers all updates, which is slower and right.
 *
 * @param {Ledger} ledger
 * @param {SeenQuery} query
 */
function seen(ledger, { after, limit, maxBytes }) {
  const updates = updatesAfter(ledger, after, limit, maxBytes)
  return { updates, upTo: updates.at(-1)?.offset ?? after }
}

/**
 * @param {AccrualKey} row
 * @param {AccrualQuery} query
 */
function decides({ name, account, part, at }, query) {
  if (name !== query.name || account !== query.account) return false
  return part === 'all' || (part === 'since' ? at > query.at : at <= query.at)
}

/**
 * @param {Map<string, AccrualKey & Accrual>} accruals
 * @param {AccrualKey & Accrual} row
 */
function accrue(accruals, row) {
  const key = keyOf(row.name, row.account, row.part, String(row.at))
  const known = accruals.get(key) ?? { amount: 0n, rate: 0n, count: 0n }
  const [amount, rate] = [known.amount + row.amount, known.rate + row.rate]
  const count = known.count + row.count
  if (count === 0n) accruals.delete(key)
  else accruals.set(key, { ...row, amount, rate, count })
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
function active({ contracts }, { template, key, order, maxRank, after, limit }) {
  if (key?.value === '') return []
  const direction = order.endsWith('-desc') ? -1 : 1
  /**
   * @type {(one: { rank: bigint, sequence: bigint }, other: { rank: bigint, sequence: bigint }) =>
   *   number}
   */
  const compare = (one, other) =>
    direction *
    ((order.startsWith('rank') && Number(one.rank - other.rank)) ||
      Number(one.sequence - other.sequence))
  return [...contracts.values()]
    .filter(
      ({ contract, archivedOffset }) =>
        templateOf(contract) === template &&
        archivedOffset === 0n &&
        (key === undefined || contract[key.name] === key.value) &&
        (maxRank === undefined || contract.rank <= maxRank),
    )
    .map(({ contract, synchronizerId, sequence }) => ({
      contract,
      synchronizerId,
      sequence,
      rank: contract.rank,
    }))
    .filter((each) => after === undefined || compare(each, after) > 0)
    .sort(compare)
    .slice(0, limit)
    .map(({ rank, ...each }) => each)
}

/**
 * @param {Ledger} ledger
 * @param {SnapshotQuery} query
 */
function snapshot({ contracts, end }, { offset, templates, parties, after, limit }) {
  if (offset < end.prunedUpTo) throw new SnapshotPruned(end.prunedUpTo)
  return [...contracts.values()]
    .filter(
      ({ contract, createdOffset, archivedOffset, sequence }) =>
        createdOffset <= offset &&
        sequence > after &&
        (archivedOffset === 0n || archivedOffset > offset) &&
        (templates.length === 0 || templates.includes(templateOf(contract))) &&
        (parties.length === 0 ||
          [...contract.signatories, ...contract.observers].some((party) =>
            parties.includes(party),
          )),
    )
    .slice(0, limit)
    .map(({ archivedOffset, places, synchronizerId, ...each }) => ({
      ...each,
      synchronizerId:
        places.findLast((place) => place.offset <= offset)?.synchronizerId ?? synchronizerId,
    }))
}

/**
 * Works on many in slices, between which others have their turn.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {(slice: readonly T[]) => Promise<void>} work
 * @param {number} [length] of a slice
 */
async function inSlices(items, work, length = SLICE) {
  for (let start = 0; start < items.length; start += length) {
    await work(items.slice(start, start + length))
    await nextTurn()
  }
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
