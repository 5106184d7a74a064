// The commands `generate` and `check`.
import { relative, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import type { GenerateOptions } from '../config.ts'
import { check, generate } from '../generate.ts'
import type { Report } from '../generate.ts'
import { optionsOf, withConfigFlags } from './options.ts'
import type { ConfigFlags } from './options.ts'
import { EXIT, fail, lossLines, place, print, printFindings } from './output.ts'

/** Adds `generate` and `check` to the command line. */
export function registerGenerate(program: Command): void {
  withConfigFlags(
    program
      .command('generate')
      .description('write types, validators, routes, handlers and client from OpenAPI documents'),
  )
    .option(
      '--watch',
      'generate again whenever a document, overlay, vocabulary or the configuration changes',
    )
    .action((flags: ConfigFlags & { readonly watch?: boolean }) =>
      flags.watch === true ? runWatch(flags) : guarded(flags, runGenerate),
    )
  withConfigFlags(
    program
      .command('check')
      .description('fail if generated files differ from the documents, and name them'),
  ).action((flags: ConfigFlags) => guarded(flags, runCheck))
}

async function guarded(
  flags: ConfigFlags,
  run: (options: GenerateOptions) => Promise<void>,
): Promise<void> {
  const options = await optionsOf(flags)
  if (typeof options === 'string') return fail(EXIT.usage, options)
  // Nearly everything dies young here. V8 would answer with ever larger young spaces: a third of
  // the peak memory, for little time gained beyond what runtime/cli/main.ts allows.
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    await run(options)
  } catch (error) {
    fail(EXIT.failed, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError && error.message.includes('call stack'))
    return 'a document nests schemas too deeply: nothing written'
  return error instanceof Error ? error.message : String(error)
}

async function runWatch(flags: ConfigFlags): Promise<void> {
  const { watchAndGenerate } = await import('../watch/watch.ts')
  await watchAndGenerate(flags)
}

async function runGenerate(options: GenerateOptions): Promise<void> {
  const report = await generate(options)
  printFindings(report.findings)
  for (const { file, reason } of report.refused)
    fail(EXIT.failed, `${place(report.out, file)} ${reason}: move it away or delete it`)
  if (report.status === 'invalid') process.exitCode = EXIT.usage
  const changes = await changeLines(report)
  for (const line of reportLines(report, changes)) print(line)
}

/** Lines on what breaks, and how much else changed, by interface. */
async function changeLines({ changes }: Report): Promise<readonly string[]> {
  if (changes.length === 0) return []
  const { shortLines } = await import('../diff/print.ts')
  return changes.flatMap((one) => shortLines(one, (file) => relative(process.cwd(), file)))
}

function reportLines(report: Report, changes: readonly string[]): readonly string[] {
  const name = (file: string): string => place(report.out, file)
  const lines = [
    ...lossLines(report.findings),
    ...report.written.map((file) => `written ${name(file)}`),
    ...report.changed.map((file) => `changed ${name(file)}`),
    ...report.removed.map((file) => `removed ${name(file)}`),
    ...report.operations.map(
      ({ interface: of, operationId, change }) => `${change} operation ${of}.${operationId}`,
    ),
    ...changes,
  ]
  const ms = Math.round(report.milliseconds)
  if (report.status === 'invalid' || report.status === 'refused')
    return [`nothing written, ${ms} ms`]
  const { written, changed, removed, unchanged } = report
  return [
    ...lines,
    `${written.length} written, ${changed.length} changed, ${removed.length} removed, ${unchanged.length} unchanged, ${ms} ms`,
  ]
}

async function runCheck(options: GenerateOptions): Promise<void> {
  const drift = await check(options)
  printFindings(drift.findings)
  if (drift.status === 'invalid') return fail(EXIT.usage, 'the documents have errors')
  if (drift.status === 'clean') return print(`clean, ${Math.round(drift.milliseconds)} ms`)
  const out = resolve(options.root ?? process.cwd(), options.config.out)
  for (const file of drift.files) process.stderr.write(`differs ${place(out, file)}\n`)
  fail(
    EXIT.drift,
    `${drift.files.length} file(s) differ from the documents: run 'ledgerwright generate'`,
  )
}
