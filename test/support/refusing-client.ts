// The driver, as if the server were another database that speaks PostgreSQL's wire: it names itself
// so, and refuses what that documents as unsupported. What stands behind is PostgreSQL still: how
// the other one performs what it takes is not tested so.
import pg from 'pg'
import { refusals } from './sql-dialects.ts'
import type { SqlDialect } from './sql-dialects.ts'

export interface RefusingClient {
  /** Each refused statement, with why. */
  readonly refused: string[]
  /** Ends it. */
  stop(): void
}

/** Undefined function, as either says it. */
const REFUSE = `do $$ begin raise exception 'not supported' using errcode = '42883'; end $$`

/** All clients of this process are such, from now on. Settings of a session are let through. */
export function refusingClient(dialect: SqlDialect): RefusingClient {
  const { query } = pg.Client.prototype
  const refused: string[] = []
  const rewritten = (sql: string): string | undefined => {
    if (/^\s*select version\(\)/i.test(sql)) return `select '${dialect.version}' as version`
    const why = /^\s*(set|do) /i.test(sql) ? [] : refusals(dialect, sql)
    if (why.length === 0) return undefined
    refused.push(`${why.join(', ')}: ${sql}`)
    return REFUSE
  }
  const replaced = (first: unknown): unknown => {
    if (typeof first === 'string') return rewritten(first) ?? first
    if (typeof first !== 'object' || first === null || !('text' in first)) return first
    const text = rewritten(String(first.text))
    return text === undefined ? first : { ...first, name: undefined, text, values: [] }
  }
  pg.Client.prototype.query = new Proxy(query, {
    apply: (target, self, [first, ...rest]) =>
      Reflect.apply(target, self, [replaced(first), ...rest]),
  })
  return { refused, stop: () => void (pg.Client.prototype.query = query) }
}
