// The documents of documents.json: their packages, fetched once into a folder outside of the
// repository, each compared with what was listed.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from './documents.json' with { type: 'json' }

const FOLDER = process.env['CORPUS'] ?? join(tmpdir(), 'ledgerwright-corpus')

/** A document by its number in the table of docs/corpus.md. */
export interface CorpusDocument {
  readonly number: number
  readonly package: string
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

/** All of them, in the order of the list. */
export const DOCUMENTS: readonly CorpusDocument[] = manifest.documents.map((one, index) => {
  return { ...one, number: index + 1 }
})

/** The path of a document on this machine. Throws if it is another one than was listed. */
export function pathOf({ package: name, file, sha256 }: CorpusDocument): string {
  const path = join(fetched(name), file)
  const found = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (found !== sha256) throw new Error(`${name} ${file} is not the document that was listed`)
  return path
}

/** The folder of a package, taken from the registry once and compared with what was listed. */
function fetched(name: string): string {
  const listed = manifest.packages.find((one) => one.name === name)
  if (listed === undefined) throw new Error(`${name} is not listed`)
  const { version, integrity } = listed
  const folder = join(FOLDER, `${name.replaceAll(/[@/]/gu, '_')}-${version}`)
  if (existsSync(folder)) return join(folder, 'package')
  const staging = `${folder}.new`
  rmSync(staging, { recursive: true, force: true })
  mkdirSync(staging, { recursive: true })
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', staging]
  const archive = execFileSync('npm', args, { encoding: 'utf8', cwd: staging }).trim()
  const bytes = readFileSync(join(staging, archive))
  if (`sha512-${createHash('sha512').update(bytes).digest('base64')}` !== integrity)
    throw new Error(`${name}@${version} is not the package that was listed`)
  execFileSync('tar', ['-xzf', archive], { cwd: staging })
  renameSync(staging, folder)
  return join(folder, 'package')
}
