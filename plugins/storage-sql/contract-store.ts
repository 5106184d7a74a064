// What is read of contracts and of what is projected from them, in SQL. The commit has a file of
// its own.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MAX_RANK, storable } from '../../runtime/index.ts'
import { commit } from './contract-commit.ts'
import {
  accrualOf,
  activeOf,
  commandOf,
  contractOf,
  factOf,
  historyOf,
  ledgerEndOf,
  rankText,
  stateOf,
  updateTimeOf,
} from './contract-rows.ts'
import { templateKey } from './template-key.ts'
import { activeStatement, CONTRACTS, countStatement, keyStatement } from './contract-statements.ts'
import { factReads } from './fact-reads.ts'
import { clamped, INT64_MAX, int64Of, textOf, touched } from './database.ts'
import { updatesSeenBy } from './seen-updates.ts'
import { snapshot } from './snapshot.ts'
import { COUNT_SHARED, COUNT_STAKES } from './snapshot-statements.ts'
import { ACTIVE_NODE, partyHash } from './stakes.ts'
import { STATEMENTS } from './statements.ts'
import type {
  ActiveContract,
  ActiveQuery,
  ContractStore,
  History,
  KeysQuery,
  LogQuery,
  LogRecord,
  UpdateRecord,
} from '../../runtime/index.ts'
import type { Database, Row, Value } from './database.ts'

/** Contracts that are looked at at once for the values of a key. */
const KEY_PAGE = 64

export function contractStore(database: Database): ContractStore {
  return {
    commit: (asked) => commit(database, asked),
    ledgerEnd: async () => {
      const [row = {}] = await database.once(STATEMENTS.ledgerEnd)
      return ledgerEndOf(row)
    },
    history: (offset) => historyFrom(database, offset),
    byIds: async (ids) => {
      for (const id of ids) storable(id)
      const rows = await database.once(CONTRACTS.byIds, ids)
      return rows.map((row) => ({ contract: contractOf(row), ...stateOf(row) }))
    },
    active: async (query) => {
      storable(query.template, query.key?.value ?? '')
      return active(database, query)
    },
    keys: async (query) => {
      storable(query.template, query.after)
      return keys(database, query)
    },
    count: async ({ template, key: { name, value }, limit }) => {
      storable(template, value)
      const [row = {}] = await database.once(
        countStatement(name),
        templateKey(template),
        template,
        value,
        limit,
      )
      return Number(int64Of(row, 'number'))
    },
    countStakes: async ({ template, parties: [one, other], limit }) => {
      storable(template, one, other ?? one)
      const of = [partyHash(one), templateKey(template), ACTIVE_NODE]
      const [row = {}] = await (other === undefined
        ? database.once(COUNT_STAKES, ...of, limit)
        : database.once(COUNT_SHARED, ...of, partyHash(other), limit))
      return Number(int64Of(row, 'number'))
    },
    snapshot: async (query) => {
      storable(...query.templates, ...query.parties)
      return snapshot(database, query)
    },
    updatesAfter: async (offset, limit, maxBytes) =>
      updatesAfter(database, offset, limit, maxBytes),
    updatesSeenBy: async (query) => {
      storable(...query.parties)
      return updatesSeenBy(database, query, ({ after, limit, maxBytes }) =>
        updatesAfter(database, after, limit, maxBytes),
      )
    },
    updateAt: async (recordTime) =>
      (await database.once(CONTRACTS.updateAt, clamped(recordTime))).map(updateTimeOf)[0],
    ...projections(database),
  }
}

export async function historyFrom(
  database: Pick<Database, 'once'>,
  offset: bigint,
): Promise<History> {
  const [row = {}] = await database.once(STATEMENTS.history, clamped(offset))
  return historyOf(row)
}

async function updatesAfter(
  database: Database,
  offset: bigint,
  limit: number,
  maxBytes?: number,
): Promise<readonly UpdateRecord[]> {
  const from = clamped(offset)
  const rows =
    maxBytes === undefined
      ? await database.once(CONTRACTS.updatesAfter, from, limit)
      : await database.once(CONTRACTS.updatesWithin, from, from, limit, maxBytes, limit)
  return rows.map((row) => ({ ...updateTimeOf(row), body: textOf(row, 'body') }))
}

function projections(
  database: Database,
): Pick<
  ContractStore,
  'total' | 'accruals' | 'log' | 'fact' | 'facts' | 'command' | 'forgetCommands' | 'forgetFacts'
> {
  return {
    total: async ({ name, account }) => {
      storable(name, account)
      const [row = { amount: '0', contract_count: '0' }] = await database.once(
        CONTRACTS.total,
        name,
        account,
      )
      return { amount: int64Of(row, 'amount'), count: int64Of(row, 'contract_count') }
    },
    accruals: async ({ name, account, at }) => {
      storable(name, account)
      const position = clamped(at)
      const rows = await database.once(
        CONTRACTS.accruals,
        name,
        account,
        name,
        account,
        position,
        name,
        account,
        position,
      )
      return rows.map((row) => ({ name, account, ...accrualOf(row) }))
    },
    log: async (query) => {
      storable(query.log, query.owner, query.after)
      return logPage(database, query)
    },
    fact: factReads(database),
    facts: async (kind, after, limit) => {
      storable(kind, after)
      return (await database.once(CONTRACTS.facts, kind, after, limit)).map(factOf)
    },
    command: async (key) => {
      storable(key)
      return (await database.once(CONTRACTS.command, key)).map(commandOf)[0]
    },
    forgetFacts: async (from, to) => {
      storable(from, to)
      while (touched(await database.once(CONTRACTS.forgetFacts, from, to))) await nextTurn()
    },
    forgetCommands: async (recordTime) => {
      // Others have their turn between two slices, also where the database works in this thread.
      while (touched(await database.once(CONTRACTS.forgetCommands, clamped(recordTime))))
        await nextTurn()
    },
  }
}

async function active(database: Database, query: ActiveQuery): Promise<readonly ActiveContract[]> {
  const { template, key, order, maxRank = MAX_RANK, limit } = query
  if (maxRank < 0n) return []
  const from = [templateKey(template), template, ...(key === undefined ? [] : [key.value])]
  const position = positionOf(query, maxRank < MAX_RANK ? maxRank : MAX_RANK)
  return (await database.once(activeStatement(key?.name, order), ...from, ...position, limit)).map(
    activeOf,
  )
}

/** A page of contracts names many values, or one; then the next page begins behind that one. */
async function keys(
  database: Database,
  { template, name, after, limit }: KeysQuery,
): Promise<readonly string[]> {
  const found: string[] = []
  for (let from: string | undefined = after; from !== undefined && found.length < limit;) {
    const rows: readonly Row[] = await database.once(
      keyStatement(name),
      templateKey(template),
      template,
      from,
      KEY_PAGE,
    )
    const values = [...new Set(rows.map((row) => textOf(row, name)))]
    found.push(...values)
    from = rows.length < KEY_PAGE ? undefined : values.at(-1)
  }
  return found.slice(0, limit)
}

/** The bounds that the statement of each order takes. */
function positionOf({ order, after }: ActiveQuery, maxRank: bigint): readonly Value[] {
  if (order === 'created') return [after?.sequence ?? 0n, rankText(maxRank)]
  if (order === 'created-desc') return [after?.sequence ?? INT64_MAX, rankText(maxRank)]
  if (order === 'rank')
    return [rankText(after?.rank ?? 0n), after?.sequence ?? 0n, rankText(maxRank)]
  return after === undefined || after.rank > maxRank
    ? [rankText(maxRank), INT64_MAX]
    : [rankText(after.rank), after.sequence]
}

async function logPage(
  database: Database,
  { log, owner, after, limit }: LogQuery,
): Promise<readonly LogRecord[]> {
  const rows =
    after === ''
      ? await database.once(CONTRACTS.log, log, owner, limit)
      : await database.once(CONTRACTS.logAfter, log, owner, log, owner, after, limit)
  return rows.map((row) => ({ log, owner, id: textOf(row, 'id'), body: textOf(row, 'body') }))
}
