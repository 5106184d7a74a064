// Migration 0008: contracts are found by the name of their template, whatever the version of its
// package. The column gets another name too: a server of before, on the same data, fails at once
// instead of finding no contracts.
import { templateOf } from '../../runtime/index.ts'
import { templateKey } from './template-key.ts'
import type { Knex } from 'knex'

/** The schema that finds contracts by the name of their template first. */
export const TEMPLATES_SCHEMA = '0008-templates'

interface StoredTemplate {
  readonly template_id: string
  readonly package_name: string
}

/** Writes each contract's row once. */
export async function keyByName(knex: Knex): Promise<void> {
  await knex.raw('alter table contracts rename column template_hash to template_key')
  await rewriteKeys(knex, ({ template_id: templateId, package_name: packageName }) =>
    templateOf({ templateId, packageName }),
  )
}

export async function keyById(knex: Knex): Promise<void> {
  await rewriteKeys(knex, ({ template_id: templateId }) => templateId)
  await knex.raw('alter table contracts rename column template_key to template_hash')
}

async function rewriteKeys(knex: Knex, textOf: (stored: StoredTemplate) => string): Promise<void> {
  const stored: readonly StoredTemplate[] = await knex('contracts').distinct(
    'template_id',
    'package_name',
  )
  if (stored.length === 0) return
  const cases = stored.map(() => 'when template_id = ? then ?').join(' ')
  const values = stored.flatMap((each) => [each.template_id, templateKey(textOf(each))])
  // Bound without a type, PostgreSQL would take the numbers for texts.
  await knex.raw(`update contracts set template_key = cast(case ${cases} end as integer)`, values)
}
