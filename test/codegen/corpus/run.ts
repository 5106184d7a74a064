// `npm run full:corpus`: fetches the packages of documents.json into a folder outside of the
// repository, puts each document through the generator in a process of its own, and prints a table.
// `--only TEXT`, `--number N…`, `--most-bytes N` choose documents, `--write` puts the rows into
// docs/corpus.md; CORPUS names the folder.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DOCUMENTS, pathOf } from './documents.ts'
import type { Outcome } from './one.ts'
import { HEAD, isWhole, rowOf, writeRow } from './table.ts'

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
const chosen = DOCUMENTS.filter(
  ({ number, file, bytes }) =>
    bytes <= most &&
    file.includes(values.only ?? '') &&
    values.number?.includes(String(number)) !== false,
)

process.stdout.write(HEAD)
for (const document of chosen) {
  const { number, file, bytes } = document
  const outcome = await measured(pathOf(document))
  const row = rowOf(number, bytes, outcome)
  process.stdout.write(row)
  if (values.write) writeRow(row)
  if (isWhole(outcome)) continue
  process.exitCode = 1
  process.stderr.write(`${number} ${file}: ${shown(outcome)}\n`)
}

/** The outcome of a document; a text if its process crashed or did not end. */
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
