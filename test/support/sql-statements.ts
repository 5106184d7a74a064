// All statements that the store runs, for tests that look at each.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import {
  activeStatement,
  countStatement,
  keyStatement,
} from '../../plugins/storage-sql/contract-statements.ts'
import { ROOT } from './service.ts'
import type { Statement } from '../../plugins/storage-sql/statements.ts'

/** Made for each key and order. */
const MADE: readonly Statement[] = [
  ...(['key1', 'key2', 'key3'] as const).flatMap((key) => [keyStatement(key), countStatement(key)]),
  ...([undefined, 'key1', 'key2', 'key3'] as const).flatMap((key) =>
    (['created', 'created-desc', 'rank', 'rank-desc'] as const).map((order) =>
      activeStatement(key, order),
    ),
  ),
]

/** Statements that the modules of the plugin export, alone or by name, and those that are made. */
export async function sqlStatements(): Promise<readonly Statement[]> {
  const modules: readonly object[] = await Promise.all(
    globSync(join(ROOT, 'plugins/storage-sql/*.ts')).map((file) => import(file)),
  )
  const exported = modules
    .flatMap((module) => Object.values(module))
    .flatMap((value: unknown) => (isGroup(value) ? Object.values(value) : [value]))
  return [...exported.filter(isStatement), ...MADE]
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isStatement(value)
}

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'sqlite' in value && 'postgres' in value
}
