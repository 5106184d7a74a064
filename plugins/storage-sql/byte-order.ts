// The type of texts that sort by their UTF-8 bytes. SQLite and CockroachDB sort all texts so, and
// the latter makes no column with the collation that PostgreSQL and YugabyteDB need for it.
import type { Knex } from 'knex'

export async function byteOrderedText(knex: Knex): Promise<string> {
  if (knex.client.config.client !== 'pg') return 'text'
  const answer: unknown = await knex.raw('select version() as version')
  return JSON.stringify(answer).includes('CockroachDB') ? 'text' : 'text collate "C"'
}
