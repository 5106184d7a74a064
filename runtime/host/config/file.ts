// Finds and reads the configuration file: JSON, YAML, or a module whose default export is the
// configuration.
import { existsSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { member } from '../member.ts'
import { messageOf } from '../problem.ts'

const NAMES = ['json', 'yaml', 'yml', 'ts', 'js', 'mjs'].map(
  (ending) => `ledgerwright.config.${ending}`,
)

type FileResult =
  | { readonly ok: true; readonly path: string | undefined; readonly values: unknown }
  | { readonly ok: false; readonly path: string; readonly message: string }

/**
 * Reads `given` (as from `--config`) or the one file with the usual name in `folder`; no file at
 * all is empty.
 */
export async function readConfigFile(
  folder: string,
  given: string | undefined,
): Promise<FileResult> {
  const found =
    given === undefined
      ? NAMES.map((name) => join(folder, name)).filter((path) => existsSync(path))
      : []
  const path = given === undefined ? found[0] : resolve(folder, given)
  if (path === undefined) return { ok: true, path, values: {} }
  if (found.length > 1)
    return { ok: false, path, message: `several files, keep one: ${found.join(', ')}` }
  if (!existsSync(path))
    return { ok: false, path, message: `configuration file ${path} does not exist` }
  try {
    const values = await parse(path)
    if (typeof values === 'object' && values !== null && !Array.isArray(values))
      return { ok: true, path, values }
    return { ok: false, path, message: `${path} does not hold an object` }
  } catch (error) {
    return { ok: false, path, message: `${path} cannot be read: ${messageOf(error)}` }
  }
}

async function parse(path: string): Promise<unknown> {
  const ending = extname(path)
  if (ending === '.json') return JSON.parse(readFileSync(path, 'utf8'))
  if (ending === '.yaml' || ending === '.yml') {
    const { CORE_SCHEMA, load } = await import('js-yaml')
    return load(readFileSync(path, 'utf8'), { schema: CORE_SCHEMA }) ?? {}
  }
  const module: unknown = await import(pathToFileURL(path).href)
  const exported = member(module, 'default')
  if (exported === undefined) throw new Error('it has no default export')
  return exported
}
