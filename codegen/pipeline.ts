// The generator from documents to texts: load, emit, fingerprint. Imported only when something has changed.
import { resolve } from 'node:path'
import type { GenerateConfig, InterfaceConfig } from './config.ts'
import { printCatalogue } from './emit/catalogue.ts'
import { CONTRACT_CODEC_FILE, contractCodec, printContracts } from './emit/contracts.ts'
import { emitInterface, emitShared } from './emit/interface.ts'
import { hasErrors } from './findings.ts'
import type { Finding } from './findings.ts'
import { sha256 } from './json.ts'
import { loadContracts } from './load/contracts.ts'
import type { LoadedContracts } from './load/contracts.ts'
import { loadInterface } from './load/load-interface.ts'
import type { LoadedInterface, LoadOptions } from './load/load-interface.ts'
import { readSource } from './load/source.ts'
import type { Source } from './load/source.ts'
import { fingerprints } from './plan/fingerprint.ts'
import { inputHashes, LOCK_FILE, printLock } from './plan/lock.ts'
import type { ToolVersions } from './plan/tools.ts'
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
}

/** `files` is empty when a document has errors. */
export interface PipelineResult {
  readonly files: OutputFiles
  readonly findings: readonly Finding[]
}

interface Catalogue {
  readonly file: string
  readonly source: Source
}

/** Produces every file of the output, the lock included. Writes nothing. */
export async function runPipeline(input: PipelineInput): Promise<PipelineResult> {
  const loaded = input.config.interfaces.map((one) => loadInterface(resolve(input.root, one.spec), loadOptions(input.root, one)))
  const catalogues = readCatalogues(input)
  const contracts = input.config.contracts === undefined ? undefined : loadContracts(resolve(input.root, input.config.contracts))
  const findings = [
    ...loaded.flatMap((one) => one.findings), ...catalogues.flatMap((one) => one.source.findings),
    ...clashes(loaded), ...contracts?.findings ?? [],
  ]
  if (hasErrors(findings)) return { files: new Map(), findings }
  const files = new Map<string, string>()
  for (const one of loaded) for (const [file, content] of await emitInterface(one)) files.set(file, content)
  if (loaded.length > 0) for (const [file, content] of emitShared()) files.set(file, content)
  for (const { file, source } of catalogues) files.set(file, markScript(printCatalogue(fields(source.data))))
  if (contracts !== undefined) setContracts(files, contracts)
  const sources = [...catalogues.map((one) => one.source), ...contracts === undefined ? [] : [contracts.source]]
  files.set(LOCK_FILE, markJson(lockText(input, loaded, sources, files)))
  return { files, findings }
}

/** Paths of a configuration are relative to it. */
function loadOptions(root: string, { spec: _spec, overlays, ...options }: InterfaceConfig): LoadOptions {
  return { ...options, ...overlays === undefined ? {} : { overlays: overlays.map((file) => resolve(root, file)) } }
}

function readCatalogues(input: PipelineInput): readonly Catalogue[] {
  const named: readonly (readonly [string, string | undefined])[] =
    [['errors.gen.ts', input.config.errors], ['wire-names.gen.ts', input.config.wireNames]]
  return named.flatMap(([file, path]) => (path === undefined ? [] : [{ file, source: readSource(resolve(input.root, path)) }]))
}

function setContracts(files: Map<string, string>, { ir }: LoadedContracts): void {
  files.set('contracts.gen.ts', markScript(printContracts(ir)))
  files.set(CONTRACT_CODEC_FILE, markScript(contractCodec()))
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
    return [{ severity: 'error', rule: 'interface-name', message, at: { file: inputs[0]?.file ?? '', line: 1, column: 1, pointer: '' } }]
  })
}

function lockText(
  input: PipelineInput, loaded: readonly LoadedInterface[], sources: readonly Source[], files: OutputFiles,
): string {
  const inputs = [...loaded.flatMap((one) => one.inputs), ...sources.map(({ file, bytes }) => ({ file, bytes }))]
  const interfaces = loaded.map(({ ir }) => [ir.name, { title: ir.title, version: ir.version, ...fingerprints(ir) }] as const)
  const hashes = [...files].map(([file, content]): [string, string] => [file, sha256(content)]).sort(([a], [b]) => compareText(a, b))
  return printLock({
    tools: input.tools, config: input.configHash, inputs: inputHashes(input.out, inputs),
    interfaces: Object.fromEntries(sortedEntries(Object.fromEntries(interfaces))), files: Object.fromEntries(hashes),
  })
}
