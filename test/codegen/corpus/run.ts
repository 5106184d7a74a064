// `npm run full:corpus`: fetches the packages of documents.json into a folder outside of the
// repository, puts each document through the generator in a process of its own, and prints a table.
// `--only TEXT`, `--number N…`, `--most-bytes N` choose documents, `--write` puts the rows into
// docs/corpus.md; CORPUS names the folder.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from './documents.json' with { type: 'json' }
import type { Outcome } from './one.ts'
import { HEAD, isWhole, rowOf, writeRow } from './table.ts'

const FOLDER = process.env['CORPUS'] ?? join(tmpdir(), 'ledgerwright-corpus')
const ONE_MS = 900_000
const MEMORY = '--max-old-space-size=4000'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    number: { type: 'string', multiple: true },
    'most-bytes': { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const most = Number(values['most-bytes'] ?? Infinity)
const chosen = manifest.documents.filter(
  ({ file, bytes }, index) =>
    bytes <= most &&
    file.includes(values.only ?? '') &&
    values.number?.includes(String(index + 1)) !== false,
)

mkdirSync(FOLDER, { recursive: true })
const folders = new Map<string, string>()
for (const { name } of manifest.packages)
  if (chosen.some((one) => one.package === name)) folders.set(name, fetched(name))

process.stdout.write(HEAD)
for (const { package: name, file, bytes, sha256 } of chosen) {
  const path = join(folders.get(name) ?? '', file)
  const found = createHash('sha256').update(readFileSync(path)).digest('hex')
  if (found !== sha256) throw new Error(`${name} ${file} is not the document that was listed`)
  const number = manifest.documents.findIndex((one) => one.sha256 === sha256) + 1
  const outcome = await measured(path)
  const row = rowOf(number, bytes, outcome)
  process.stdout.write(row)
  if (values.write) writeRow(row)
  if (isWhole(outcome)) continue
  process.exitCode = 1
  process.stderr.write(`${number} ${file}: ${shown(outcome)}\n`)
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
  mkdirSync(staging)
  const args = ['pack', `${name}@${version}`, '--silent', '--pack-destination', staging]
  const archive = execFileSync('npm', args, { encoding: 'utf8', cwd: staging }).trim()
  const bytes = readFileSync(join(staging, archive))
  if (`sha512-${createHash('sha512').update(bytes).digest('base64')}` !== integrity)
    throw new Error(`${name}@${version} is not the package that was listed`)
  execFileSync('tar', ['-xzf', archive], { cwd: staging })
  renameSync(staging, folder)
  return join(folder, 'package')
}

/** What came of a document; a text where its process crashed or did not end. */
function measured(path: string): Promise<Outcome | string> {
  const script = join(import.meta.dirname, 'one.ts')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [MEMORY, script, path],
      { timeout: ONE_MS, maxBuffer: Infinity },
      (error, output, errors) => {
        const line = output.split('\n').findLast((one) => one.startsWith('{'))
        if (error !== null || line === undefined)
          resolve(errors.trim().slice(0, 2_000) || 'timeout')
        else resolve(JSON.parse(line))
      },
    )
  })
}

function shown(outcome: Outcome | string): string {
  return typeof outcome === 'string' ? outcome : outcome.texts.join('\n')
}
