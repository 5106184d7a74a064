// Time of `ledgerwright scaffold` as a process on a project of 300 operations: with 12 new ones,
// and with nothing to do; beside the compiler's check of the same project.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { aimLine, cleanEnvironment, machineLine, median, shuffled, spread } from './measure.ts'
import { LACKING, writeProject } from './scaffold-project.ts'

const { values } = parseArgs({ options: { reps: { type: 'string', default: '5' } } })
const repetitions = Number(values.reps)
const PROJECT = resolve(import.meta.dirname, '..')
const AIM_MS = 3_000
const folder = mkdtempSync(join(tmpdir(), 'bench-scaffold-'))

function timed(command: readonly string[]): number {
  const start = performance.now()
  const done = spawnSync(process.execPath, command, {
    cwd: folder,
    env: cleanEnvironment({ TMPDIR: folder }),
    encoding: 'utf8',
  })
  const ms = performance.now() - start
  if (done.status !== 0)
    throw new Error(`${command.join(' ')} failed: ${(done.stdout + done.stderr).slice(0, 1_000)}`)
  return ms
}

const scaffold = [
  join(PROJECT, 'runtime/cli/start.mjs'),
  'scaffold',
  '--spec',
  'synthetic.json',
  '--out',
  'gen',
] as const
const compiler = [
  join(PROJECT, 'node_modules/typescript/bin/tsc'),
  '--noEmit',
  '-p',
  folder,
] as const

try {
  const files = await writeProject(folder)
  const restore = (): void => {
    for (const [file, text] of files) writeFileSync(file, text)
    rmSync(join(folder, 'gen/handlers.lock.json'), { force: true })
  }
  const subjects: Readonly<Record<string, () => number>> = {
    [`scaffold, ${LACKING} new operations`]: () => {
      restore()
      const ms = timed(scaffold)
      const stubs = [...files.keys()].map(
        (file) => readFileSync(file, 'utf8').split('throw new NotWritten').length - 1,
      )
      if (stubs.reduce((sum, count) => sum + count, 0) !== LACKING)
        throw new Error(`not ${LACKING} handlers were added`)
      return ms
    },
    'scaffold, nothing to do': () => timed(scaffold),
    'tsc --noEmit': () => timed(compiler),
  }
  const [adding = '', idle = '', reference = ''] = Object.keys(subjects)
  const samples = new Map(Object.keys(subjects).map((name): [string, number[]] => [name, []]))
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    // What was added stands before the run with nothing to do; the compiler comes first or last.
    const order = shuffled([[adding, idle], [reference]]).flat()
    for (const name of order) {
      const ms = subjects[name]?.() ?? Number.NaN
      if (repetition > 0) samples.get(name)?.push(ms)
    }
  }
  console.log(`${machineLine()}, ${repetitions} runs, ms: median [least..most]`)
  for (const [name, ms] of samples) console.log(`  ${name.padEnd(34)} ${spread(ms)}`)
  const of = (name: string): number => median(samples.get(name) ?? [])
  console.log(aimLine(adding, of(adding), 'at most', AIM_MS, 'ms'))
  console.log(`  scaffold takes ${(of(adding) / of(reference)).toFixed(2)} of the compiler's time`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
