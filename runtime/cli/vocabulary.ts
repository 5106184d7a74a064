// Serves interfaces under another vocabulary: generates them from their documents and the word map,
// and connects the same handlers. Loaded only if the configuration asks for it.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, parse, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { toolVersions } from '../../codegen/plan/tools.ts'
import type { Configuration } from '../host/config/configuration.ts'
import { member } from '../host/member.ts'
import type { WireWords, Words } from '../participant/interactive/wire-words.ts'
import { CommandError, messageOf } from '../host/problem.ts'
import type { ConfigProblem } from '../host/problem.ts'
import type { Handler, InterfaceMount, StreamHandler, WireInterface } from '../http/index.ts'
import { cachedFiles } from './conform-cache.ts'
import type { Files } from './conform-cache.ts'
import { INTERFACES } from '../host/config/schema.ts'
import { presetFolder, specFolder } from './spec-folder.ts'
import { productVersion } from './version.ts'

export interface RenamedInterfaces<P> {
  readonly interfaces: readonly InterfaceMount<P>[]
  /** Documents of the renamed ones, by the name of the interface. */
  readonly documents: ReadonlyMap<string, URL>
}

type VocabularySection = NonNullable<Configuration['values']['vocabulary']>
type Handlers<P> = Readonly<Record<string, Handler<P> | undefined>>
type Streams<P> = Readonly<Record<string, StreamHandler<P> | undefined>>

/**
 * What is wrong with the section `vocabulary`: the same for the start and for `config check`.
 * Starts and writes nothing.
 */
export async function vocabularyProblems(config: Configuration): Promise<readonly ConfigProblem[]> {
  const { vocabulary } = config.values
  if (vocabulary === undefined) return []
  const wrong = [...nameProblems(vocabulary), ...fileProblems(config, vocabulary)]
  // What an earlier start has made of just these texts was right.
  if (wrong.length > 0 || existsSync(madeFolder(config, vocabulary))) return wrong
  try {
    await make(config, vocabulary)
    return []
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return [{ path: 'vocabulary.file', message: error.message }]
  }
}

function nameProblems({ interfaces }: VocabularySection): readonly ConfigProblem[] {
  return interfaces.flatMap((name, index) => {
    if (INTERFACES.includes(name)) return []
    const message = `'${name}' cannot be renamed: ${INTERFACES.join(', ')} can`
    return [{ path: `vocabulary.interfaces[${index}]`, message }]
  })
}

function fileProblems(
  { vocabularyFile: file }: Configuration,
  { preset }: VocabularySection,
): readonly ConfigProblem[] {
  if (file !== undefined && existsSync(file)) return []
  if (preset !== undefined) {
    const known = globSync('*.yaml', { cwd: presetFolder() ?? specFolder() }).map(
      (name) => parse(name).name,
    )
    const message = `there is no preset '${preset}': ${known.sort().join(', ')}`
    return [{ path: 'vocabulary.preset', message }]
  }
  const message = `there is no ${relative(process.cwd(), file ?? '')}`
  return [{ path: 'vocabulary.file', message }]
}

/** The vocabulary of the configuration, made and kept in the data folder for the next start. */
export interface OpenVocabulary {
  /** Words in which clients read what they sign; undefined if these interfaces are not renamed. */
  readonly words: WireWords | undefined
  /** The interfaces that the configuration names under its vocabulary, the others as they are. */
  serve<P>(interfaces: readonly InterfaceMount<P>[]): Promise<RenamedInterfaces<P>>
}

/** Makes it, or finds it made. The section has been checked. */
export async function openVocabulary(
  config: Configuration,
  section: VocabularySection,
): Promise<OpenVocabulary> {
  const names = section.interfaces
  const folder = await cachedFiles(cacheOf(config), keyOf(config, section), () =>
    make(config, section),
  )
  const signing = ['ledger', 'validator'].find((name) => names.includes(name))
  return {
    words: signing === undefined ? undefined : await wordsOf(folder, signing),
    serve: async (interfaces) => ({
      interfaces: await Promise.all(
        interfaces.map((mount) =>
          names.includes(mount.wire.name) ? renamed(mount, folder) : mount,
        ),
      ),
      documents: new Map(
        names.map((name) => [name, pathToFileURL(join(folder, name, 'openapi.json'))]),
      ),
    }),
  }
}

async function wordsOf(folder: string, name: string): Promise<WireWords> {
  const made = await load(folder, name, 'translate')
  const [outward, inward] = ['outwardNames', 'inwardNames'].map((one) => member(made, one))
  if (!isWords(outward) || !isWords(inward)) throw notOurs(folder)
  return { outward, inward }
}

function isWords(value: unknown): value is Words {
  return typeof member(value, 'template') === 'function'
}

function notOurs(folder: string): CommandError {
  return new CommandError(`${folder} was changed after this version generated it: remove it`)
}

function cacheOf({ values }: Configuration): string {
  return join(values.data, 'vocabulary')
}

function madeFolder(config: Configuration, section: VocabularySection): string {
  return join(cacheOf(config), keyOf(config, section))
}

/** Throws a CommandError where the word map is wrong. */
async function make(config: Configuration, section: VocabularySection): Promise<Files> {
  const { makeInterfaces } = await import('./vocabulary-files.ts')
  const documents = section.interfaces.map((name) => join(specFolder(), `${name}.yaml`))
  return makeInterfaces(documents, config.vocabularyFile ?? '')
}

function keyOf(config: Configuration, section: VocabularySection): string {
  const hash = createHash('sha256').update(
    [productVersion(), toolVersions().generator, ...section.interfaces].join('\0'),
  )
  const specs = globSync('*.yaml', { cwd: specFolder() })
    .sort()
    .map((file) => join(specFolder(), file))
  for (const file of [config.vocabularyFile ?? '', ...specs])
    hash.update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 32)
}

async function renamed<P>(mount: InterfaceMount<P>, folder: string): Promise<InterfaceMount<P>> {
  const wire = member(await load(folder, mount.wire.name, 'routes'), 'wire')
  const made = await load(folder, mount.wire.name, 'translate')
  const [translated, streams] = ['translated', 'translatedStreams'].map((name) =>
    member(made, name),
  )
  if (!isWire(wire) || !isTranslated<Handlers<P>>(translated) || !isTranslated<Streams<P>>(streams))
    throw notOurs(folder)
  return {
    ...mount,
    wire,
    handlers: translated(mount.handlers),
    ...(mount.streams === undefined ? {} : { streams: streams(mount.streams) }),
  }
}

async function load(folder: string, name: string, part: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(join(folder, name, `${part}.gen.ts`)).href)
  } catch (error) {
    throw new CommandError(
      `${folder} cannot be loaded; remove it, and the next start generates it again: ${messageOf(error)}`,
    )
  }
}

function isWire(value: unknown): value is WireInterface {
  return typeof member(value, 'name') === 'string' && Array.isArray(member(value, 'operations'))
}

function isTranslated<T>(value: unknown): value is (own: T) => T {
  return typeof value === 'function'
}
