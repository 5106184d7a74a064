// The two databases as places where a test writes tables by itself, beside the store.
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { startPostgres } from './postgres.ts'
import { tempDir } from './temp-dir.ts'
import type { Store } from '../../runtime/index.ts'

/** One empty database. */
export interface SqlPlace {
  open(): Promise<Store>
  /** Runs statements on a connection of their own; answers the rows of the last one. */
  run(sql: string): Promise<readonly object[]>
  /** The arguments that make storage-child.ts open it. */
  readonly childArguments: readonly string[]
}

export interface SqlPlaces {
  readonly sqlite: () => Promise<SqlPlace>
  readonly postgres: () => Promise<SqlPlace>
  release(): Promise<void>
}

/** Makes fresh places on demand; `release` ends the server and removes the files. */
export async function sqlPlaces(): Promise<SqlPlaces> {
  const folder = await tempDir()
  const server = await startPostgres()
  let count = 0
  return {
    sqlite: async () => sqlitePlace(join(folder.path, `${(count += 1)}.sqlite`)),
    postgres: async () => postgresPlace(await server.createDatabase()),
    release: async () => {
      await server.stop()
      await folder.remove()
    },
  }
}

function sqlitePlace(file: string): SqlPlace {
  const run = async (sql: string): Promise<readonly object[]> => {
    const direct = new SqliteDatabase(file)
    const statements = sql.split(';\n')
    const last = statements.pop() ?? ''
    direct.exec(statements.join(';\n'))
    const prepared = direct.prepare<unknown[], object>(last)
    const rows = prepared.reader ? prepared.all() : [prepared.run()]
    direct.close()
    return rows
  }
  return { open: () => openSqlStore({ dialect: 'sqlite', file }), run, childArguments: [file] }
}

function postgresPlace(url: string): SqlPlace {
  const run = async (sql: string): Promise<readonly object[]> => {
    const client = new pg.Client(url)
    await client.connect()
    try {
      const answers = [await client.query<object>(sql)].flat()
      return answers.at(-1)?.rows ?? []
    } finally {
      await client.end()
    }
  }
  const open = (): Promise<Store> =>
    openSqlStore({ dialect: 'postgres', connection: url, poolSize: 4 })
  return { open, run, childArguments: [url, 'public'] }
}
