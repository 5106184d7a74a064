// `collection`: the requests of documents for API clients; of the interfaces that are served where
// no document is named.
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { writeFile } from 'node:fs/promises'
import { CommandError } from '../host/problem.ts'
import { EXIT } from './outcome.ts'

interface CollectionFlags {
  readonly out?: string
  readonly url: string
}

/** Prints the collection, or writes it to a file; exit code 2 where a document is wrong. */
export async function writeCollection(
  files: readonly string[],
  { out, url }: CollectionFlags,
): Promise<void> {
  const { formatFinding, loadInterface, printCollection } = await import('../../codegen/index.ts')
  const named = files.length === 0 ? servedDocuments() : files
  const loaded = named.map((file) => loadInterface(file))
  const grave = loaded
    .flatMap(({ findings }) => findings)
    .find(({ severity }) => severity === 'error')
  if (grave !== undefined) throw new CommandError(formatFinding(grave), EXIT.usage)
  const [first] = loaded
  const title = files.length === 1 ? (first?.ir.title ?? '') : 'Ledgerwright'
  const text = printCollection(
    loaded.map(({ ir }) => ir),
    { title, baseUrl: url },
  )
  if (out === undefined) process.stdout.write(text)
  else await writeFile(out, text)
}

function servedDocuments(): readonly string[] {
  const folder = fileURLToPath(new URL('../../generated/', import.meta.url))
  return globSync(`${folder}*/openapi.json`).toSorted()
}
