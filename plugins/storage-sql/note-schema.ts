// Migration 0011: notes on users, which the wallet kept before among the annotations of its users,
// where administrators could write them.
import { databaseKind } from './database-kind.ts'
import type { Knex } from 'knex'

/** The schema that has notes first. */
export const NOTES_SCHEMA = '0011-notes'

const SCHEMA = `create table user_notes (user_id {text} not null, identity_provider_id {text} not null,
  name {text} not null, note text not null, primary key (user_id, identity_provider_id, name),
  constraint user_notes_user_id_foreign foreign key (user_id) references users (id) on delete cascade,
  constraint user_notes_identity_provider_id_foreign foreign key (identity_provider_id)
    references identity_providers (id) on delete cascade)`

/** The annotation that held the wallet's contacts, and the plugin that wrote it. */
const [ANNOTATION, PLUGIN] = ['wallet-ui/notes', 'wallet-ui']

export async function createNotes(knex: Knex): Promise<void> {
  await createNoteTable(knex)
  const users: readonly Annotated[] = await knex('users')
    .select('id', 'identity_provider_id', 'annotations')
    .whereLike('annotations', `%${ANNOTATION}%`)
  for (const user of users) await moveNote(knex, user)
}

export async function createNoteTable(knex: Knex): Promise<void> {
  const { byteOrdered } = await databaseKind(knex)
  await knex.raw(SCHEMA.replaceAll('{text}', byteOrdered))
  await knex.raw('create index user_notes_provider on user_notes (identity_provider_id)')
}

export async function dropNotes(knex: Knex): Promise<void> {
  await knex.schema.dropTable('user_notes')
}

interface Annotated {
  readonly id: string
  readonly identity_provider_id: string
  readonly annotations: string
}

async function moveNote(
  knex: Knex,
  { id, identity_provider_id, annotations }: Annotated,
): Promise<void> {
  const { [ANNOTATION]: note, ...others }: Record<string, string> = JSON.parse(annotations)
  if (note === undefined || !note.isWellFormed() || note.includes('\0')) return
  await knex('user_notes').insert({ user_id: id, identity_provider_id, name: PLUGIN, note })
  await knex('users')
    .where({ id })
    .update({ annotations: JSON.stringify(others) })
}
