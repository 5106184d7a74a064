// `npm run build:site`: docs/ as a site in plugins/docs/pages/. Broken links, anchors and pictures,
// and pages that docs/README.md does not list, are reported. With `--check` they are failures, and
// nothing is written.
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readContents } from './contents.ts'
import { layout } from './layout.ts'
import { htmlOf, renderMarkdown } from './markdown.ts'
import type { Rendered } from './markdown.ts'
import { searchIndex } from './search.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const DOCS = join(ROOT, 'docs')
const WEB = join(ROOT, 'plugins', 'docs', 'web')
const DEFAULT_OUT = join(ROOT, 'plugins', 'docs', 'pages')

type Pages = ReadonlyMap<string, Rendered>

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const started = performance.now()
const pages = readPages()
const problems = [...brokenLinks(pages), ...unlisted(pages)]
for (const problem of problems) process.stderr.write(`${problem}\n`)
if (!values.check) write(pages, positionals[0] ?? DEFAULT_OUT)
else if (problems.length > 0) process.exitCode = 1
const took = Math.round(performance.now() - started)
process.stdout.write(`site: ${pages.size} pages, ${problems.length} problems, ${took} ms\n`)

/** Every page by its place below docs/. */
function readPages(): Pages {
  const files = globSync('**/*.md', { cwd: DOCS, exclude: ['site/**'] }).map((file) =>
    file.replaceAll('\\', '/'),
  )
  return new Map(
    files
      .toSorted()
      .map((file) => [file, renderMarkdown(file, readFileSync(join(DOCS, file), 'utf8'))]),
  )
}

function brokenLinks(all: Pages): readonly string[] {
  return [...all].flatMap(([file, { links, pictures }]) => [
    ...links
      .filter((link) => !leadsSomewhere(link, all))
      .map((link) => `docs/${file}: the link to ${link} leads nowhere`),
    ...pictures
      .filter((picture) => !existsSync(join(DOCS, picture)))
      .map((picture) => `docs/${file}: there is no picture ${picture}`),
  ])
}

function leadsSomewhere(link: string, all: Pages): boolean {
  const [file = '', anchor] = link.split('#')
  const target = all.get(file)
  if (target === undefined || anchor === undefined) return target !== undefined
  return target.headings.some(({ id }) => id === anchor)
}

/** Decisions are listed by their own index. */
function unlisted(all: Pages): readonly string[] {
  const links = all.get('README.md')?.links ?? []
  return [...all.keys()]
    .filter((file) => !file.includes('/') && file !== 'README.md' && !links.includes(file))
    .map((file) => `docs/${file}: docs/README.md does not list this page`)
}

function write(all: Pages, out: string): void {
  rmSync(out, { recursive: true, force: true })
  const sections = readContents(readFileSync(join(DOCS, 'README.md'), 'utf8'))
  for (const [file, page] of all) put(out, htmlOf(file), layout(file, page, sections))
  for (const picture of new Set([...all.values()].flatMap(({ pictures }) => pictures)))
    cpSync(join(DOCS, picture), join(out, picture))
  cpSync(WEB, join(out, 'assets'), { recursive: true })
  cpSync(
    createRequire(import.meta.url)
      .resolve('minisearch')
      .replace(/dist.*$/, 'dist/es/index.js'),
    join(out, 'assets', 'minisearch.js'),
  )
  const searched = [...all].map(([file, { title, passages }]) => ({
    address: htmlOf(file),
    title,
    passages,
  }))
  put(out, 'search.json', searchIndex(searched))
}

function put(out: string, file: string, content: string): void {
  const path = join(out, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
