// Sums of amounts that grow, and single facts, for who checks a ledger.
import { partOf } from './contract-rows.ts'
import type { Accrual, AccrualKey } from '../../runtime/index.ts'

/** What single facts are read by. */
interface Readable {
  column(sql: string): Promise<readonly string[]>
  damageIn(error: unknown): string | undefined
}

/** What a schema of before them has. */
export async function* noAccruals(): AsyncGenerator<never> {}

export function accrualIn(of: (column: string) => string): AccrualKey & Accrual {
  return {
    name: of('name'),
    account: of('account'),
    part: partOf(of('part')),
    at: BigInt(of('at_position')),
    amount: BigInt(of('amount')),
    rate: BigInt(of('rate')),
    count: BigInt(of('contract_count')),
  }
}

/** The body of a fact, as `LedgerInspection` answers it. */
export async function factIn(
  snapshot: Readable,
  kind: string,
  key: string,
): Promise<string | undefined> {
  const quoted = [kind, key].map((text) => `'${text.replaceAll("'", "''")}'`)
  const facts = `select body from facts where kind = ${quoted[0]} and fact_key = ${quoted[1]}`
  try {
    return (await snapshot.column(facts))[0]
  } catch (error) {
    if (snapshot.damageIn(error) === undefined) throw error
    return undefined
  }
}
