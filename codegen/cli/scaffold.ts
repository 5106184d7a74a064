// The command `scaffold`: what was done and what a person has to look at, a line each, with file,
// line and column.
import { relative } from 'node:path'
import type { Command } from 'commander'
import { HANDLERS_LOCK } from '../scaffold/lock.ts'
import type { FilePlace } from '../scaffold/module.ts'
import type { HandlerPlace, ScaffoldReport } from '../scaffold/report.ts'
import { optionsOf, withConfigFlags } from './options.ts'
import type { ConfigFlags } from './options.ts'
import { EXIT, fail, print, printFindings } from './output.ts'
import { given } from '../values.ts'

interface ScaffoldFlags extends ConfigFlags {
  readonly handlers?: readonly string[]
  readonly dryRun?: true
  readonly check?: true
}

/** Adds `scaffold` to the command line. */
export function registerScaffold(program: Command): void {
  withConfigFlags(
    program
      .command('scaffold')
      .description(
        'add handlers for new operations to hand-written files, and follow renames in the documents',
      ),
  )
    .option(
      '--handlers <path...>',
      'files or folders with handlers (default: those of the configuration)',
    )
    .option('--dry-run', 'print what would be done, write nothing')
    .option(
      '--check',
      'like --dry-run, and exit with 3 if there is something to add, rename or remove',
    )
    .action(runScaffold)
}

async function runScaffold({ handlers, dryRun, check, ...flags }: ScaffoldFlags): Promise<void> {
  const options = await optionsOf(flags)
  if (typeof options === 'string') return fail(EXIT.usage, options)
  const { hasWork, scaffold } = await import('../scaffold/index.ts')
  const isTrial = dryRun === true || check === true
  try {
    const report = await scaffold({
      ...options,
      ...given({ handlers }),
      write: !isTrial,
    })
    printFindings(report.findings)
    if (report.status === 'invalid') return fail(EXIT.usage, 'nothing written')
    if (report.status === 'refused') return fail(EXIT.failed, 'nothing written')
    for (const line of reportLines(report, isTrial)) print(line)
    if (check === true && hasWork(report)) process.exitCode = EXIT.drift
  } catch (error) {
    fail(EXIT.failed, error instanceof Error ? error.message : String(error))
  }
}

function reportLines(report: ScaffoldReport, isTrial: boolean): readonly string[] {
  const [add, rename] = isTrial ? ['would be added here', 'would become'] : ['added', 'is now']
  const name = ({
    interface: of,
    operationId,
  }: Pick<HandlerPlace, 'interface' | 'operationId'>): string => `${of}.${operationId}`
  return [
    ...report.added.map((one) => `${at(one.at)}: ${name(one)} ${add}`),
    ...report.renamed.map(({ from, to, at: place }) => `${at(place)}: ${from} ${rename} ${to}`),
    ...report.unsure.map(
      ({ from, to, at: place }) => `${at(place)}: look here: ${from} is called ${to} now`,
    ),
    ...report.retyped.map(
      (one) =>
        `${at(one.at)}: ${name(one)} has other types since the last run: ${one.parts.join(', ')}`,
    ),
    ...report.orphans.map(
      (one) =>
        `${at(one.at)}: the operation ${name(one)} is gone${guess(one.now)}; the code is kept`,
    ),
    ...report.strangers.map((one) => `${at(one.at)}: ${name(one)} is not an operation`),
    ...report.doubled.map(
      (one) => `${one.at.map(at).join(', ')}: ${name(one)} has ${one.at.length} handlers`,
    ),
    ...report.unread.map(
      (one) =>
        `${at(one.at)}: cannot read or add to the handlers here; not added, as they may be among them: ${one.operationIds
          .map((operationId) => name({ ...one, operationId }))
          .join(', ')}`,
    ),
    summary(report, isTrial),
  ]
}

function guess(now: string | undefined): string {
  return now === undefined
    ? ''
    : `: its method and path are those of ${now} now (if that is it, write \`x-renamed-from\` there)`
}

function summary(
  { status, added, renamed, files, milliseconds }: ScaffoldReport,
  isTrial: boolean,
): string {
  const ms = `${Math.round(milliseconds)} ms`
  if (status === 'unchanged') return `nothing to do, ${ms}`
  if (files.size === 0)
    return `nothing to add or rename, ${isTrial ? 'types to be' : 'types'} noted in ${HANDLERS_LOCK}, ${ms}`
  const counts = `${added.length} handler(s) added, ${renamed.length} name(s) changed in ${files.size} file(s)`
  return isTrial ? `nothing written: ${counts} by a run, ${ms}` : `${counts}, ${ms}`
}

function at({ file, line, column }: FilePlace): string {
  return `${relative(process.cwd(), file)}:${line}:${column}`
}
