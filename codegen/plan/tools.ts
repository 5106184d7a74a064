// Which generator made the output: a change of its code or of the type generator makes everything
// stale.
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256, sha256Text } from '../json.ts'
import { compareText, fields, text } from '../values.ts'

const CODE = dirname(dirname(fileURLToPath(import.meta.url)))
/** What the generator has of the service: it reads archives. docs/decisions/0057 */
const READERS = ['archive', 'decode', 'program', 'summary'].map(
  (name) => `../runtime/packages/${name}`,
)
const TYPE_GENERATOR = '@hey-api/openapi-ts'

export interface ToolVersions {
  /** First 16 hexadecimal digits of the hash over the generator's own files. */
  readonly generator: string
  readonly [TYPE_GENERATOR]: string
}

let versions: ToolVersions | undefined

/**
 * Versions of what decides the output, as the process found them. Reads a few dozen small files,
 * loads no code.
 */
export function toolVersions(): ToolVersions {
  versions ??= findVersions()
  return versions
}

function findVersions(): ToolVersions {
  const files = ['.', ...READERS]
    .flatMap((folder) =>
      readdirSync(join(CODE, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => /\.[jt]s$/u.test(file) && !file.endsWith('.d.ts'))
  const hashes = files
    .map((file) => `${file.replaceAll('\\', '/')} ${sha256Text(readFileSync(join(CODE, file)))}`)
    .sort(compareText)
  return { generator: sha256(hashes.join('\n')).slice(0, 16), [TYPE_GENERATOR]: installedVersion() }
}

/**
 * The package shuts its manifest off from imports, so it is found by its place: packed with the
 * generator, else where npm has put it.
 */
function installedVersion(): string {
  const installed = createRequire(import.meta.url).resolve.paths(TYPE_GENERATOR) ?? []
  for (const folder of [join(CODE, 'packages'), ...installed]) {
    try {
      return (
        text(
          fields(JSON.parse(readFileSync(join(folder, TYPE_GENERATOR, 'package.json'), 'utf8')))[
            'version'
          ],
        ) ?? 'unknown'
      )
    } catch {
      continue
    }
  }
  return 'absent'
}
