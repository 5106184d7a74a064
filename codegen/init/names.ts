// Names of a new project: of its package and of its interface, from what the document and its file
// are called.
import { basename } from 'node:path'
import { stemOf } from '../load/source.ts'

const LONGEST_NAME = 214
/** Names that say nothing of what the document is about. */
const BLAND = new Set([
  'openapi',
  'swagger',
  'api',
  'spec',
  'specification',
  'schema',
  'index',
  'main',
  'document',
  'service',
])
/** npm refuses the first two; Node takes some of the rest for its own. */
const TAKEN = new Set([
  'node_modules',
  'favicon.ico',
  'test',
  'fs',
  'http',
  'path',
  'os',
  'url',
  'util',
  'events',
  'stream',
  'ledgerwright',
])

/**
 * Lower-case letters, digits and hyphens; '' where nothing is left. Letters with marks lose these.
 */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/gu, '')
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replace(/^-+/u, '')
    .slice(0, LONGEST_NAME / 2)
    .replace(/-+$/u, '')
}

/** A name for the package that npm takes: from the title, else the folder, else `service`. */
export function packageName(title: string, folder: string): string {
  const found = [title, basename(folder)].map(slugOf).find((name) => name !== '') ?? 'service'
  return TAKEN.has(found) ? `${found}-service` : found
}

/** The problem with a given name; undefined if npm takes it. */
export function nameProblem(name: string): string | undefined {
  const isValid = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/u.test(name)
  if (isValid && name.length <= LONGEST_NAME && !TAKEN.has(name)) return undefined
  return `"${name}" is not a name for a package: lower-case letters, digits and hyphens, and none of npm's or Node's own`
}

/**
 * The folder of the interface under `generated/`: the document's own name for it, its file's name,
 * or its title.
 */
export function interfaceName(given: string | undefined, file: string, title: string): string {
  if (given !== undefined && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(given)) return given
  const [stem, words] = [slugOf(stemOf(file)), slugOf(title)]
  return [BLAND.has(stem) ? '' : stem, words, stem].find((name) => name !== '') ?? 'service'
}
