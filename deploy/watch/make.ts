// `npm run -s make:dashboards` writes what is made of the table of metrics; with `--check` it
// writes nothing and fails where a file is not what it would be.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { madeFiles, madeTables } from './files.ts'

const PAGE = 'docs/observability.md'
const isCheck = process.argv.includes('--check')

for (const [name, text] of Object.entries({ ...madeFiles(), [PAGE]: pageText() })) {
  const file = fileURLToPath(new URL(`../../${name}`, import.meta.url))
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (isCheck) {
    process.stderr.write(`${name} is not what the metrics say: npm run -s make:dashboards\n`)
    process.exitCode = 1
  } else writeFileSync(file, text)
}

/** The page with its tables as they are to be; what stands around them is written by hand. */
function pageText(): string {
  const page = readFileSync(new URL(`../../${PAGE}`, import.meta.url), 'utf8')
  return Object.entries(madeTables()).reduce((text, [name, made]) => {
    const place = new RegExp(`(<!-- made: ${name} -->\\n\\n)[^]*?(<!-- end -->)`)
    if (!place.test(text)) throw new Error(`${PAGE} has no place for ${name}`)
    return text.replace(place, (_, before: string, after: string) => `${before}${made}\n${after}`)
  }, page)
}
