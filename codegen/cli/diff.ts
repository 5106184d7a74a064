// The command `diff`.
import { writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Side } from '../diff/level.ts'
import { formatFinding, UNREADABLE } from '../findings.ts'
import { printChanges } from '../diff/print.ts'
import type { Version } from '../diff/inputs.ts'
import { namesOf, parseLevels } from '../rules/levels.ts'
import type { Levels } from '../rules/levels.ts'
import { FORMATS } from '../rules/report.ts'
import type { Format } from '../rules/report.ts'
import { collect, EXIT, fail } from './output.ts'

interface DiffFlags {
  readonly format: Format
  readonly report?: string
  readonly rule?: readonly string[]
  readonly for: Side | 'both'
}

const ARGUMENT =
  'document, archive (.dar), contracts.yaml, folder of documents, codegen.config.ts, or one of these in git as REV:PATH'

/** Adds `diff` to the command line. */
export function registerDiff(program: Command): void {
  program
    .command('diff')
    .description(
      'list breaking changes of documents, contracts or packages, for callers and implementers',
    )
    .argument('<old>', ARGUMENT)
    .argument('<new>', ARGUMENT)
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('text'))
    .addOption(
      new Option('--for <side>', 'whose changes count')
        .choices(['callers', 'implementers', 'both'])
        .default('both'),
    )
    .option('--report <file>', 'write a report too: .json, .md, else text')
    .option('--rule <rule[:place]=off>', 'accept this breaking change; repeatable', collect)
    .action(runDiff)
}

async function runDiff(old: string, now: string, flags: DiffFlags): Promise<void> {
  const { isRuleName } = await import('../diff/rules.ts')
  const accepted = parseLevels(flags.rule ?? [], ['off'], isRuleName)
  if (typeof accepted === 'string') return fail(EXIT.usage, accepted)
  const { openVersion } = await import('../diff/inputs.ts')
  const [before, after] = [await openVersion(old), await openVersion(now)]
  if (typeof before === 'string') return fail(EXIT.usage, before)
  if (typeof after === 'string') return fail(EXIT.usage, after)
  const errors = [before, after].flatMap(errorsOf)
  for (const line of errors) process.stderr.write(`${line}\n`)
  if (errors.length > 0) return fail(EXIT.usage, 'documents with errors cannot be compared')
  await report(before, after, flags, accepted)
}

/**
 * What was not understood would look as if nothing had changed, and a file that is not there as a
 * schema that admits anything.
 */
function errorsOf({ documents, contracts, packages = [], show }: Version): readonly string[] {
  return [
    ...[...documents, ...packages].flatMap(({ findings }) => findings),
    ...(contracts?.findings ?? []),
  ]
    .filter(({ severity, rule }) => severity === 'error' || rule === UNREADABLE)
    .map(({ rule, message, at }) =>
      formatFinding({ severity: 'error', rule, message, at: { ...at, file: show(at.file) } }),
    )
}

async function report(
  before: Version,
  after: Version,
  flags: DiffFlags,
  accepted: Levels<'off'>,
): Promise<void> {
  const { diffVersions } = await import('../diff/interfaces.ts')
  const { linesOf, placesOf, SIDES } = await import('../diff/report.ts')
  const interfaces = diffVersions(before, after)
  if (typeof interfaces === 'string') return fail(EXIT.usage, interfaces)
  const inputs = before.documents.flatMap((one) => one.inputs)
  const isOld = new Set(
    [
      ...inputs,
      ...(before.contracts === undefined ? [] : [before.contracts.source]),
      ...(before.packages ?? []),
    ].map(({ file }) => file),
  )
  const options = {
    sides: flags.for === 'both' ? SIDES : [flags.for],
    accepted,
    show: (file: string): string => (isOld.has(file) ? before : after).show(file),
  }
  process.stdout.write(printChanges(interfaces, flags.format, options))
  if (flags.report !== undefined) {
    try {
      writeFileSync(flags.report, printChanges(interfaces, formatOf(flags.report), options))
    } catch (error) {
      return fail(
        EXIT.usage,
        `the report cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
  const changes = interfaces.flatMap((one) => one.changes)
  const used = new Set(changes.flatMap((one) => namesOf(one.rule, placesOf(one))))
  for (const name of Object.keys(accepted))
    if (!used.has(name)) process.stderr.write(`--rule ${name}=off: there is no such change\n`)
  if (
    linesOf(interfaces, options).some(({ level, isAllowed }) => level === 'breaking' && !isAllowed)
  )
    process.exitCode = EXIT.drift
}

function formatOf(file: string): Format {
  const ending = extname(file)
  return ending === '.json' ? 'json' : ending === '.md' ? 'markdown' : 'text'
}
