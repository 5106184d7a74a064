// For commands that run generated code: loads documents, and prints their code into a folder that
// the next run can reuse.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  emitForConformance,
  formatFinding,
  loadInterface,
  toolVersions,
} from '../../codegen/index.ts'
import type { LoadedInterface, LoadOptions } from '../../codegen/index.ts'
import { INTERFACES } from '../host/config/schema.ts'
import { member } from '../host/member.ts'
import { CommandError } from '../host/problem.ts'
import { cachedFiles } from './conform-cache.ts'
import { EXIT } from './outcome.ts'
import { specFolder } from './spec-folder.ts'
import { productVersion } from './version.ts'

/**
 * A document, where it is mounted (`''` or `/prefix`; by its `x-interface` if absent), and what is
 * done with it before.
 */
interface DocumentSource extends LoadOptions {
  readonly file: string
  readonly mount?: string
  /** The interface, if it has been loaded already. */
  readonly loaded?: LoadedInterface
}

/** Documents to print, and their treatment. */
export interface DocumentsOptions {
  /** FILE or FILE=/prefix; the service's own documents if absent. */
  readonly specs: readonly (string | DocumentSource)[] | undefined
  readonly cache: string | undefined
  /** Treatment of documents that are given as text. */
  readonly load?: Pick<LoadOptions, 'overlays' | 'vocabulary'>
}

/** A document that can be used. */
export interface Document {
  readonly loaded: LoadedInterface
  /** The plugins that it went through: nothing else of them shows in its files. */
  readonly plugins: string
  readonly mount: string
}

/** Documents, and the folder of what is printed from them. */
interface PrintedDocuments {
  readonly documents: readonly Document[]
  readonly folder: string
}

/**
 * Loads documents and prints routes, validators and arbitraries of each, now or in an earlier run.
 * Throws CommandError where one cannot be read or is wrong.
 */
export async function printedDocuments(options: DocumentsOptions): Promise<PrintedDocuments> {
  const documents = distinct(
    (options.specs ?? ownSpecs()).map((given) => readDocument(given, options.load)),
  )
  const folder = await cachedFiles(options.cache, keyOf(documents), () => printAll(documents))
  return { documents, folder }
}

function ownSpecs(): readonly string[] {
  const folder = specFolder(': name some with --spec')
  return INTERFACES.map((name) => join(folder, `${name}.yaml`))
}

function sourceOf(text: string): DocumentSource {
  const [, file = text, mount] = /^(.*?)(?:=(\/.*|))?$/u.exec(text) ?? []
  return { file, ...(mount === undefined ? {} : { mount }) }
}

function readDocument(given: string | DocumentSource, load: LoadOptions = {}): Document {
  const source = typeof given === 'string' ? { ...sourceOf(given), ...load } : given
  const { file, mount: prefix, loaded = undefined, ...options }: DocumentSource = source
  if (!existsSync(file)) throw new CommandError(`there is no ${file}`, EXIT.usage)
  return checkedDocument(loaded ?? loadInterface(resolve(file), options), prefix, options)
}

/** Throws CommandError where a document is wrong. */
function checkedDocument(
  loaded: LoadedInterface,
  prefix: string | undefined,
  options: LoadOptions,
): Document {
  const wrong = loaded.findings.filter(({ severity }) => severity === 'error')
  const [first] = wrong
  if (first !== undefined) {
    const shown = formatFinding({
      ...first,
      at: { ...first.at, file: relative(process.cwd(), first.at.file) },
    })
    throw new CommandError(
      `${shown}${wrong.length === 1 ? '' : ` (and ${wrong.length - 1} more)`}`,
      EXIT.usage,
    )
  }
  const own = member(loaded.ir.extensions['x-interface'], 'mount')
  const plugins = (options.plugins ?? []).map(({ name, version }) => `${name}@${version}`).join()
  return {
    loaded,
    plugins,
    mount: (prefix ?? (typeof own === 'string' ? own : '')).replace(/\/$/u, ''),
  }
}

/** Two documents of one name get folders of their own. */
function distinct(documents: readonly Document[]): readonly Document[] {
  const used = new Set<string>()
  return documents.map(({ loaded, ...rest }, index) => {
    const isFree = !used.has(loaded.ir.name) && /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(loaded.ir.name)
    const name = isFree ? loaded.ir.name : `document-${index + 1}`
    used.add(name)
    return { loaded: { ...loaded, ir: { ...loaded.ir, name } }, ...rest }
  })
}

function keyOf(documents: readonly Document[]): string {
  const hash = createHash('sha256').update(`${productVersion()} ${toolVersions().generator}`)
  for (const { loaded, plugins } of documents) {
    hash.update(`\0${loaded.ir.name}\0${plugins}`)
    for (const { bytes } of loaded.inputs) hash.update('\0').update(bytes)
  }
  return hash.digest('hex').slice(0, 32)
}

async function printAll(documents: readonly Document[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const { loaded } of documents) {
    for (const [file, text] of emitForConformance(loaded)) files.set(file, text)
  }
  return files
}

/** A printed module of an interface: `routes`, `validators` or `arbitraries`. */
export async function loadPrinted(folder: string, name: string, part: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, name, `${part}.gen.ts`)).href)
}
