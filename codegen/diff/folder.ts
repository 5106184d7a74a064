// The documents of a folder, as `ledgerwright diff` compares them: generated output, documents as
// people write them, and contracts.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { loadContracts } from '../load/contracts.ts'
import type { LoadedContracts } from '../load/contracts.ts'
import { loadInterface } from '../load/load-interface.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { readSource } from '../load/source.ts'
import type { Source } from '../load/source.ts'
import { compareText, isFields } from '../values.ts'

interface Folder {
  readonly documents: readonly LoadedInterface[]
  /** Absent where the folder has none. */
  readonly contracts?: LoadedContracts
}

const GENERATED = 'openapi.json'
const CONTRACTS = 'contracts.yaml'
const DOCUMENT = /\.(?:json|ya?ml)$/u
/** A text that may be a document; parsing all that a folder holds would take long. */
const NAMES_VERSION = /(?:^|[{,])\s*["']?openapi["']?\s*:/mu

/**
 * Every document below a folder by the name of its interface; of generated output that is its
 * folder's, and it stands for the document that it was made from. A text says why they cannot be
 * told apart.
 */
export function readFolder(folder: string, shown: string): Folder | string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => DOCUMENT.test(file) && !isForeign(file))
    .sort(compareText)
  const [contracts, ...others] = files.filter((file) => basename(file) === CONTRACTS)
  if (others.length > 0) return `'${shown}' has several ${CONTRACTS}: name one of them`
  const [generated, written] = [files.filter(isGenerated), files.filter((one) => !isGenerated(one))]
  const made = generated.map((file) => {
    const path = join(folder, file)
    return loadInterface(path, { name: basename(dirname(resolve(path))) })
  })
  const names = new Set(made.map(({ ir }) => ir.name))
  const sources = written.flatMap((file) => loadWritten(join(folder, file)))
  const documents = [...made, ...sources.filter(({ ir }) => !names.has(ir.name))]
  if (documents.length === 0 && contracts === undefined)
    return `there is no OpenAPI document or ${CONTRACTS} in '${shown}'`
  const twice = documents.find(({ ir }, index) =>
    documents.slice(0, index).some((other) => other.ir.name === ir.name),
  )
  if (twice !== undefined)
    return `'${shown}' has several interfaces '${twice.ir.name}': name a folder below it`
  return {
    documents,
    ...(contracts === undefined ? {} : { contracts: loadContracts(join(folder, contracts)) }),
  }
}

function isForeign(file: string): boolean {
  return file.split(sep).some((part) => part === 'node_modules' || part === '.git')
}

function isGenerated(file: string): boolean {
  return basename(file) === GENERATED
}

/** The document in a file; none where the file is something else. */
function loadWritten(path: string): readonly LoadedInterface[] {
  if (!NAMES_VERSION.test(readFileSync(path, 'utf8'))) return []
  const source = readSource(path)
  const isOther = isFields(source.data) && !('openapi' in source.data)
  if (isOther && source.findings.length === 0) return []
  const read = (file: string): Source => (file === path ? source : readSource(file))
  return [loadInterface(path, { read })]
}
