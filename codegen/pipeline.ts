// The generator from documents to texts: load, emit, fingerprint. Imported only when something has
// changed.
import { resolve } from 'node:path'
import type { GenerateConfig } from './config.ts'
import type { ReadPackages } from './archives/read-packages.ts'
import { printCatalogue } from './emit/catalogue.ts'
import { oldTypesFile } from './emit/contract-templates.ts'
import { printContracts, printOldTypes } from './emit/contracts.ts'
import { emitTypes } from './emit/hey-api.ts'
import { emitInterface, emitShared, supportFile } from './emit/interface.ts'
import { addPluginFiles, emitPluginFiles } from './emit/plugin-files.ts'
import type { EmittedFiles } from './emit/plugin-files.ts'
import { sharedIr } from './emit/share.ts'
import { typeRequest } from './emit/type-request.ts'
import { readContracts } from './evolve/read-contracts.ts'
import type { ReadContracts } from './evolve/read-contracts.ts'
import { oldTypesOf } from './evolve/history.ts'
import { hasErrors } from './findings.ts'
import type { Finding } from './findings.ts'
import type { InterfaceIr } from './ir.ts'
import { sha256 } from './json.ts'
import { loadOptions } from './load/load-configured.ts'
import { loadInterface } from './load/load-interface.ts'
import type { LoadedInterface, LoadOptions } from './load/load-interface.ts'
import { readSource } from './load/source.ts'
import type { Source } from './load/source.ts'
import { fingerprints } from './plan/fingerprint.ts'
import type { InterfaceFingerprints } from './plan/fingerprint.ts'
import { formerTypes } from './plan/former-types.ts'
import { inputHashes, LOCK_FILE, printLock } from './plan/lock.ts'
import type { FormerLock } from './plan/lock.ts'
import type { ToolVersions } from './plan/tools.ts'
import { inOrder } from './plugin.ts'
import type { GeneratorPlugin } from './plugin.ts'
import { finding } from './rules/document-rules.ts'
import { compareText, fields, sortedEntries } from './values.ts'
import { markJson, markScript } from './write/marker.ts'
import type { OutputFiles } from './write/write-files.ts'

export interface PipelineInput {
  readonly config: GenerateConfig
  /** Absolute folder of the configuration's paths. */
  readonly root: string
  /** Absolute output folder. */
  readonly out: string
  readonly tools: ToolVersions
  readonly configHash: string
  /** The former run's lock, whose types are taken where nothing of theirs has changed. */
  readonly lock?: FormerLock | undefined
}

/** `files` is empty when a document has errors. */
export interface PipelineResult {
  readonly files: OutputFiles
  readonly findings: readonly Finding[]
  /** Every file that was read, absolute, with its bytes: none where it could not be read. */
  readonly inputs: readonly InputFile[]
  /** Interfaces as they were loaded, in the order of the configuration. */
  readonly interfaces: readonly LoadedInterface[]
  /**
   * The lock of contract shapes as it has to be, beside its document; absent without contracts, and
   * with errors.
   */
  readonly contractsLock?: InputFile
}

export interface InputFile {
  readonly file: string
  readonly bytes: Uint8Array
}

/**
 * The costly stages, one file or interface at a time. Who runs the pipeline again and again
 * remembers what they returned.
 */
export interface Stages {
  readonly read: (file: string) => Source
  load(file: string, options: LoadOptions): LoadedInterface
  /** `hasArbitraries`: whether they are among the files. */
  emit(loaded: LoadedInterface, hasArbitraries: boolean): Promise<ReadonlyMap<string, string>>
  emitPlugins(plugins: readonly GeneratorPlugin[], loaded: LoadedInterface): Promise<EmittedFiles>
  fingerprints(ir: InterfaceIr): InterfaceFingerprints
}

/** Stages of one run: what several documents refer to is read once. */
function stagesOfRun(input: PipelineInput): Stages {
  const known = new Map<string, Source>()
  const read = (file: string): Source => {
    const source = known.get(file) ?? readSource(file)
    known.set(file, source)
    return source
  }
  return {
    read,
    load: (file, options) => loadInterface(file, { ...options, read }),
    emit: (loaded, hasArbitraries) =>
      emitInterface(loaded, hasArbitraries, (ir) => emitTypes(ir, formerTypes(input))),
    emitPlugins: emitPluginFiles,
    fingerprints,
  }
}

interface Catalogue {
  readonly file: string
  readonly source: Source
}

/** Produces every file of the output, the lock included. Writes nothing. */
export async function runPipeline(
  input: PipelineInput,
  stages = stagesOfRun(input),
): Promise<PipelineResult> {
  const { config, root } = input
  const loaded = config.interfaces.map((one) =>
    stages.load(resolve(root, one.spec), loadOptions(config, root, one)),
  )
  const catalogues = readCatalogues(input, stages)
  const contracts =
    config.contracts === undefined
      ? undefined
      : readContracts(resolve(root, config.contracts), stages.read)
  const packages = await readPackages(input)
  const findings = [
    ...loaded.flatMap((one) => one.findings),
    ...(packages?.findings ?? []),
    ...catalogues.flatMap((one) => one.source.findings),
    ...clashes(loaded),
    ...(contracts?.findings ?? []),
  ]
  const sources = [
    ...catalogues.map((one) => one.source),
    ...(contracts === undefined ? [] : [contracts.loaded.source, contracts.lockFile]),
  ]
  const inputs = [
    ...loaded.flatMap((one) => one.inputs),
    ...sources.map(({ file, bytes }) => ({ file, bytes })),
    ...(packages?.inputs ?? []),
  ]
  if (hasErrors(findings)) return { files: new Map(), findings, inputs, interfaces: loaded }
  const files = new Map<string, string>()
  const isDrawn = (index: number): boolean => config.interfaces[index]?.arbitraries !== false
  for (const [index, one] of loaded.entries())
    for (const [file, content] of await stages.emit(one, isDrawn(index))) files.set(file, content)
  const shared = loaded.length === 0 ? [] : emitShared(loaded.some((_, index) => isDrawn(index)))
  for (const [file, content] of shared) files.set(file, content)
  for (const { file, source } of catalogues)
    files.set(file, markScript(printCatalogue(fields(source.data))))
  if (contracts !== undefined) setContracts(files, contracts)
  if (packages !== undefined) await setPackages(files, packages)
  findings.push(...(await emitPlugins(input, stages, loaded, files)))
  if (hasErrors(findings)) return { files: new Map(), findings, inputs, interfaces: loaded }
  files.set(LOCK_FILE, markJson(lockText(input, stages, loaded, inputs, files, findings)))
  return {
    files,
    findings,
    inputs,
    interfaces: loaded,
    ...(contracts === undefined ? {} : { contractsLock: contracts.lockFile }),
  }
}

async function emitPlugins(
  { config: { plugins = [] } }: PipelineInput,
  stages: Stages,
  loaded: readonly LoadedInterface[],
  files: Map<string, string>,
): Promise<readonly Finding[]> {
  if (plugins.length === 0) return []
  const emitted = []
  for (const one of loaded)
    emitted.push({ interface: one, ...(await stages.emitPlugins(plugins, one)) })
  return [...emitted.flatMap(({ findings }) => findings), ...addPluginFiles(files, emitted)]
}

function readCatalogues(input: PipelineInput, { read }: Stages): readonly Catalogue[] {
  const named: readonly (readonly [string, string | undefined])[] = [
    ['errors.gen.ts', input.config.errors],
    ['wire-names.gen.ts', input.config.wireNames],
  ]
  return named.flatMap(([file, path]) =>
    path === undefined ? [] : [{ file, source: read(resolve(input.root, path)) }],
  )
}

function setContracts(files: Map<string, string>, { loaded: { ir }, lock }: ReadContracts): void {
  files.set('contracts.gen.ts', markScript(printContracts(ir, lock)))
  files.set(...supportFile('contract-codec.gen.ts'))
  files.set(...supportFile('validation.gen.ts'))
  for (const old of oldTypesOf(ir, lock))
    files.set(oldTypesFile(old), markScript(printOldTypes(old)))
}

/** The archives of the configuration; undefined without any, whose reader is then not loaded. */
async function readPackages({
  config: { packages = [] },
  root,
}: PipelineInput): Promise<ReadPackages | undefined> {
  if (packages.length === 0) return undefined
  const archives = await import('./archives/read-packages.ts')
  return await archives.readPackages(packages.map(({ archive }) => resolve(root, archive)))
}

async function setPackages(files: Map<string, string>, { modules }: ReadPackages): Promise<void> {
  const { printPackageModule } = await import('./emit/package-files.ts')
  for (const module of modules) files.set(module.file, markScript(printPackageModule(module)))
  const supports = ['packages', 'package-arbitraries', 'contract-codec', 'validation'] as const
  for (const name of supports) files.set(...supportFile(`${name}.gen.ts`))
}

/** Two interfaces under one name would write the same files. */
function clashes(loaded: readonly LoadedInterface[]): readonly Finding[] {
  return loaded.flatMap(({ ir, inputs }, index): readonly Finding[] => {
    const first = loaded.findIndex((other) => other.ir.name === ir.name)
    const isName = /^[A-Za-z0-9][A-Za-z0-9_.-]*$/u.test(ir.name)
    if (first === index && isName) return []
    const message = isName
      ? `interface '${ir.name}' is defined by two documents`
      : `'${ir.name}' cannot be the name of a folder`
    const at = { file: inputs[0]?.file ?? '', line: 1, column: 1, pointer: '' }
    return [finding('interface-name', message, at)]
  })
}

function lockText(
  input: PipelineInput,
  stages: Stages,
  loaded: readonly LoadedInterface[],
  inputs: readonly InputFile[],
  files: OutputFiles,
  findings: readonly Finding[],
): string {
  const interfaces = loaded.map(
    ({ ir }) =>
      [ir.name, { title: ir.title, version: ir.version, ...stages.fingerprints(ir) }] as const,
  )
  const types = loaded.map(({ ir }) => [ir.name, typeRequest(sharedIr(ir)).hash] as const)
  const hashes = [...files]
    .map(([file, content]): [string, string] => [file, sha256(content)])
    .sort(([a], [b]) => compareText(a, b))
  const plugins = inOrder(input.config.plugins ?? []).map(({ name, version, order = 0 }) => ({
    name,
    version,
    order,
  }))
  const faults = findings.filter(({ loss }) => loss !== undefined).length
  return printLock({
    tools: input.tools,
    config: input.configHash,
    ...(plugins.length === 0 ? {} : { plugins }),
    ...(faults === 0 ? {} : { faults }),
    inputs: inputHashes(input.out, inputs),
    interfaces: Object.fromEntries(sortedEntries(Object.fromEntries(interfaces))),
    types: Object.fromEntries(sortedEntries(Object.fromEntries(types))),
    files: Object.fromEntries(hashes),
  })
}
