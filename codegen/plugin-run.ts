// Calls the hooks of plugins: whatever they throw or return amiss becomes a finding that names
// plugin, hook and interface.
import type { Finding, Severity } from './findings.ts'
import { IR_VERSION } from './ir.ts'
import type { InterfaceIr, SourcePlace } from './ir.ts'
import { irFaults } from './ir-faults.ts'
import type { GeneratorPlugin, HookContext } from './plugin.ts'
import { finding } from './rules/document-rules.ts'
import { fields, isFields, sortDeep, text } from './values.ts'
import type { Fields } from './values.ts'

type HookName = 'document' | 'ir' | 'emit'

/** State that hooks of one interface share. `findings` grows. */
export interface HookRun {
  readonly plugins: readonly GeneratorPlugin[]
  /** Name of the interface. */
  readonly interface: string
  readonly findings: Finding[]
  /** The place where a path of the resolved document was written. */
  locate(path: readonly string[]): SourcePlace
}

/** The document as the plugins leave it, keys sorted. A hook that fails changes nothing. */
export function runDocumentHooks(run: HookRun, document: Fields): Fields {
  let current = document
  for (const plugin of run.plugins) {
    if (plugin.document === undefined) continue
    const changed = attempt(run, plugin, 'document', (context) =>
      plugin.document?.(current, context),
    )
    if (isFields(changed) && isFields(changed['paths'])) current = fields(sortDeep(changed))
    else if (changed !== FAILED)
      complain(run, plugin, 'document', 'returned no document: an object with `paths` is expected')
  }
  return current
}

/** The IR as the plugins leave it. What one hook breaks the next does not see. */
export function runIrHooks(run: HookRun, ir: InterfaceIr): InterfaceIr {
  let current = ir
  for (const plugin of run.plugins) {
    if (plugin.ir === undefined) continue
    const changed = attempt(run, plugin, 'ir', (context) => plugin.ir?.(current, context))
    if (changed === FAILED) continue
    if (!isIr(changed) || changed.name !== ir.name) {
      complain(run, plugin, 'ir', 'returned no IR of this interface')
      continue
    }
    const faults = irFaults(changed)
    for (const fault of faults) complain(run, plugin, 'ir', fault)
    if (faults.length === 0) current = changed
  }
  return current
}

/** The answers of each plugin's `emit`, unjudged; a hook that failed is left out. */
export async function runEmitHooks(
  run: HookRun,
  ir: InterfaceIr,
): Promise<readonly { readonly plugin: GeneratorPlugin; readonly files: Fields }[]> {
  const emitted: { readonly plugin: GeneratorPlugin; readonly files: Fields }[] = []
  for (const plugin of run.plugins) {
    if (plugin.emit === undefined) continue
    const files = await attemptAsync(run, plugin, 'emit', (context) => plugin.emit?.(ir, context))
    if (isFields(files)) emitted.push({ plugin, files })
    else if (files !== FAILED)
      complain(run, plugin, 'emit', 'returned no files: an object of texts by path is expected')
  }
  return emitted
}

/** Adds an error about a plugin. */
export function complain(
  run: HookRun,
  plugin: GeneratorPlugin,
  hook: HookName,
  message: string,
): void {
  const who = `plugin '${plugin.name}', hook '${hook}', interface '${run.interface}'`
  run.findings.push(finding('plugin', `${who}: ${message}`, run.locate([])))
}

const FAILED = Symbol('failed')

function attempt(
  run: HookRun,
  plugin: GeneratorPlugin,
  hook: HookName,
  call: (context: HookContext) => unknown,
): unknown {
  try {
    return call(contextOf(run))
  } catch (error) {
    return failed(run, plugin, hook, error)
  }
}

async function attemptAsync(
  run: HookRun,
  plugin: GeneratorPlugin,
  hook: HookName,
  call: (context: HookContext) => unknown,
): Promise<unknown> {
  try {
    return await call(contextOf(run))
  } catch (error) {
    return failed(run, plugin, hook, error)
  }
}

function failed(
  run: HookRun,
  plugin: GeneratorPlugin,
  hook: HookName,
  error: unknown,
): typeof FAILED {
  complain(run, plugin, hook, `failed: ${error instanceof Error ? error.message : String(error)}`)
  return FAILED
}

function contextOf(run: HookRun): HookContext {
  return {
    interface: run.interface,
    locate: (path) => run.locate(path),
    report: (finding) => {
      run.findings.push(parseFinding(run, finding))
    },
  }
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note']

/** Plugins may be plain JavaScript: what they report is read as carefully as a document. */
function parseFinding(run: HookRun, value: unknown): Finding {
  const given = fields(value)
  const at = fields(given['at'])
  const { file, line, column, pointer } = run.locate([])
  const number = (key: string, otherwise: number): number =>
    typeof at[key] === 'number' ? at[key] : otherwise
  return {
    severity: SEVERITIES.find((one) => one === given['severity']) ?? 'error',
    rule: text(given['rule']) ?? 'plugin',
    message: text(given['message']) ?? 'reported a finding without a message',
    at: {
      file: text(at['file']) ?? file,
      line: number('line', line),
      column: number('column', column),
      pointer: text(at['pointer']) ?? pointer,
    },
  }
}

/**
 * The outside of an IR: what stands inside its operations and schemas is the hook's own business.
 */
function isIr(value: unknown): value is InterfaceIr {
  if (!isFields(value) || value['irVersion'] !== IR_VERSION) return false
  const { operations, schemas } = value
  return isFields(schemas) && Array.isArray(operations) && operations.every(isOperation)
}

function isOperation(value: unknown): boolean {
  const { operationId, method, path, parameters, responses } = fields(value)
  return (
    [operationId, method, path].every((one) => typeof one === 'string') &&
    Array.isArray(parameters) &&
    Array.isArray(responses)
  )
}
