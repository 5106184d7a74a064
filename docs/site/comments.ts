// `npm run check:docs`, third part: files, pages and headings that comments name are in this
// repository, and doc comments name their thing first. docs/words.md, "Comments"
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = '{bench,codegen,deploy,docs,plugins,runtime,test}'
/** Output, projects that are data, and records of their day. */
const LEFT_OUT = [
  '**/node_modules/**',
  'codegen/init/{sample,template}/**',
  'docs/{decisions,site/dist}/**',
  'plugins/docs/pages/**',
  'plugins/wallet-ui/page/**',
  'test/**/{fixtures,third-party}/**',
  'test/codegen/golden/*/**',
]
/** Share of a room's doc comments that may begin badly; a small room may have a few. */
const [BAD_SHARE, FEW] = [0.08, 4]
/** A relative or a preposition without its noun. */
const BAD_START =
  /^(?:Above|After|Among|As|At|Because|Before|Below|Beside|Between|Beyond|By|For|From|How|In|Of|On|Over|Since|So|Such|That|Those|Through|To|Under|Until|What|Whatever|When|Where|Which|While|Who|Whoever|Whom|Whose|Why|With|Within|Without)\b/
const COMMENT = /(?:^[ \t]*\/\/.*\n)+|\/\*[\s\S]*?\*\//gm
const MARKS = /^\s*(?:\/\/|\/?\*+\/?)|\*\/$/gm
const FILE = /(?<![\w./*@<>{}-])(?:[\w.-]+\/)*[\w-]+\.(?:md|yaml)(?![\w/(*])/g
const HEADED = /(docs\/[\w/-]+\.md),((?:(?:,| and)? "[^"]+")+)/g
const NUMBERED = /\b[Rr]ulings? \d+|\b[Ii]ssue #?\d+|(?:^|\s)#\d+\b/g

const list = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT, exclude: LEFT_OUT }).toSorted()
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

const names = new Set(
  globSync('**/*.{md,yaml}', { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((file) =>
    basename(file),
  ),
)
const starts = new Map<string, { readonly room: string; all: number; bad: number }>()
const problems: string[] = []
for (const file of list(`${FOLDERS}/**/*.{ts,tsx,mjs}`))
  for (const [comment] of read(file).matchAll(COMMENT)) {
    const text = comment.replaceAll(MARKS, '').replaceAll(/\s+/g, ' ').trim()
    problems.push(...citationProblems(file, text))
    if (comment.startsWith('/**')) count(file, text)
  }
for (const file of list('spec/*.yaml'))
  for (const [text] of read(file).matchAll(/#.*$/gm)) problems.push(...citationProblems(file, text))
for (const file of list(`{*,${FOLDERS}/**/*}.md`).filter((each) => each !== 'CHANGELOG.md'))
  problems.push(...citationProblems(file, read(file)).filter((problem) => /\.md'/.test(problem)))
problems.push(...startProblems())

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`comments: ${problems.length} problems; ${startsText()}\n`)
if (problems.length > 0) process.exitCode = 1

function citationProblems(file: string, text: string): readonly string[] {
  const numbers = [...text.matchAll(NUMBERED)].map(([number]) => `'${number.trim()}' leads nowhere`)
  const absent = [...text.matchAll(FILE)].flatMap(([name]) =>
    isThere(file, name) ? [] : [`there is no '${name}'`],
  )
  const headings = [...text.matchAll(HEADED)].flatMap(([, page = '', quoted = '']) =>
    [...quoted.matchAll(/"([^"]+)"/g)].flatMap(([, heading = '']) =>
      !existsSync(join(ROOT, page)) || headingsOf(page).has(heading)
        ? []
        : [`${page} has no heading "${heading}"`],
    ),
  )
  return [...numbers, ...absent, ...headings].map((problem) => `${file}: ${problem}`)
}

/** Whether a file is where a comment says it: from the root, beside the comment, or by its name. */
function isThere(file: string, name: string): boolean {
  return name.includes('/')
    ? [ROOT, join(ROOT, dirname(file)), join(ROOT, 'docs')].some((at) => existsSync(join(at, name)))
    : names.has(name)
}

function headingsOf(page: string): ReadonlySet<string> {
  const marked = read(page).matchAll(/^#+ (.+)$|^\*\*(.+?)\.?\*\*/gm)
  return new Set([...marked].map(([, heading, paragraph = '']) => heading ?? paragraph))
}

function count(file: string, text: string): void {
  const room = file.split('/').slice(0, 2).join('/')
  const found = starts.get(room) ?? { room, all: 0, bad: 0 }
  starts.set(room, found)
  found.all += 1
  if (BAD_START.test(text)) found.bad += 1
}

function startProblems(): readonly string[] {
  return [...starts.values()]
    .filter(({ all, bad }) => bad > Math.max(FEW, all * BAD_SHARE))
    .map(
      ({ room, all, bad }) =>
        `${room}: ${bad} of ${all} doc comments do not name their thing first`,
    )
}

function startsText(): string {
  const [all, bad] = [...starts.values()].reduce(
    ([sum, part], room) => [sum + room.all, part + room.bad],
    [0, 0],
  )
  return `${bad} of ${all} doc comments begin with a relative or a preposition`
}
