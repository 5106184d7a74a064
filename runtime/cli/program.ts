// The command line. Parts that take long to load are loaded by the command that needs them.
import { Command, CommanderError } from 'commander'
import type { Flags } from './flags.ts'
import { EXIT, fail, tameWarnings } from './outcome.ts'
import { withFlags } from './flags.ts'
import { addMaintenance } from './maintenance-commands.ts'
import { addConform } from './conform-commands.ts'
import { addMock } from './mock-commands.ts'
import { addNetwork } from './network-commands.ts'
import { addWatch } from './watch-commands.ts'
import { productVersion } from './version.ts'

const EXAMPLES = `Examples:
  ledgerwright serve                               serve on http://127.0.0.1:8080, data in ./data
  ledgerwright serve --port 9000 --data /srv/data  serve elsewhere
  ledgerwright status                              health and backlog
  ledgerwright doctor                              check this installation and suggest fixes
  ledgerwright token --user participant_admin      print a token for development
  ledgerwright backup --to ledger.backup           write all data to a file; servers can keep running
  ledgerwright verify                              check the consistency of all data
  ledgerwright config check                        list all errors in the configuration
  ledgerwright generate                            generate what codegen.config.ts describes

Exit codes: 0 ok, 1 failed, 2 usage or configuration, 3 drift or breaking change, 4 conformance, 130 interrupted.
`

/** The commands of the generator, which registers them itself once one of them is called. */
const CODEGEN: Readonly<Record<string, string>> = {
  generate: 'generate code from OpenAPI documents',
  check: 'fail if committed generated files are out of date',
  diff: 'list breaking changes of documents, for callers and implementers',
  scaffold:
    'add handlers for new operations to hand-written files, and list handlers that a change affects',
  init: 'create a project from an OpenAPI document',
  lint: 'check documents and explain problems',
}

/** Asks every command for its options, so the generator's are registered for it too. */
const COMPLETION = 'completion'

/** Commands that decide for themselves what Ctrl-C does. */
const ENDS_ITSELF: ReadonlySet<string> = new Set(['serve', ...Object.keys(CODEGEN)])

/** Ctrl-C ends every other command with the exit code that says so. */
const interrupt = (): void => process.exit(EXIT.interrupted)

/** Runs the command that `argv` names and sets the exit code. Never rejects. */
export async function main(argv: readonly string[]): Promise<void> {
  tameWarnings()
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.once('error', () => process.exit())
  try {
    const program = await buildProgram(argv)
    if (!ENDS_ITSELF.has(argv[2] ?? '')) process.once('SIGINT', interrupt)
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError)
      process.exitCode = error.exitCode === 0 ? EXIT.ok : EXIT.usage
    else fail(error)
  } finally {
    process.off('SIGINT', interrupt)
  }
}

async function buildProgram(argv: readonly string[]): Promise<Command> {
  const program = new Command('ledgerwright')
    .description('Generates services from OpenAPI documents, and serves the coin ledger.')
    .version(productVersion(), '-V, --version', 'print the version')
    .addHelpText('before', `${EXAMPLES}`)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(`ledgerwright: ${oneLine(text)}; --help lists commands and options\n`),
    })
  addServe(program)
  addToken(program)
  addConfig(program)
  addPlugins(program)
  addPrune(program)
  addMaintenance(program)
  addWatch(program)
  addIds(program)
  addHistory(program)
  addNetwork(program)
  addConform(program)
  addMock(program)
  addCollection(program)
  addCompletion(program)
  await addCodegen(program, argv)
  return program
}

function oneLine(text: string): string {
  return text
    .replace(/^error: /, '')
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ')
}

function addServe(program: Command): void {
  const command = program.command('serve').description('run the service until it is stopped')
  command.option('--empty', 'start without the users and coins of the development profile (empty)')
  command.option('--node <name>', 'run only this one of several nodes (nodes)')
  command.option(
    '--accept-clock',
    "believe this machine's clock at the start, whatever the ledger's time is (ledger.acceptClock)",
  )
  withFlags(command, true).action(async (flags: Flags) => (await import('./serve.ts')).serve(flags))
}

function addToken(program: Command): void {
  withFlags(program.command('token'), false)
    .requiredOption('--user <name>', 'the user that the token names')
    .option('--json', 'as JSON, with the user and the address of the service')
    .option('--node <name>', 'one of several nodes (default: the first)')
    .description('print a bearer token for development')
    .action(async (flags: Flags & { readonly user: string; readonly json?: true }) =>
      (await import('./token.ts')).printToken(flags),
    )
}

function addConfig(program: Command): void {
  const config = program.command('config').description('check or print the configuration')
  withFlags(config.command('check'), true)
    .description('list all errors')
    .action(async (flags: Flags) => (await import('./config-commands.ts')).checkConfig(flags))
  withFlags(config.command('print'), true)
    .option('--effective', 'include default values')
    .option('--json', 'as JSON')
    .description('print each value and its origin')
    .action(async (flags: Flags & { readonly effective?: true; readonly json?: true }) =>
      (await import('./config-commands.ts')).printConfig(flags),
    )
}

function addPlugins(program: Command): void {
  const plugins = program.command('plugins').description('list the plugins of this installation')
  withFlags(plugins.command('list'), false)
    .option('--json', 'as JSON')
    .description('list built-in and configured plugins')
    .action(async (flags: Flags & { readonly json?: true }) =>
      (await import('./config-commands.ts')).listPlugins(flags),
    )
}

function addCollection(program: Command): void {
  program
    .command('collection [files...]')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--url <address>', 'first value of the variable baseUrl', 'http://127.0.0.1:8080')
    .description(
      'write the requests of OpenAPI documents for API clients (Postman, Bruno), with examples',
    )
    .action(
      async (files: readonly string[], flags: { readonly out?: string; readonly url: string }) =>
        (await import('./collection.ts')).writeCollection(files, flags),
    )
}

function addCompletion(program: Command): void {
  program
    .command(`${COMPLETION} <shell>`)
    .description('print the completion script for bash, zsh or fish')
    .action(async (shell: string) => {
      const { printCompletion } = await import('./completion.ts')
      printCompletion(program, shell)
    })
}

function addPrune(program: Command): void {
  withFlags(program.command('prune'), false)
    .requiredOption('--up-to <offset>', 'the last offset to remove')
    .description('permanently remove updates up to an offset and what ended with them')
    .action(async (flags: Flags & { readonly upTo: string }) =>
      (await import('./prune.ts')).prune(flags),
    )
}

function addIds(program: Command): void {
  withFlags(program.command('ids'), false)
    .option('--copy', 'draw another id, for a copy whose original goes on')
    .option('--yes', 'apply --copy instead of only showing its effect')
    .description("show the id of the ledger's synchronizer, or give a copied ledger its own")
    .action(async (flags: Flags & { readonly copy?: true; readonly yes?: true }) =>
      (await import('./ids.ts')).ids(flags),
    )
}

function addHistory(program: Command): void {
  withFlags(program.command('history'), false)
    .option('--accept', 'accept the database although updates are missing')
    .option('--yes', 'apply --accept instead of only showing its effect')
    .description(
      'compare the database with the record in this data folder; exit code 1 if updates are missing',
    )
    .action(async (flags: Flags & { readonly accept?: true; readonly yes?: true }) =>
      (await import('./history.ts')).history(flags),
    )
}

/**
 * The generator is loaded only when one of its commands is called; else its commands are merely
 * listed.
 */
async function addCodegen(program: Command, argv: readonly string[]): Promise<void> {
  const called = argv[2] === 'help' ? argv[3] : argv[2]
  if (called !== undefined && (called === COMPLETION || Object.hasOwn(CODEGEN, called))) {
    const { registerCodegenCommands } = await import('../../codegen/cli/index.ts')
    return registerCodegenCommands(program, called)
  }
  for (const [name, description] of Object.entries(CODEGEN))
    program.command(name).description(description)
}
