// Makes what serving an interface under a vocabulary needs. Apart from what finds it made, since it
// loads the generator.
import { relative } from 'node:path'
import { emitForServing, formatFinding, loadInterface } from '../../codegen/index.ts'
import type { AnyTemplateType } from '../../generated/contract-codec.gen.ts'
import { packages, templateTypes } from '../../generated/contracts.gen.ts'
import { CommandError } from '../host/problem.ts'
import type { Files } from './conform-cache.ts'

/** Names and ids of our packages: what others upload has no other words than its own. */
const OWN_PACKAGES = [
  ...Object.entries(packages).flatMap(([name, { id }]) => [name, id]),
  ...Object.values<AnyTemplateType>(templateTypes).flatMap(({ earlier }) =>
    earlier.map(({ id }) => id.slice(0, id.indexOf(':'))),
  ),
]

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
    const loaded = loadInterface(document, { vocabulary, packages: OWN_PACKAGES })
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
