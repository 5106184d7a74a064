// The command `init`.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Command } from 'commander'
import type { InitReport } from '../init/init.ts'
import { STRICT } from './options.ts'
import { EXIT, fail, lossLines, print, printFindings } from './output.ts'

interface InitFlags {
  readonly spec?: string
  readonly name?: string
  readonly force?: true
  readonly local?: string
  readonly strict?: true
  readonly allowOutside?: true
  readonly install: boolean
}

/** Adds `init` to the command line. */
export function registerInit(program: Command): void {
  program
    .command('init [dir]')
    .description(
      'create a project from an OpenAPI document: a server that runs, tests, CI, a Dockerfile',
    )
    .option('--spec <file>', 'OpenAPI 3 document, YAML or JSON; a small sample when absent')
    .option('--name <name>', "name of the package (default: from the document's title)")
    .option(
      '--force',
      'write into a folder that holds something, but only files that are not there yet',
    )
    .option(
      '--local <tarball>',
      'depend on this packed ledgerwright (npm pack) instead of the published one',
    )
    .option('--strict', STRICT)
    .option('--allow-outside', 'copy files that the document refers to from anywhere')
    .option('--no-install', 'do not run npm install in the new project')
    .action(async (dir: string | undefined, flags: InitFlags) => runInit(dir ?? '.', flags))
}

async function runInit(dir: string, flags: InitFlags): Promise<void> {
  if (flags.spec !== undefined && !existsSync(flags.spec))
    return fail(EXIT.usage, `there is no ${flags.spec}`)
  if (flags.local !== undefined && !isTarball(flags.local))
    return fail(EXIT.usage, `--local: ${flags.local} is not a packed package (.tgz)`)
  const { init } = await import('../init/init.ts')
  const { install, ...options } = flags
  const report = await init({ folder: dir, ...options })
  if (report.status === 'refused') return fail(EXIT.usage, report.reason)
  printFindings(report.findings)
  if (report.status === 'invalid')
    return fail(EXIT.usage, 'the document has errors: nothing written')
  for (const line of reportLines(report)) print(line)
  const isInstalled = install && npmInstall(dir)
  print(
    `\nNext:\n${nextCommands(dir, isInstalled)
      .map((command) => `  ${command}`)
      .join('\n')}`,
  )
}

function reportLines(report: Extract<InitReport, { status: 'made' }>): readonly string[] {
  return [
    ...report.written.map((file) => {
      const origin = report.origins.get(file)
      return `written ${file}${origin === undefined ? '' : `, a copy of ${relative('', origin)}`}`
    }),
    ...report.kept.map((file) => `kept ${file}`),
    ...lossLines(report.findings),
    `${report.name}: ${report.operations} operations, ${report.generated} generated files in generated/`,
  ]
}

function nextCommands(dir: string, isInstalled: boolean): readonly string[] {
  const place = relative(process.cwd(), resolve(dir))
  const enter =
    place === ''
      ? []
      : [`cd ${/^[\w@%+=:,./-]+$/u.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`}`]
  return [...enter, ...(isInstalled ? [] : ['npm install']), 'npm test', 'npm run dev'].slice(0, 4)
}

function isTarball(file: string): boolean {
  return /\.(?:tgz|tar\.gz)$/u.test(file) && existsSync(file)
}

/** False, and a line that says so, when it did not work: the project is made all the same. */
function npmInstall(dir: string): boolean {
  print('\nnpm install')
  const { status, stderr, error } = spawnSync('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: resolve(dir),
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  })
  const told = error === undefined ? stderr : ''
  const isUnpublished = status !== 0 && /E404[^]*\bledgerwright@/u.test(told)
  if (isUnpublished) {
    fail(
      EXIT.failed,
      'the registry has no ledgerwright of this version: the project is made, its packages are ' +
        'missing. Pack a checkout with "npm pack", and begin with --local TARBALL',
    )
    return false
  }
  process.stderr.write(told)
  if (status === 0) return true
  fail(EXIT.failed, 'npm install failed: the project is made, its packages are missing')
  return false
}
