// Contracts and the commit in memory. A commit is checked whole before it writes, so that nothing
// has to be undone, and costs what its batch costs, however much is stored.
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  factsByKind,
  SnapshotPruned,
  storableReads,
  storableWrites,
  StoreConflict,
  templateOf,
} from '../../runtime/index.ts'
import { Accruals } from './accruals.ts'
import { entriesAfter, TemplateContracts } from './active-index.ts'
import { checker, SLICE } from './tables.ts'
import { see, updatesOf } from './update-store.ts'
import type {
  ActiveContract,
  Commit,
  CommitFacts,
  CommitReads,
  CommitWrites,
  ContractState,
  ContractStore,
  LogQuery,
  LogRecord,
  SnapshotQuery,
} from '../../runtime/index.ts'
import type { ContractEntry } from './active-index.ts'
import type { LogTable, Tables } from './tables.ts'

export function contractStore(tables: Tables): ContractStore {
  const { contracts, templates, totals, accruals, commands } = tables
  const check = checker(tables)
  return {
    commit: async (commit) => check() && commitTo(tables, commit),
    ledgerEnd: async () => check() && { offset: tables.ledgerEnd, recordTime: tables.recordTime },
    history: async (offset) =>
      check() && {
        end: { offset: tables.ledgerEnd, recordTime: tables.recordTime },
        last: tables.updates.get(tables.ledgerEnd)?.updateId,
        seen: tables.updates.get(offset)?.updateId,
      },
    now: async () => check() && tables.clock.nowMicros(),
    byIds: async (ids) =>
      check(...ids) && [...new Set(ids)].flatMap((id) => contracts.get(id) ?? []).map(stateOf),
    active: async (query) =>
      check(query.template, query.key?.value ?? '') &&
      (templates.get(query.template)?.active(query) ?? []).map(activeOf),
    keys: async (query) =>
      check(query.template, query.after) && (templates.get(query.template)?.keys(query) ?? []),
    count: async ({ template, key, limit }) =>
      check(template, key.value) &&
      (templates.get(template)?.active({ template, key, order: 'created', limit }).length ?? 0),
    countStakes: async ({ template, parties: [one, other = one], limit }) =>
      check(template, one, other) &&
      (templates
        .get(template)
        ?.active({ template, order: 'created', limit: Infinity })
        .filter(({ contract: { signatories, observers } }) =>
          [one, other].every((party) => signatories.includes(party) || observers.includes(party)),
        )
        .slice(0, limit).length ??
        0),
    snapshot: async (query) =>
      check(...query.templates, ...query.parties) && snapshot(tables, query),
    total: async ({ name, account }) =>
      check(name, account) && {
        ...(totals.get(pairKey(name, account)) ?? { amount: 0n, count: 0n }),
      },
    accruals: async ({ name, account, at }) =>
      check(name, account) && (accruals.get(pairKey(name, account))?.at(at) ?? []),
    log: async (query) => check(query.log, query.owner, query.after) && logPage(tables, query),
    command: async (key) => check(key) && commands.get(key),
    forgetCommands: async (recordTime) => check() && forgetCommands(tables, recordTime),
    ...factMethods(tables),
    ...updatesOf(tables),
  }
}

function factMethods(tables: Tables): Pick<ContractStore, 'fact' | 'facts' | 'forgetFacts'> {
  const { facts } = tables
  const check = checker(tables)
  return {
    forgetFacts: async (from, to) => {
      check(from, to)
      facts.forget(from, to)
    },
    fact: async (kind, key) => check(kind, key) && facts.get(kind, key),
    facts: async (kind, after, limit) => check(kind, after) && facts.page(kind, after, limit),
  }
}

async function forgetCommands({ commands }: Tables, recordTime: bigint): Promise<void> {
  while (commands.forget(recordTime, SLICE) === SLICE) await nextTurn()
}

function commitTo<T>(tables: Tables, { reads, decide }: Commit<T>): T {
  storableReads(reads)
  const { writes, result } = decide(factsFor(tables, reads))
  storableWrites(writes)
  requireFit(tables, writes)
  write(tables, writes)
  return result
}

function factsFor(
  tables: Tables,
  { seen = 0n, contractIds, commandKeys, facts }: CommitReads,
): CommitFacts {
  const entries = contractIds.flatMap((id) => tables.contracts.get(id) ?? [])
  const commands = commandKeys.flatMap((key) => tables.commands.get(key) ?? [])
  const known = facts.flatMap(({ kind, key }) => tables.facts.get(kind, key) ?? [])
  return {
    end: { offset: tables.ledgerEnd, recordTime: tables.recordTime },
    seen: tables.updates.get(seen)?.updateId,
    now: tables.clock.nowMicros(),
    states: new Map(
      entries.map(({ contract, createdOffset, archivedOffset, synchronizerId }) => [
        contract.contractId,
        { createdOffset, archivedOffset, synchronizerId },
      ]),
    ),
    commands: new Map(commands.map((command) => [command.key, command])),
    facts: factsByKind(known),
  }
}

/** Refuses what the schema of a database would. */
function requireFit(
  tables: Tables,
  { updates, creates, archives, assignments, logs }: CommitWrites,
): void {
  const { contracts, updateOffsets } = tables
  requireNew(
    updates.map(({ updateId }) => updateId),
    (id) => updateOffsets.has(id),
  )
  requireNew(
    creates.map(({ contract }) => contract.contractId),
    (id) => contracts.has(id),
  )
  requireNew(
    archives.map(({ contractId }) => contractId),
    (id) => contracts.get(id)?.archivedOffset !== 0n,
  )
  requireNew(
    logs.map(({ log, owner, id }) => `${pairKey(log, owner)}\0${id}`),
    (key) => {
      const [log = '', owner = '', id = ''] = key.split('\0')
      return tables.logs.get(pairKey(log, owner))?.numbers.has(id) === true
    },
  )
  const created = new Set(creates.map(({ contract }) => contract.contractId))
  if (assignments.every(({ contractId }) => contracts.has(contractId) || created.has(contractId)))
    return
  throw new StoreConflict('A contract to assign is not there')
}

function requireNew(keys: readonly string[], isTaken: (key: string) => boolean): void {
  if (new Set(keys).size < keys.length || keys.some(isTaken)) {
    throw new StoreConflict('A commit does not fit what is stored')
  }
}

function write(tables: Tables, writes: CommitWrites): void {
  for (const { seenBy = [], ...update } of writes.updates) {
    tables.updates.set(update.offset, update)
    see(tables, update.offset, new Set(seenBy))
    tables.updateOffsets.set(update.updateId, update.offset)
    tables.ledgerEnd = update.offset
    tables.recordTime = update.recordTime
  }
  for (const state of writes.creates) create(tables, state)
  for (const { contractId, offset, synchronizerId } of writes.assignments) {
    const entry = tables.contracts.get(contractId)
    if (entry === undefined) continue
    entry.synchronizerId = synchronizerId
    entry.places.push({ offset, synchronizerId })
  }
  for (const { contractId, offset } of writes.archives) archive(tables, contractId, offset)
  writeProjections(tables, writes)
}

function create(
  tables: Tables,
  { contract, createdOffset, archivedOffset, synchronizerId }: ContractState,
): void {
  tables.lastSequence += 1n
  const sequence = tables.lastSequence
  const places = [{ offset: createdOffset, synchronizerId }]
  const entry = { contract, sequence, createdOffset, archivedOffset, synchronizerId, places }
  tables.contracts.set(contract.contractId, entry)
  tables.allContracts.push(entry)
  const template = tables.templates.get(templateOf(contract)) ?? new TemplateContracts()
  tables.templates.set(templateOf(contract), template)
  template.add(entry)
}

function archive(tables: Tables, contractId: string, offset: bigint): void {
  const entry = tables.contracts.get(contractId)
  if (entry === undefined) return
  entry.archivedOffset = offset
  tables.templates.get(templateOf(entry.contract))?.archive(entry)
}

function writeProjections(tables: Tables, writes: CommitWrites): void {
  const { commands, totals, accruals, logs, facts } = writes
  for (const command of commands) tables.commands.put(command)
  for (const { name, account, amount, count } of totals) {
    const key = pairKey(name, account)
    const known = tables.totals.get(key) ?? { amount: 0n, count: 0n }
    tables.totals.set(key, { amount: known.amount + amount, count: known.count + count })
  }
  for (const row of accruals) {
    const key = pairKey(row.name, row.account)
    const rows = tables.accruals.get(key) ?? new Accruals()
    tables.accruals.set(key, rows)
    rows.add(row)
  }
  for (const line of logs) append(tables.logs, line)
  for (const fact of facts) tables.facts.put(fact)
}

function append(logs: Map<string, LogTable>, line: CommitWrites['logs'][number]): void {
  const key = pairKey(line.log, line.owner)
  const table: LogTable = logs.get(key) ?? { lines: [], numbers: new Map(), pruned: 0 }
  logs.set(key, table)
  table.numbers.set(line.id, table.pruned + table.lines.length)
  table.lines.push(line)
}

function logPage({ logs }: Tables, { log, owner, after, limit }: LogQuery): readonly LogRecord[] {
  const table = logs.get(pairKey(log, owner))
  if (table === undefined) return []
  const { lines, numbers, pruned } = table
  const end = after === '' ? lines.length : (numbers.get(after) ?? pruned) - pruned
  const page = lines.slice(Math.max(0, end - limit), end).reverse()
  return page.map(({ id, body }) => ({ log, owner, id, body }))
}

function snapshot(
  { allContracts, templates: all, prunedUpTo }: Tables,
  { offset, templates, parties, after, limit }: SnapshotQuery,
): readonly (ActiveContract & { readonly createdOffset: bigint })[] {
  if (offset < prunedUpTo) throw new SnapshotPruned(prunedUpTo)
  const wanted = new Set(parties)
  const fits = ({ contract, createdOffset, archivedOffset }: ContractEntry): boolean =>
    createdOffset <= offset &&
    (archivedOffset === 0n || archivedOffset > offset) &&
    (wanted.size === 0 ||
      [...contract.signatories, ...contract.observers].some((party) => wanted.has(party)))
  const entries =
    templates.length === 0
      ? entriesAfter(allContracts, after, limit, fits)
      : [...new Set(templates)].flatMap((name) => all.get(name)?.after(after, limit, fits) ?? [])
  return entries
    .toSorted((a, b) => Number(a.sequence - b.sequence))
    .slice(0, limit)
    .map((entry) => ({
      ...activeOf(entry),
      synchronizerId: placeAt(entry, offset),
      createdOffset: entry.createdOffset,
    }))
}

function placeAt({ places, synchronizerId }: ContractEntry, offset: bigint): string {
  return places.findLast((place) => place.offset <= offset)?.synchronizerId ?? synchronizerId
}

function stateOf({
  contract,
  createdOffset,
  archivedOffset,
  synchronizerId,
}: ContractEntry): ContractState {
  return { contract, createdOffset, archivedOffset, synchronizerId }
}

function activeOf({ contract, synchronizerId, sequence }: ContractEntry): ActiveContract {
  return { contract, synchronizerId, sequence }
}

/** Neither has a NUL. */
function pairKey(first: string, second: string): string {
  return `${first}\0${second}`
}
