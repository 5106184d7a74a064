// The archives of a configuration, as the pipeline takes them.
import type { Finding } from '../findings.ts'
import { finding } from '../rules/document-rules.ts'
import { Packages } from '../../runtime/packages/decode/packages.ts'
import { readPackage } from '../../runtime/packages/summary/package-reader.ts'
import { archiveFinding, loadArchive } from './load-archive.ts'
import type { LoadedArchive } from './load-archive.ts'
import { packageModules } from './package-modules.ts'
import type { ModuleIr } from './packages-ir.ts'

export interface ReadPackages {
  /** None with errors. */
  readonly modules: readonly ModuleIr[]
  readonly findings: readonly Finding[]
  readonly inputs: readonly Pick<LoadedArchive, 'file' | 'bytes'>[]
}

/** Reads archives, whose order is of no account. Problems come back as findings. */
export async function readPackages(files: readonly string[]): Promise<ReadPackages> {
  const archives: LoadedArchive[] = []
  for (const file of files) archives.push(await loadArchive(file))
  const inputs = archives.map(({ file, bytes }) => ({ file, bytes }))
  const findings = archives.flatMap((one) => one.findings)
  if (findings.length > 0) return { modules: [], findings, inputs }
  const program = new Packages()
  let reading = files[0] ?? ''
  try {
    const names = new Map<string, string>()
    for (const { file, packages } of archives) {
      reading = file
      // Modules in a circle are refused, so generated ones are in none.
      for (const one of packages) await readPackage(one)
    }
    const main = archives.map(({ file, packages }) => {
      reading = file
      const [first] = packages.map((one) => program.packages.get(one.packageId) ?? program.add(one))
      if (first !== undefined && names.has(first.name)) findings.push(sameName(file, first.name))
      if (first !== undefined) names.set(first.name, file)
      return first
    })
    if (findings.length > 0) return { modules: [], findings, inputs }
    const known = main.filter((one) => one !== undefined)
    return { modules: packageModules(program, known), findings, inputs }
  } catch (problem) {
    return { modules: [], findings: [archiveFinding(reading, problem)], inputs }
  }
}

function sameName(file: string, name: string): Finding {
  const at = { file, line: 1, column: 1, pointer: '' }
  return finding('package-name', `package '${name}' is in two archives`, at)
}
