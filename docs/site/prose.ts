// `npm run check:docs`, second half: the patterns of words.yml in pages and in the texts of the
// command line, of the generator's findings, of metrics and alerts, of plugins and of the wallet.
// docs/words.md
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TextlintKernel } from '@textlint/kernel'
import type { TextlintMessage } from '@textlint/kernel'
import markdown from '@textlint/textlint-plugin-markdown'
import prh from 'textlint-rule-prh'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Records of their day: not rewritten. The page on words quotes what is not to be written. */
const LEFT_OUT = ['docs/decisions/**', 'docs/words.md']
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/**/*.md']
const SOURCES = [
  'runtime/cli/**/*.ts',
  'runtime/host/metrics.ts',
  'codegen/{cli,diff,init,keywords,lint,load,scaffold,vocabulary}/*.ts',
  'deploy/watch/*.ts',
  'plugins/docs/*.ts',
  'plugins/*/index.ts',
]
/** The texts of the wallet are the keys of its languages. */
const CATALOGUE = 'plugins/wallet-ui/web/src/languages/de.json'
/** Texts of a program; what has no space is a name. */
const TEXT = /'([^'\n]* [^'\n]*)'|`([^`\n]* [^`\n]*)`/g

const kernel = new TextlintKernel()
const options = {
  ext: '.md',
  plugins: [{ pluginId: 'markdown', plugin: markdown.default ?? markdown }],
  rules: [
    {
      ruleId: 'words',
      rule: prh.default,
      options: { ruleContents: [readFileSync(join(ROOT, 'docs', 'site', 'words.yml'), 'utf8')] },
    },
  ],
}

let count = 0
for (const file of globSync(PAGES, { cwd: ROOT, exclude: LEFT_OUT }).toSorted())
  await lint(file, readFileSync(join(ROOT, file), 'utf8'))
for (const file of globSync(SOURCES, { cwd: ROOT }).toSorted())
  await lint(file, textsOf(readFileSync(join(ROOT, file), 'utf8')))
await lint(CATALOGUE, keysOf(readFileSync(join(ROOT, CATALOGUE), 'utf8')))
process.stdout.write(`prose: ${count} findings\n`)
if (count > 0) process.exitCode = 1

async function lint(file: string, text: string): Promise<void> {
  const { messages } = await kernel.lintText(text, { ...options, filePath: file })
  for (const { loc, message } of messages satisfies TextlintMessage[]) {
    count += 1
    process.stderr.write(`${file}:${loc.start.line}: ${message}\n`)
  }
}

/** Each line of a JSON object reduced to its key; braces alone would be metadata of a page. */
function keysOf(json: string): string {
  return json
    .split('\n')
    .map((line) => /^ *"((?:[^"\\]|\\.)*)":/u.exec(line)?.[1] ?? '')
    .map((key) => `- ${key}`)
    .join('\n')
}

/** Each line reduced to the texts in it, so that findings keep their line. */
function textsOf(source: string): string {
  return source
    .split('\n')
    .map((line) =>
      /^\s*(?:\/\/|\/?\*)/.test(line)
        ? ''
        : [...line.matchAll(TEXT)].map(([, plain, template]) => plain ?? template).join('. '),
    )
    .join('\n')
}
