// Takes over the files that plugins emit: inside the output folder, marked as ours, never over a
// file that is there already.
import type { Finding } from '../findings.ts'
import type { LoadedInterface } from '../load/load-interface.ts'
import { complain, runEmitHooks } from '../plugin-run.ts'
import type { HookRun } from '../plugin-run.ts'
import { inOrder } from '../plugin.ts'
import type { GeneratorPlugin } from '../plugin.ts'
import { finding } from '../rules/document-rules.ts'
import { isFields, sortedEntries } from '../values.ts'
import { markJson, markScript } from '../write/marker.ts'

/** A marked file and the plugin that it comes from. */
interface PluginFile {
  readonly file: string
  readonly content: string
  readonly plugin: string
}

export interface EmittedFiles {
  readonly files: readonly PluginFile[]
  readonly findings: readonly Finding[]
}

/** Files that the plugins emit for one interface, in their order, sorted by path. */
export async function emitPluginFiles(
  plugins: readonly GeneratorPlugin[],
  loaded: LoadedInterface,
): Promise<EmittedFiles> {
  const run: HookRun = {
    plugins: inOrder(plugins),
    interface: loaded.ir.name,
    findings: [],
    locate: (path) => loaded.locate(path),
  }
  const files: PluginFile[] = []
  for (const { plugin, files: emitted } of await runEmitHooks(run, loaded.ir)) {
    for (const [file, text] of sortedEntries(emitted)) {
      const content = pathFault(file) ?? marked(file, text)
      if (typeof content === 'string') complain(run, plugin, 'emit', content)
      else files.push({ file, content: content.text, plugin: plugin.name })
    }
  }
  return { files, findings: run.findings }
}

/**
 * Adds files of plugins to those of the generator; an error for each that is there. A plugin may
 * emit a file again, byte for byte.
 */
export function addPluginFiles(
  files: Map<string, string>,
  emitted: readonly {
    readonly interface: LoadedInterface
    readonly files: readonly PluginFile[]
  }[],
): readonly Finding[] {
  const findings: Finding[] = []
  const owners = new Map(
    [...files.keys()].map((file): [string, string] => [file.toLowerCase(), 'the generator']),
  )
  for (const {
    interface: { ir, locate },
    files: own,
  } of emitted) {
    for (const { file, content, plugin } of own) {
      const owner = owners.get(file.toLowerCase())
      if (owner === undefined || (files.get(file) === content && owner === `plugin '${plugin}'`)) {
        owners.set(file.toLowerCase(), `plugin '${plugin}'`)
        files.set(file, content)
        continue
      }
      const message = `plugin '${plugin}', hook 'emit', interface '${ir.name}': '${file}' is written by ${owner} already`
      findings.push(finding('plugin', message, locate([])))
    }
  }
  return findings
}

function pathFault(file: string): string | undefined {
  const isInside = file.split('/').every((part) => /^[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]*$/u.test(part))
  if (!isInside)
    return `'${file}' must be a path inside the output folder, with '/' between plain names`
  return /\.(?:ts|json)$/u.test(file) ? undefined : `'${file}' must end in .ts or .json`
}

function marked(file: string, given: unknown): string | { readonly text: string } {
  if (typeof given !== 'string') return `'${file}' must be a text`
  const text = `${given.replaceAll('\r\n', '\n').trimEnd()}\n`
  if (file.endsWith('.ts')) return { text: markScript(text) }
  const fault = jsonFault(text)
  return fault === undefined
    ? { text: markJson(text.replace(/^\s*\{\s*/u, '{\n  ')) }
    : `'${file}' ${fault}`
}

function jsonFault(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) && Object.keys(value).length > 0
      ? undefined
      : 'must be a JSON object with a member: it gets a marker as its first'
  } catch {
    return 'is not JSON'
  }
}
