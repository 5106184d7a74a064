// The command `lint`: findings on standard output, the exit code says whether any is grave.
import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Option } from 'commander'
import type { Command } from 'commander'
import type { Finding, Severity } from '../findings.ts'
import { loadOptions } from '../load/load-configured.ts'
import type { LintInput } from '../lint/lint.ts'
import { CONFIG_FILE, optionsOf } from './options.ts'
import { collect, EXIT, fail, print } from './output.ts'
import { parseLevels } from '../rules/levels.ts'
import { FORMATS } from '../rules/report.ts'
import type { Format } from '../rules/report.ts'
import { given } from '../values.ts'

interface LintFlags {
  readonly config?: string
  readonly overlay?: readonly string[]
  readonly format: Format
  readonly level: Severity
  readonly notes?: true
  readonly rule?: readonly string[]
  readonly explain?: string
}

const LEVELS: readonly Severity[] = ['error', 'warning', 'note']

/** Adds `lint` to the command line. */
export function registerLint(program: Command): void {
  program
    .command('lint')
    .description('check documents; each problem has a code, a place and a reason')
    .argument(
      '[files...]',
      'OpenAPI 3 documents (default: those of the configuration, with its overlays)',
    )
    .option('--config <file>', 'configuration file (default: codegen.config.ts)')
    .option(
      '--overlay <file>',
      'OpenAPI Overlay for every document; repeatable, applied in this order',
      collect,
    )
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('text'))
    .addOption(
      new Option(
        '--level <severity>',
        'exit with 1 if there are findings of at least this severity',
      )
        .choices(LEVELS)
        .default('error'),
    )
    .option('--notes', 'print notes as well')
    .option(
      '--rule <rule[:place]=severity>',
      'severity of a rule: off, note, warning or error; repeatable',
      collect,
    )
    .option('--explain <code>', 'only explain why a code is reported')
    .action(runLint)
}

async function runLint(files: readonly string[], flags: LintFlags): Promise<void> {
  if (flags.explain !== undefined) return explain(flags.explain)
  const { ruleOf } = await import('../lint/catalogue.ts')
  const isRule = (name: string): boolean => ruleOf(name) !== undefined
  const rules = parseLevels(flags.rule ?? [], [...LEVELS, 'off'], isRule)
  if (typeof rules === 'string') return fail(EXIT.usage, rules)
  const documents = await documentsOf(files, flags)
  if (typeof documents === 'string') return fail(EXIT.usage, documents)
  const { isUnreadable, lintDocuments, reaches } = await import('../lint/lint.ts')
  const { printFindings } = await import('../lint/print.ts')
  const findings = await lintDocuments({ documents, rules })
  const lowest =
    flags.notes === true || flags.format === 'json' || flags.level === 'note' ? 'note' : 'warning'
  print(
    printFindings(findings.filter((finding) => reaches(finding, lowest)).map(asSeen), flags.format),
  )
  if (isUnreadable(findings)) process.exitCode = EXIT.usage
  else if (findings.some((finding) => reaches(finding, flags.level))) process.exitCode = EXIT.failed
}

async function explain(code: string): Promise<void> {
  const { ruleOf } = await import('../lint/catalogue.ts')
  const rule = ruleOf(code)
  if (rule === undefined)
    return fail(EXIT.usage, `there is no code '${code}': docs/lint.md lists them`)
  print(`${code} (${rule.severity})\n${rule.says}`)
}

async function documentsOf(
  files: readonly string[],
  { config: file, overlay = [] }: LintFlags,
): Promise<readonly LintInput[] | string> {
  if (files.length > 0)
    return files.map((spec) => ({
      spec: resolve(spec),
      overlays: overlay.map((one) => resolve(one)),
    }))
  const configured = file ?? CONFIG_FILE
  if (!existsSync(configured)) return `no ${configured} here: name documents, or write one`
  const options = await optionsOf({ overlay, ...given({ config: file }) })
  if (typeof options === 'string') return options
  const { config, root = process.cwd() } = options
  return config.interfaces.map((one) => ({
    spec: resolve(root, one.spec),
    ...loadOptions(config, root, one),
  }))
}

function asSeen(finding: Finding): Finding {
  return {
    ...finding,
    at: { ...finding.at, file: relative(process.cwd(), finding.at.file) || '.' },
  }
}
