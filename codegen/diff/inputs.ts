// What the arguments of `ledgerwright diff` name: a document, a folder of documents, a
// configuration, or one of these in git.
import { existsSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix, relative, resolve, sep } from 'node:path'
import { optionsOf } from '../cli/options.ts'
import type { GenerateOptions } from '../config.ts'
import { loadContracts, noContracts } from '../load/contracts.ts'
import type { LoadedContracts } from '../load/contracts.ts'
import { loadConfigured } from '../load/load-configured.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { readSource } from '../load/source.ts'
import type { Source } from '../load/source.ts'
import { isFields } from '../values.ts'
import { isArchiveName } from '../archives/archive-name.ts'
import type { PackageVersion } from '../archives/package-version.ts'
import { readFolder } from './folder.ts'
import { checkOut, findRevision } from './git.ts'
import type { Revision } from './git.ts'

/** The documents and archives on one side of a comparison. */
export interface Version {
  readonly documents: readonly LoadedInterface[]
  /** Absent where the argument says nothing of contracts. */
  readonly contracts?: LoadedContracts
  /** Absent where the argument says nothing of archives. */
  readonly packages?: readonly PackageVersion[]
  /**
   * The argument named one document or archive: it is compared with whatever single one is on the
   * other side.
   */
  readonly isOne: boolean
  /** A file's name as a person should see it. */
  show(file: string): string
}

/**
 * Loads what an argument names; a text says why it cannot be. Errors in documents are in their
 * findings.
 */
export async function openVersion(argument: string): Promise<Version | string> {
  if (existsSync(argument))
    return await readVersion(resolve(argument), (file) => relative(process.cwd(), file))
  if (!argument.includes(':')) return `there is no file or folder '${argument}'`
  const revision = findRevision(argument)
  return typeof revision === 'string' ? revision : await readRevision(revision)
}

async function readVersion(path: string, show: Version['show']): Promise<Version | string> {
  if (statSync(path).isDirectory()) {
    const folder = readFolder(path, show(path))
    return typeof folder === 'string' ? folder : { ...folder, isOne: false, show }
  }
  if (isArchiveName(path))
    return { documents: [], packages: await readArchives([path]), isOne: true, show }
  if (!/\.[cm]?[jt]s$/u.test(path)) return { ...readDocument(path), isOne: true, show }
  const options = await optionsOf({ config: path })
  if (typeof options === 'string') return options
  return {
    documents: loadConfigured(options),
    contracts: configuredContracts(options, path),
    packages: await configuredPackages(options),
    isOne: false,
    show,
  }
}

/**
 * An OpenAPI document or contracts: only these begin with packages, and name no version of OpenAPI.
 */
function readDocument(path: string): Pick<Version, 'documents' | 'contracts'> {
  const source = readSource(path)
  const read = (file: string): Source => (file === path ? source : readSource(file))
  const isContracts =
    isFields(source.data) && 'packages' in source.data && !('openapi' in source.data)
  return isContracts
    ? { documents: [], contracts: loadContracts(path, read) }
    : { documents: [loadInterface(path, { read })] }
}

/** A configuration that names no contracts says that there are none. */
function configuredContracts(
  { config, root = process.cwd() }: GenerateOptions,
  path: string,
): LoadedContracts {
  return config.contracts === undefined
    ? noContracts(path)
    : loadContracts(resolve(root, config.contracts))
}

function configuredPackages({
  config: { packages = [] },
  root = process.cwd(),
}: GenerateOptions): Promise<readonly PackageVersion[]> {
  return readArchives(packages.map(({ archive }) => resolve(root, archive)))
}

/** Loads the reader with the first archive. */
async function readArchives(files: readonly string[]): Promise<readonly PackageVersion[]> {
  if (files.length === 0) return []
  const { loadPackageVersion } = await import('../archives/package-version.ts')
  return await Promise.all(files.map(loadPackageVersion))
}

async function readRevision(revision: Revision): Promise<Version | string> {
  const target = realpathSync(mkdtempSync(join(tmpdir(), 'ledgerwright-diff-')))
  const show = (file: string): string =>
    `${revision.revision}:${relative(target, file).split(sep).join('/')}`
  try {
    const isScript = /\.[cm]?[jt]s$/u.test(revision.path)
    const folder = revision.isFolder
      ? revision.path
      : posix.dirname(revision.path).replace(/^\.$/u, '')
    const version = await readAt(revision, isScript ? '' : folder, target, show)
    const isWhole = folder === '' || isScript || typeof version === 'string'
    // References that lead out of the folder need the rest of the tree, which is not read for
    // nothing.
    return isWhole || !hasUnreadable(version) ? version : await readAt(revision, '', target, show)
  } finally {
    rmSync(target, { recursive: true, force: true })
  }
}

async function readAt(
  revision: Revision,
  folder: string,
  target: string,
  show: Version['show'],
): Promise<Version | string> {
  const failure = checkOut(revision, folder, target)
  if (failure !== undefined) return `'${revision.revision}:${folder}' is read from git: ${failure}`
  // A configuration imports packages, which no revision holds.
  const [packages, here] = [join(revision.top, 'node_modules'), join(target, 'node_modules')]
  if (existsSync(packages) && !existsSync(here)) symlinkSync(packages, here, 'junction')
  return await readVersion(join(target, revision.path), show)
}

function hasUnreadable({ documents }: Version): boolean {
  return documents.some(({ findings }) => findings.some(({ rule }) => rule === 'unreadable'))
}
