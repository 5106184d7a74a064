// The commands of the generator. Each stands in a file of its own and loads what it does when it is
// called.
import type { Command } from 'commander'
import { registerDiff } from './diff.ts'
import { registerGenerate } from './generate.ts'
import { registerInit } from './init.ts'
import { registerLint } from './lint.ts'
import { registerScaffold } from './scaffold.ts'

/** Adds them to the command line. */
export function registerCodegenCommands(program: Command): void {
  registerGenerate(program)
  registerDiff(program)
  registerScaffold(program)
  registerInit(program)
  registerLint(program)
}
