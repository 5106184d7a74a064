// Facts of one key that are asked for in one turn are read by one statement: whether a request was
// carried out before, for example, is looked up in every kind that may have it.
// docs/decisions/0004-several-servers.md
import { storable } from '../../runtime/index.ts'
import { factOf } from './contract-rows.ts'
import { CONTRACTS } from './contract-statements.ts'
import type { ContractStore, FactRecord } from '../../runtime/index.ts'
import type { Database } from './database.ts'

/** A read of one key that has not left yet. */
interface Gathering {
  readonly kinds: Set<string>
  /** Found facts, by kind. */
  readonly found: Promise<ReadonlyMap<string, FactRecord>>
}

/** Reads of `ContractStore.fact`. */
export function factReads(database: Pick<Database, 'once'>): ContractStore['fact'] {
  const gathering = new Map<string, Gathering>()
  const begin = (key: string): Gathering => {
    const kinds = new Set<string>()
    const found = Promise.resolve().then(() => {
      gathering.delete(key)
      return readAll(database, key, [...kinds])
    })
    const begun = { kinds, found }
    gathering.set(key, begun)
    return begun
  }
  return async (kind, key) => {
    storable(kind, key)
    const { kinds, found } = gathering.get(key) ?? begin(key)
    kinds.add(kind)
    return (await found).get(kind)
  }
}

async function readAll(
  database: Pick<Database, 'once'>,
  key: string,
  kinds: readonly string[],
): Promise<ReadonlyMap<string, FactRecord>> {
  const [only = '', ...others] = kinds
  const rows =
    others.length === 0
      ? await database.once(CONTRACTS.fact, only, key)
      : await database.once(CONTRACTS.factsOfKey, key, kinds)
  return new Map(rows.map(factOf).map((fact) => [fact.kind, fact]))
}
