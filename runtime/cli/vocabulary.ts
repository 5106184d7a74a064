// Serves interfaces under another vocabulary: makes them of their documents and the word map, and
// puts the same handlers behind them. Loaded only where the configuration asks for it.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { toolVersions } from '../../codegen/plan/tools.ts'
import type { Configuration } from '../host/config/configuration.ts'
import { member } from '../host/member.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import type { Handler, InterfaceMount, WireInterface } from '../http/index.ts'
import { cachedFiles } from './conform-cache.ts'
import { productVersion } from './version.ts'

export interface RenamedInterfaces<P> {
  readonly interfaces: readonly InterfaceMount<P>[]
  /** Documents of the renamed ones, by the name of the interface. */
  readonly documents: ReadonlyMap<string, URL>
}

type VocabularySection = NonNullable<Configuration['values']['vocabulary']>
type Handlers<P> = Readonly<Record<string, Handler<P> | undefined>>
type Translated<P> = (handlers: Handlers<P>) => Handlers<P>

/**
 * The interfaces that the configuration names under its vocabulary, the others as they are. What is
 * made for them is kept in the data folder for the next start. Throws a CommandError when the word
 * map or a name is wrong.
 */
export async function underVocabulary<P>(
  interfaces: readonly InterfaceMount<P>[],
  config: Configuration,
  { file, interfaces: names }: VocabularySection,
): Promise<RenamedInterfaces<P>> {
  for (const name of names) checkName(interfaces, name)
  const vocabulary = vocabularyFile(config, file)
  const folder = await cachedFiles(
    join(config.values.data, 'vocabulary'),
    keyOf(vocabulary, names),
    async () => {
      const { makeInterfaces } = await import('./vocabulary-files.ts')
      return makeInterfaces(
        names.map((name) => join(specFolder(), `${name}.yaml`)),
        vocabulary,
      )
    },
  )
  return {
    interfaces: await Promise.all(
      interfaces.map((mount) => (names.includes(mount.wire.name) ? renamed(mount, folder) : mount)),
    ),
    documents: new Map(
      names.map((name) => [name, pathToFileURL(join(folder, name, 'openapi.json'))]),
    ),
  }
}

/** A stream's messages are not translated. */
function checkName<P>(interfaces: readonly InterfaceMount<P>[], name: string): void {
  const able = interfaces
    .filter(({ streams }) => streams === undefined)
    .map(({ wire }) => wire.name)
  if (able.includes(name)) return
  throw new CommandError(
    `configuration: vocabulary.interfaces: '${name}' cannot be renamed: ${able.join(', ')} can`,
  )
}

/**
 * Relative paths start where those of the same place start: at the file of the configuration, else
 * at the current folder.
 */
function vocabularyFile(config: Configuration, file: string): string {
  const isInFile =
    config.file !== undefined && config.origins.get('vocabulary.file') === config.file
  const path = resolve(isInFile ? config.folder : process.cwd(), file)
  if (!existsSync(path))
    throw new CommandError(
      `configuration: vocabulary.file: there is no ${relative(process.cwd(), path)}`,
    )
  return path
}

function specFolder(): string {
  const folder = ['../../spec', '../../../spec']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))
  if (folder === undefined) throw new CommandError('the documents of this service are missing')
  return folder
}

function keyOf(vocabulary: string, names: readonly string[]): string {
  const hash = createHash('sha256').update(
    [productVersion(), toolVersions().generator, ...names].join('\0'),
  )
  const specs = globSync('*.yaml', { cwd: specFolder() })
    .sort()
    .map((file) => join(specFolder(), file))
  for (const file of [vocabulary, ...specs]) hash.update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

async function renamed<P>(mount: InterfaceMount<P>, folder: string): Promise<InterfaceMount<P>> {
  const wire = member(await load(folder, mount.wire.name, 'routes'), 'wire')
  const translated = member(await load(folder, mount.wire.name, 'translate'), 'translated')
  if (!isWire(wire) || !isTranslated<P>(translated)) {
    throw new CommandError(`${folder} does not hold what this version made there: remove it`)
  }
  return { ...mount, wire, handlers: translated(mount.handlers) }
}

async function load(folder: string, name: string, part: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(join(folder, name, `${part}.gen.ts`)).href)
  } catch (error) {
    throw new CommandError(
      `${folder} cannot be loaded; remove it, and the next start makes it again: ${messageOf(error)}`,
    )
  }
}

function isWire(value: unknown): value is WireInterface {
  return typeof member(value, 'name') === 'string' && Array.isArray(member(value, 'operations'))
}

function isTranslated<P>(value: unknown): value is Translated<P> {
  return typeof value === 'function'
}
