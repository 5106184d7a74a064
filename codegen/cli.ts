// The commands `generate` and `check`. Exit codes: 0 done, 1 a file is not ours to write, 2 bad document or usage, 3 drift.
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import type { GenerateConfig, GenerateOptions } from './config.ts'
import { formatFinding } from './findings.ts'
import type { Finding } from './findings.ts'
import { check, generate } from './generate.ts'
import type { Report } from './generate.ts'
import { isFields, items, text } from './values.ts'

const CONFIG_FILE = 'codegen.config.ts'
const EXIT = { failed: 1, usage: 2, drift: 3 } as const

interface Flags {
  readonly spec?: readonly string[]
  readonly out?: string
  readonly config?: string
}

/** Adds `generate` and `check` to the command line. */
export function registerCodegenCommands(program: Command): void {
  withFlags(program.command('generate'), 'write types, validators, routes, handlers and client from OpenAPI documents')
    .action((flags: Flags) => guarded(flags, runGenerate))
  withFlags(program.command('check'), 'fail, naming the files, when the generated output is not what the documents say')
    .action((flags: Flags) => guarded(flags, runCheck))
}

function withFlags(command: Command, description: string): Command {
  return command.description(description)
    .option('--spec <file...>', 'OpenAPI 3.0 or 3.1 documents, YAML or JSON; needs --out')
    .option('--out <dir>', 'output folder')
    .option('--config <file>', `configuration in place of ${CONFIG_FILE}`)
}

async function guarded(flags: Flags, run: (options: GenerateOptions) => Promise<void>): Promise<void> {
  const options = await optionsOf(flags)
  if (typeof options === 'string') return fail(EXIT.usage, options)
  // Nearly everything dies young here. V8 would answer with ever larger young spaces: a third of the peak memory, for no time gained.
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    await run(options)
  } catch (error) {
    fail(EXIT.failed, error instanceof Error ? error.message : String(error))
  }
}

/** Options from flags or from the configuration file; a text says what is wrong. */
async function optionsOf(flags: Flags): Promise<GenerateOptions | string> {
  if (flags.spec !== undefined) {
    if (flags.out === undefined) return '--spec needs --out DIR'
    return { config: { interfaces: flags.spec.map((spec) => ({ spec: resolve(spec) })), out: resolve(flags.out) } }
  }
  const file = resolve(flags.config ?? CONFIG_FILE)
  if (!existsSync(file)) return `no ${relative(process.cwd(), file)} here: give --spec FILE... --out DIR, or write one`
  const module: unknown = await import(pathToFileURL(file).href)
  const config = parseConfig(isFields(module) ? module['config'] ?? module['default'] : undefined)
  if (typeof config === 'string') return `${relative(process.cwd(), file)}: ${config}`
  return { config: flags.out === undefined ? config : { ...config, out: resolve(flags.out) }, root: resolve(file, '..') }
}

function parseConfig(value: unknown): GenerateConfig | string {
  if (!isFields(value)) return 'exports no `config`'
  const out = text(value['out'])
  if (out === undefined) return '`out` must be a folder'
  const interfaces = items(value['interfaces']).map((item) => (isFields(item) ? { spec: text(item['spec']), name: text(item['name']) } : {}))
  const named = interfaces.flatMap(({ spec, name }) => (spec === undefined ? [] : [{ spec, ...(name === undefined ? {} : { name }) }]))
  if (named.length === 0 || named.length < interfaces.length) return '`interfaces` must be a list of { spec, name? }'
  const others = (['errors', 'wireNames', 'contracts'] as const).flatMap((key): readonly (readonly [string, string])[] => {
    const path = text(value[key])
    return path === undefined ? [] : [[key, path]]
  })
  return { interfaces: named, out, ...Object.fromEntries(others) }
}

async function runGenerate(options: GenerateOptions): Promise<void> {
  const report = await generate(options)
  printFindings(report.findings)
  for (const { file, reason } of report.refused) fail(EXIT.failed, `${place(report.out, file)} ${reason}: move it away or delete it`)
  if (report.status === 'invalid') process.exitCode = EXIT.usage
  for (const line of reportLines(report)) print(line)
}

function reportLines(report: Report): readonly string[] {
  const name = (file: string): string => place(report.out, file)
  const lines = [
    ...report.written.map((file) => `written ${name(file)}`), ...report.changed.map((file) => `changed ${name(file)}`),
    ...report.removed.map((file) => `removed ${name(file)}`),
    ...report.operations.map(({ interface: of, operationId, change }) => `${change} operation ${of}.${operationId}`),
  ]
  const ms = Math.round(report.milliseconds)
  if (report.status === 'invalid' || report.status === 'refused') return [`nothing written, ${ms} ms`]
  const { written, changed, removed, unchanged } = report
  return [...lines, `${written.length} written, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged, ${ms} ms`]
}

async function runCheck(options: GenerateOptions): Promise<void> {
  const drift = await check(options)
  printFindings(drift.findings)
  if (drift.status === 'invalid') return fail(EXIT.usage, 'the documents have errors')
  if (drift.status === 'clean') return print(`clean, ${Math.round(drift.milliseconds)} ms`)
  const out = resolve(options.root ?? process.cwd(), options.config.out)
  for (const file of drift.files) process.stderr.write(`differs ${place(out, file)}\n`)
  fail(EXIT.drift, `${drift.files.length} file(s) differ from the documents: run 'ledgerwright generate'`)
}

function place(out: string, file: string): string {
  return relative(process.cwd(), resolve(out, file))
}

function printFindings(findings: readonly Finding[]): void {
  for (const finding of findings) {
    const shown = { ...finding, at: { ...finding.at, file: relative(process.cwd(), finding.at.file) } }
    process.stderr.write(`${formatFinding(shown)}\n`)
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

function fail(code: number, message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = code
}
