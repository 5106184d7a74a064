// What a team may change of the generator: hooks that run at fixed points, in order, over plain
// data. docs/generator-plugins.md
import type { Finding } from './findings.ts'
import type { InterfaceIr, SourcePlace } from './ir.ts'
import { isFields, items, text } from './values.ts'
import type { Fields } from './values.ts'

/** A hook's place in the run. */
export interface HookContext {
  /** Name of the interface. */
  readonly interface: string
  /** The place where a path of the resolved document was written, or its nearest ancestor. */
  locate(path: readonly string[]): SourcePlace
  /** Says something about the document: an `error` ends the run with nothing written. */
  report(finding: Finding): void
}

/**
 * A file that a plugin adds, by path relative to the output folder. It gets the marker of generated
 * files: `.ts` and `.json` only.
 */
export type PluginFiles = Readonly<Record<string, string>>

/**
 * Hooks are pure functions of what they are given: what they read besides is not watched and not in
 * the lock.
 */
export interface GeneratorPlugin {
  /** Unique; findings and the lock name it. */
  readonly name: string
  /** Raises with the plugin's output: a plugin of another version makes everything stale. */
  readonly version: string
  /** Lower runs earlier, 0 if absent; equal ones in the order of the configuration. */
  readonly order?: number
  /** The resolved document, before its IR is built. */
  document?(document: Fields, context: HookContext): Fields
  /** The IR before anything is printed: names of operations and schemas are changed here. */
  ir?(ir: InterfaceIr, context: HookContext): InterfaceIr
  /** Files beside those of the generator. */
  emit?(ir: InterfaceIr, context: HookContext): PluginFiles | Promise<PluginFiles>
}

/** Gives a plugin its type. */
export function defineGeneratorPlugin(plugin: GeneratorPlugin): GeneratorPlugin {
  return plugin
}

/** The plugins of a configuration in the order in which they run; a text says what is wrong. */
export function parsePlugins(value: unknown): readonly GeneratorPlugin[] | string {
  const given = Array.isArray(value) ? items(value) : value === undefined ? [] : [value]
  const plugins = given.filter(isPlugin)
  if (plugins.length < given.length)
    return '`plugins` must be a list of { name, version, order?, document?, ir?, emit? }'
  const names = plugins.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  return twice === undefined ? inOrder(plugins) : `plugin '${twice}' is named twice`
}

/** Plugins as they run: by `order`, then as they are given. */
export function inOrder(plugins: readonly GeneratorPlugin[]): readonly GeneratorPlugin[] {
  return plugins.toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
}

function isPlugin(value: unknown): value is GeneratorPlugin {
  const isHook = (hook: unknown): boolean => hook === undefined || typeof hook === 'function'
  return (
    isFields(value) &&
    text(value['name']) !== undefined &&
    text(value['version']) !== undefined &&
    isOrder(value['order']) &&
    isHook(value['document']) &&
    isHook(value['ir']) &&
    isHook(value['emit'])
  )
}

function isOrder(value: unknown): boolean {
  return value === undefined || Number.isFinite(value)
}
