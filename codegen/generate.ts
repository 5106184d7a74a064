// The two operations of the generator: bring the output up to date, or say whether it is. Skips all
// work when the lock says so.
import { performance } from 'node:perf_hooks'
import { resolve } from 'node:path'
import type { GenerateConfig, GenerateOptions } from './config.ts'
import type { InterfaceChanges } from './diff/change.ts'
import { hasErrors } from './findings.ts'
import type { Finding } from './findings.ts'
import { canonicalJson, sha256 } from './json.ts'
import type { LoadedInterface } from './load/load-interface.ts'
import type { InputFile, PipelineInput, PipelineResult, Stages } from './pipeline.ts'
import { inputKey, isCurrent, LOCK_FILE, readLock } from './plan/lock.ts'
import type { FormerLock } from './plan/lock.ts'
import { toolVersions } from './plan/tools.ts'
import { inOrder } from './plugin.ts'
import { compareText, fields } from './values.ts'
import { compareFiles, sourceState, writeFiles, writeSource } from './write/write-files.ts'
import type { OutputFiles, WriteResult } from './write/write-files.ts'

/**
 * What `generate` did. `skipped`: nothing had changed. `invalid`: a document has errors. `refused`:
 * a file is not ours to write.
 */
export interface Report extends WriteResult {
  readonly status: 'written' | 'skipped' | 'invalid' | 'refused'
  /** Absolute output folder. */
  readonly out: string
  readonly findings: readonly Finding[]
  /** Ids of operations that differ from the former run, by interface; texts alone do not count. */
  readonly operations: readonly OperationChange[]
  /**
   * What changed in the documents since the former run, by interface, and for whom it breaks. Not
   * worked out for `--watch`.
   */
  readonly changes: readonly InterfaceChanges[]
  readonly milliseconds: number
}

/** An operation whose generated code is not what it was. */
export interface OperationChange {
  readonly interface: string
  readonly operationId: string
  readonly change: 'added' | 'removed' | 'changed'
}

/** The result of `check`. `files` differ from what the documents say. */
export interface Drift {
  readonly status: 'clean' | 'drift' | 'invalid'
  readonly files: readonly string[]
  readonly findings: readonly Finding[]
  readonly milliseconds: number
}

const NOTHING: WriteResult = { written: [], changed: [], removed: [], unchanged: [], refused: [] }

/**
 * Brings the output folder up to date. Rejects only for failures of the machine (unwritable folder,
 * broken installation); what documents or the folder's contents make impossible is in the report.
 */
export async function generate(options: GenerateOptions): Promise<Report> {
  const start = performance.now()
  const input = pipelineInput(options)
  const lock = readLock(input.out)
  if (lock !== undefined && isDone(lock, input)) {
    const result = { ...NOTHING, unchanged: Object.keys(lock.files) }
    return {
      status: 'skipped',
      out: input.out,
      ...result,
      findings: [],
      operations: [],
      changes: [],
      milliseconds: performance.now() - start,
    }
  }
  const { inputs: _inputs, ...report } = await bringUpToDate(input, lock, start)
  return report
}

/**
 * The same for who runs again and again: `stages` remember, no lock is asked whether there is work.
 * `inputs`: all that was read.
 */
export async function regenerate(
  options: GenerateOptions,
  stages: Stages,
): Promise<Report & Pick<PipelineResult, 'inputs'>> {
  const start = performance.now()
  const input = pipelineInput(options)
  return bringUpToDate(input, readLock(input.out), start, stages)
}

async function bringUpToDate(
  input: PipelineInput,
  lock: FormerLock | undefined,
  start: number,
  stages?: Stages,
): Promise<Report & Pick<PipelineResult, 'inputs'>> {
  const { runPipeline } = await import('./pipeline.ts')
  const { files, findings, inputs, interfaces, contractsLock } = await runPipeline(
    { ...input, lock },
    stages,
  )
  const done = (
    status: Report['status'],
    result: WriteResult,
    known: Pick<Report, 'operations' | 'changes'> = { operations: [], changes: [] },
  ): Report & Pick<PipelineResult, 'inputs'> => {
    return {
      status,
      out: input.out,
      ...result,
      findings,
      ...known,
      milliseconds: performance.now() - start,
      inputs,
    }
  }
  if (hasErrors(findings)) return done('invalid', NOTHING)
  const isCompared = lock !== undefined && stages === undefined
  const changes = isCompared
    ? await documentChanges(input.out, interfaces, files, Object.keys(lock.interfaces))
    : []
  const result = withLock(
    input.out,
    writeFiles(input.out, files, Object.keys(lock?.files ?? {})),
    contractsLock,
  )
  if (result.refused.length === 0 && contractsLock !== undefined) writeSource(contractsLock)
  const known = { operations: operationChanges(lock, files), changes }
  return result.refused.length > 0 ? done('refused', result) : done('written', result, known)
}

/**
 * Says whether the output folder is what `generate` would make of the documents. Writes nothing,
 * and makes everything anew: whoever changes the output can change the lock with it.
 */
export async function check(options: GenerateOptions): Promise<Drift> {
  const start = performance.now()
  const input = pipelineInput(options)
  const lock = readLock(input.out)
  const done = (
    status: Drift['status'],
    files: readonly string[],
    findings: readonly Finding[],
  ): Drift => {
    return { status, files, findings, milliseconds: performance.now() - start }
  }
  const { runPipeline } = await import('./pipeline.ts')
  const { files, findings, contractsLock } = await runPipeline(input)
  if (hasErrors(findings)) return done('invalid', [], findings)
  const result = withLock(
    input.out,
    compareFiles(input.out, files, Object.keys(lock?.files ?? {})),
    contractsLock,
  )
  const differing = [
    ...result.written,
    ...result.changed,
    ...result.removed,
    ...result.refused.map(({ file }) => file),
  ]
  const drifted = differing.filter((file) => file !== LOCK_FILE || !sameButTools(lock, files))
  return done(drifted.length > 0 ? 'drift' : 'clean', drifted, findings)
}

/** True where nothing has changed, and nothing that was let pass is refused now. */
function isDone(lock: FormerLock, { out, tools, configHash, config }: PipelineInput): boolean {
  return isCurrent(lock, out, tools, configHash) && !(config.strict === true && lock.hasFaults)
}

/**
 * The same with the lock of contract shapes, which stands outside of the folder and has no marker:
 * merges touch it.
 */
function withLock(out: string, result: WriteResult, lock: InputFile | undefined): WriteResult {
  const state = lock === undefined ? 'same' : sourceState(lock)
  if (lock === undefined || state === 'same') return result
  const key = state === 'new' ? 'written' : 'changed'
  return { ...result, [key]: [...result[key], inputKey(out, lock.file)] }
}

function pipelineInput({ config, root = process.cwd() }: GenerateOptions): PipelineInput {
  const out = resolve(root, config.out)
  return { config, root, out, tools: toolVersions(), configHash: configHash(config, root, out) }
}

/**
 * Paths count as seen from the output folder, so that the lock says nothing of the machine. The
 * order of documents is of no account.
 */
function configHash(
  { interfaces, errors, wireNames, contracts, packages, plugins = [] }: GenerateConfig,
  root: string,
  out: string,
): string {
  const seen = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : inputKey(out, resolve(root, path))
  const documents = interfaces
    .map(({ spec, name, overlays, vocabulary, arbitraries, webhooks }) => {
      return canonicalJson({
        spec: seen(spec),
        name,
        webhooks,
        overlays: overlays?.map(seen),
        vocabulary: seen(vocabulary),
        arbitraries: arbitraries === false ? false : undefined,
      })
    })
    .sort(compareText)
  const hooks = inOrder(plugins).map(({ name, version, order }) => ({ name, version, order }))
  return sha256(
    canonicalJson({
      interfaces: documents,
      errors: seen(errors),
      wireNames: seen(wireNames),
      contracts: seen(contracts),
      packages: packages?.map(({ archive }) => seen(archive)).sort(),
      plugins: hooks.length === 0 ? undefined : hooks,
    }),
  )
}

/** A newer generator that makes the same files is no drift. */
function sameButTools(lock: FormerLock | undefined, files: OutputFiles): boolean {
  if (lock === undefined) return false
  const fresh = newLock(files)
  return (['config', 'inputs', 'files', 'interfaces'] as const).every(
    (key) => canonicalJson(lock[key]) === canonicalJson(fresh[key]),
  )
}

function newLock(files: OutputFiles): Readonly<Record<string, unknown>> {
  return fields(JSON.parse(files.get(LOCK_FILE) ?? '{}'))
}

async function documentChanges(
  out: string,
  interfaces: readonly LoadedInterface[],
  files: OutputFiles,
  former: readonly string[],
): Promise<readonly InterfaceChanges[]> {
  const { committedChanges } = await import('./diff/committed.ts')
  return committedChanges(out, interfaces, files, former)
}

function operationChanges(
  lock: FormerLock | undefined,
  files: OutputFiles,
): readonly OperationChange[] {
  if (lock === undefined) return []
  const fresh = fields(newLock(files)['interfaces'])
  const names = [...new Set([...Object.keys(lock.interfaces), ...Object.keys(fresh)])]
  return names.flatMap((name) =>
    interfaceChanges(name, operationsOf(lock.interfaces[name]), operationsOf(fresh[name])),
  )
}

function operationsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(fields(fields(value)['operations'])).map(([id, prints]) => [
      id,
      fields(prints)['shape'],
    ]),
  )
}

function interfaceChanges(
  name: string,
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): readonly OperationChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap(
    (operationId): readonly OperationChange[] => {
      const change = !before.has(operationId)
        ? 'added'
        : !after.has(operationId)
          ? 'removed'
          : 'changed'
      return change === 'changed' && before.get(operationId) === after.get(operationId)
        ? []
        : [{ interface: name, operationId, change }]
    },
  )
}
