// Makes a project from an OpenAPI document: a server that runs, its tests, and what delivers it.
// Writes nothing when the document has errors or the folder is in use.
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { hasErrors } from '../findings.ts'
import type { Finding } from '../findings.ts'
import { generate } from '../generate.ts'
import type { InterfaceIr } from '../ir.ts'
import { loadInterface } from '../load/load-interface.ts'
import { fields, given, text } from '../values.ts'
import { isSecured } from '../emit/security.ts'
import { filesFarAway, placeDocuments } from './documents.ts'
import { hookMembers } from './security-hooks.ts'
import { interfaceName, nameProblem, packageName } from './names.ts'
import { projectFiles, sampleFile } from './project-files.ts'

interface InitOptions {
  /** Folder of the project; made when it is not there. */
  readonly folder: string
  /** The OpenAPI document; the sample when absent. */
  readonly spec?: string
  /** Name of the package; made from the document's title when absent. */
  readonly name?: string
  /** Writes into a folder that holds something, but only files that are not there yet. */
  readonly force?: boolean
  /** A packed package of this program that the project depends on instead of the published one. */
  readonly local?: string
  /** Copies files that the document refers to from wherever they are. */
  readonly allowOutside?: boolean
  /** Refuses a document for what otherwise costs a part of it. */
  readonly strict?: boolean
}

export type InitReport =
  /** `reason` says why nothing was written. */
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'invalid'; readonly findings: readonly Finding[] }
  | {
      readonly status: 'made'
      readonly findings: readonly Finding[]
      readonly name: string
      /** Relative to the project, with slashes, generated files not among them. */
      readonly written: readonly string[]
      /** Origins of the document's files that were written, absolute. */
      readonly origins: ReadonlyMap<string, string>
      /** Was there already and is as it was. */
      readonly kept: readonly string[]
      readonly generated: number
      readonly operations: number
    }

/**
 * Makes a project. Rejects only for failures of the machine, such as a folder that cannot be
 * written.
 */
export async function init(options: InitOptions): Promise<InitReport> {
  const folder = resolve(options.folder)
  const refusal = refusalOf(folder, options)
  if (refusal !== undefined) return { status: 'refused', reason: refusal }
  const file = resolve(options.spec ?? sampleFile())
  const loaded = loadInterface(file, { isStrict: options.strict === true })
  if (hasErrors(loaded.findings)) return { status: 'invalid', findings: loaded.findings }
  const { ir } = loaded
  const far = options.allowOutside === true ? [] : filesFarAway(loaded)
  if (far.length > 0)
    return {
      status: 'refused',
      reason: `the document refers to files far away from it: ${far.join(', ')}. To copy them: --allow-outside`,
    }
  const { spec, copies, origins } = placeDocuments(loaded, folder)
  const name = options.name ?? packageName(ir.title, folder)
  const declared = text(fields(ir.extensions['x-interface'])['name'])
  const texts = projectFiles({
    name,
    spec,
    title: ir.title,
    interfaceName: interfaceName(declared, file, ir.title),
    isSecured: ir.operations.some(isSecured),
    hooks: hookMembers(ir),
    ...given({
      healthPath: healthPath(ir),
      ledgerwright: options.local === undefined ? undefined : fileFrom(folder, options.local),
    }),
  })
  const { written, kept } = writeMissing(
    folder,
    new Map<string, string | Uint8Array>([...copies, ...texts]),
  )
  const made = await generated(folder, spec, interfaceName(declared, file, ir.title))
  return {
    status: 'made',
    findings: loaded.findings,
    name,
    written,
    origins,
    kept,
    generated: made,
    operations: ir.operations.length,
  }
}

function refusalOf(folder: string, { name, force }: InitOptions): string | undefined {
  if (name !== undefined) {
    const problem = nameProblem(name)
    if (problem !== undefined) return `--name: ${problem}`
  }
  if (!existsSync(folder)) return undefined
  if (!statSync(folder).isDirectory()) return `${folder} is not a folder`
  if (force === true) return undefined
  // What `git init` leaves behind is no reason to refuse.
  const isInUse = readdirSync(folder).some((entry) => entry !== '.git')
  return isInUse
    ? `${folder} is not empty: give another folder, or --force to add the files that it lacks`
    : undefined
}

/** A file as npm names a dependency on it. */
function fileFrom(folder: string, file: string): string {
  return `file:${relative(folder, resolve(file)).replaceAll('\\', '/')}`
}

/**
 * The path that a container is asked for: an operation that everybody may call and is named for
 * it.
 */
function healthPath({ operations, extensions }: InterfaceIr): string | undefined {
  const found = operations.find((operation) => {
    const isOpen =
      operation.method === 'GET' &&
      operation.parameters.every(({ required }) => !required) &&
      !isSecured(operation)
    return (
      isOpen && /\/(?:health|healthz|livez|readyz|ready|live|ping|status)$/iu.test(operation.path)
    )
  })
  if (found === undefined || !/^[\w/.~-]+$/u.test(found.path)) return undefined
  return (text(fields(extensions['x-interface'])['mount']) ?? '') + found.path
}

function writeMissing(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
): { readonly written: readonly string[]; readonly kept: readonly string[] } {
  const names = [...files.keys()]
  const kept = names.filter((name) => existsSync(join(folder, name)))
  const written = names.filter((name) => !kept.includes(name))
  mkdirSync(folder, { recursive: true })
  for (const name of written) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, files.get(name) ?? '')
  }
  return { written, kept }
}

/** Number of generated files. */
async function generated(folder: string, spec: string, name: string): Promise<number> {
  const report = await generate({
    root: folder,
    config: { interfaces: [{ spec, name }], out: 'generated' },
  })
  if (report.status === 'written' || report.status === 'skipped')
    return report.written.length + report.changed.length + report.unchanged.length
  throw new Error(
    `generated/ could not be written: ${report.refused.map(({ file, reason }) => `${file} ${reason}`).join(', ')}`,
  )
}
