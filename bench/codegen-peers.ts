// What generators make of the same documents: `node bench/codegen-peers.ts FILE…`. For each of them
// time, memory, size of the scripts, and what the compiler says of them; or why it made none.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attempt, commandOf, PROJECT } from './codegen-run.ts'
import type { Attempt } from './codegen-run.ts'
import { cleanEnvironment, machineLine } from './measure.ts'

const TOOLS = ['ledgerwright', 'hey-api', 'openapi-typescript', 'orval client'] as const
const MEMORY = '--max-old-space-size=3500'
/** The options of a new project. */
const STRICT = {
  target: 'es2024',
  lib: ['esnext', 'dom', 'dom.iterable'],
  module: 'esnext',
  moduleResolution: 'bundler',
  types: ['node'],
  strict: true,
  noEmit: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '5' } },
})
const limitMs = Number(values.minutes) * 60_000

function scriptsBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}

/** Puts the output into a project and has it checked by the compiler. */
function checked(folder: string, env: NodeJS.ProcessEnv): Attempt {
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const config = { compilerOptions: STRICT, include: ['out/**/*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
  const compiler = join(PROJECT, 'node_modules/typescript/bin/tsc')
  return attempt([MEMORY, compiler, '-p', folder], env, limitMs)
}

function seconds({ cpuMs }: Attempt): string {
  return (cpuMs / 1000).toFixed(1)
}

/** The line that says most: the first that names an error, without what looks like a stack. */
function reasonOf({ said }: Attempt): string {
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^\s+at /u.test(line))
  const line = lines.find((one) => /error|heap|killed|invalid|fail/iu.test(one)) ?? lines[0] ?? ''
  return line.trim().slice(0, 110)
}

function typeErrors({ isDone, said }: Attempt): string {
  const count = said.match(/error TS\d+/gu)?.length ?? 0
  return isDone || count > 0 ? String(count) : 'not finished'
}

function rowOf(tool: string, document: string, home: string): string {
  const folder = join(home, tool.replace(' ', '-'))
  const out = join(folder, 'out')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const env = cleanEnvironment({ NODE_COMPILE_CACHE: join(home, 'cache') })
  const made = attempt([MEMORY, ...commandOf(tool, [document], out)], env, limitMs)
  if (!made.isDone) return `| ${tool} | refused | | | | | ${reasonOf(made)} |`
  const size = (scriptsBelow(out) / 1e6).toFixed(1)
  const types = checked(folder, env)
  return `| ${tool} | ${seconds(made)} | ${made.megabytes.toFixed(0)} | ${size} | ${seconds(types)} | ${typeErrors(types)} | |`
}

if (positionals.length === 0) {
  console.error('usage: node bench/codegen-peers.ts [--minutes 5] FILE…')
  process.exit(2)
}
console.log(`${machineLine()}; CPU time`)
const home = mkdtempSync(join(tmpdir(), 'bench-peers-'))
try {
  for (const file of positionals) {
    const megabytes = (statSync(file).size / 1e6).toFixed(1)
    console.log(`\n${basename(file)}, ${megabytes} MB\n`)
    console.log('| generator | s | MB | MB of scripts | s to check types | type errors | why |')
    console.log('|---|---|---|---|---|---|---|')
    for (const tool of TOOLS) console.log(rowOf(tool, resolve(file), home))
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
