// The commands of the generator. Only those that are called are loaded: the modules of the others
// would be most of what a run that finds nothing to do costs.
import type { Command } from 'commander'

type Register = (program: Command) => void

const generate = async (): Promise<Register> => (await import('./generate.ts')).registerGenerate
const diff = async (): Promise<Register> => (await import('./diff.ts')).registerDiff
const scaffold = async (): Promise<Register> => (await import('./scaffold.ts')).registerScaffold
const init = async (): Promise<Register> => (await import('./init.ts')).registerInit
const lint = async (): Promise<Register> => (await import('./lint.ts')).registerLint

/** Commands by the name that is called: one module may hold several. */
const COMMANDS = new Map([
  ['generate', generate],
  ['check', generate],
  ['diff', diff],
  ['scaffold', scaffold],
  ['init', init],
  ['lint', lint],
])

/** Adds the command of that name, or all of them, to the command line. */
export async function registerCodegenCommands(program: Command, called?: string): Promise<void> {
  const wanted = called === undefined ? undefined : COMMANDS.get(called)
  const loaders = wanted === undefined ? new Set(COMMANDS.values()) : [wanted]
  for (const load of loaders) (await load())(program)
}
