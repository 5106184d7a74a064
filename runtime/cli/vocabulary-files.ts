// Makes what serving an interface under a vocabulary needs. Apart from what finds it made, since it
// loads the generator.
import { relative } from 'node:path'
import { emitForServing, formatFinding, loadInterface } from '../../codegen/index.ts'
import { CommandError } from '../host/problem.ts'
import type { Files } from './conform-cache.ts'

/**
 * The files of the interfaces of some documents under a word map. Throws a CommandError with what
 * is wrong with it.
 */
export async function makeInterfaces(
  documents: readonly string[],
  vocabulary: string,
): Promise<Files> {
  const files = new Map<string, string>()
  for (const document of documents) {
    const loaded = loadInterface(document, { vocabulary })
    const wrong = loaded.findings.find(({ severity }) => severity === 'error')
    if (wrong !== undefined) {
      throw new CommandError(
        formatFinding({
          ...wrong,
          at: { ...wrong.at, file: relative(process.cwd(), wrong.at.file) },
        }),
      )
    }
    for (const [file, text] of emitForServing(loaded)) files.set(file, text)
  }
  return files
}
