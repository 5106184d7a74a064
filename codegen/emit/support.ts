// Joins the helper sources of emit/support into support.gen.ts, which stands once beside all interfaces.
import { existsSync, readFileSync } from 'node:fs'

const PARTS = ['wire', 'exact-json', 'parameters', 'forms', 'client']

/** Text of support.gen.ts, without marker. The helpers are real TypeScript files, so they are compiled and tested as such. */
export function printSupport(): string {
  const parts = PARTS.map((part) => readPart(part).replaceAll(/^import (?:type )?\{[^}]*\} from '\.\/[^']*'\n/gmu, ''))
  const imports = [
    `import { placeIssues } from './validation.gen.ts'\n`,
    `import type { Issue, IssuePlace } from './validation.gen.ts'\n`,
  ]
  return `${imports.join('')}\n${parts.join('\n')}`
}

function readPart(part: string): string {
  const source = new URL(`./support/${part}.ts`, import.meta.url)
  if (existsSync(source)) return readFileSync(source, 'utf8')
  throw new Error(`the generator's helper ${part}.ts is missing beside ${import.meta.url}`)
}
