// Finds plugins by name. The runtime never imports a plugin; this is the one place that loads them,
// by computed path.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { ConfigProblem } from '../host/problem.ts'
import type { Configuration } from '../host/config/configuration.ts'
import type { PluginEntry } from '../host/host.ts'
import type { AnyPlugin, PluginContext, PluginKind } from '../host/plugin.ts'
import { systemClock } from '../host/clock.ts'
import { explainAll } from '../host/config/configuration.ts'
import { member } from '../host/member.ts'
import { messageOf } from '../host/problem.ts'
import { nearest } from '../host/nearest.ts'
import { checkOptions } from '../host/options.ts'
import { silentLog } from '../host/silent-log.ts'
import { isPlugin, whyNotPlugin } from '../host/shape.ts'
import { builtInPlugins } from './built-in.ts'
import { configError, EXIT } from './outcome.ts'

/** A plugin that the configuration asks for. */
interface Wanted {
  readonly kind: PluginKind
  readonly path: string
  readonly use: string
  readonly options: unknown
  readonly name?: string
}

type Loaded =
  | { readonly ok: true; readonly entries: readonly PluginEntry[] }
  | {
      readonly ok: false
      readonly problems: readonly ConfigProblem[]
      /** Entries that could be loaded. */
      readonly entries: readonly PluginEntry[]
    }

/** All plugins that a configuration names, in its order. */
export function wantedPlugins({ values }: Configuration): readonly Wanted[] {
  const { storage, auth, scheduler, automations, extensions } = values
  const one = (kind: PluginKind, path: string, section: { readonly use: string }): Wanted => {
    const { use, ...options } = section
    return { kind, path, use, options }
  }
  const named = (kind: PluginKind, root: string, sections: typeof extensions): Wanted[] =>
    Object.entries(sections).flatMap(([name, section]) => {
      if (section === false) return []
      return { ...one(kind, `${root}.${name}`, { ...section, use: section.use ?? name }), name }
    })
  return [
    ...(storage === undefined ? [] : [one('storage', 'storage', storage)]),
    ...auth.map((section, index) => one('auth', `auth[${index}]`, section)),
    one('scheduler', 'scheduler', scheduler),
    ...named('automation', 'automations', automations),
    ...named('extension', 'extensions', extensions),
  ]
}

/** Loads the plugins, all at once. Relative files and packages are looked up from `folder`. */
export async function loadPlugins(wanted: readonly Wanted[], folder: string): Promise<Loaded> {
  const results = await Promise.all(wanted.map((one) => loadOne(one, folder)))
  const problems = results.flatMap((result) => (result.ok ? [] : [result.problem]))
  const entries = results.flatMap((result) => (result.ok ? [result.entry] : []))
  return problems.length === 0 ? { ok: true, entries } : { ok: false, problems, entries }
}

/** The configuration's plugins of a kind; exit code 2 where one cannot be loaded. */
export async function entriesOf(
  config: Configuration,
  kind: PluginKind,
): Promise<readonly PluginEntry[]> {
  const wanted = wantedPlugins(config).filter((one) => one.kind === kind)
  const loaded = await loadPlugins(wanted, config.folder)
  if (!loaded.ok) throw configError(explainAll(loaded.problems, config), EXIT.usage)
  return loaded.entries
}

/** A plugin's options; exit code 2 where they are wrong. */
export async function optionsOf(
  { plugin, options, path }: PluginEntry,
  config: Configuration,
): Promise<unknown> {
  const checked = await checkOptions(plugin.options, options, path, `${plugin.kind}/${plugin.name}`)
  if (!checked.ok) throw configError(explainAll(checked.problems, config), EXIT.usage)
  return checked.value
}

/** The context of a plugin that a command sets up or asks without a host. */
export function contextWithoutHost(name: string, { values }: Configuration): PluginContext {
  const { profile, data, server } = values
  return {
    name,
    log: silentLog,
    clock: systemClock,
    profile,
    dataDir: data,
    documents: [],
    listen: server,
  }
}

type LoadedOne =
  | { readonly ok: true; readonly entry: PluginEntry }
  | { readonly ok: false; readonly problem: ConfigProblem }

async function loadOne(wanted: Wanted, folder: string): Promise<LoadedOne> {
  const { kind, path, use, options, name } = wanted
  const problem = (message: string, more: Partial<ConfigProblem> = {}): LoadedOne => ({
    ok: false,
    problem: { path: `${path}.use`, message, ...more },
  })
  const place = locate(kind, use, folder)
  if (place === undefined)
    return problem(`no ${kind} plugin "${use}" is built in or installed`, near(kind, use))
  const loaded = await importPlugin(place)
  if ('message' in loaded) return problem(`plugin "${use}" ${loaded.message}`)
  if (loaded.plugin.kind !== kind)
    return problem(`plugin "${use}" is of kind ${loaded.plugin.kind}, not ${kind}`)
  return {
    ok: true,
    entry: { path, plugin: loaded.plugin, options, ...(name === undefined ? {} : { name }) },
  }
}

function near(kind: PluginKind, use: string): Partial<ConfigProblem> {
  const found = nearest(
    use,
    builtInPlugins()
      .filter((plugin) => plugin.kind === kind)
      .map(({ name }) => name),
  )
  return found === undefined ? {} : { nearest: found }
}

function locate(kind: PluginKind, use: string, folder: string): URL | undefined {
  const builtIn = builtInPlugins().find((plugin) => plugin.kind === kind && plugin.name === use)
  if (builtIn !== undefined) return builtIn.file
  if (/^(\.{1,2}\/|\/)/.test(use)) return pathToFileURL(resolve(folder, use))
  try {
    return pathToFileURL(createRequire(join(folder, 'package.json')).resolve(use))
  } catch {
    return importOnlyEntry(use, folder)
  }
}

/** The entry of a package that exports to `import` only, which `require.resolve` cannot see. */
function importOnlyEntry(use: string, folder: string): URL | undefined {
  try {
    const manifest = findPackageJSON(use, pathToFileURL(join(folder, 'package.json')))
    if (manifest === undefined) return undefined
    const root: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    const target = importTarget(member(root, 'exports'))
    return target === undefined ? undefined : new URL(target, pathToFileURL(manifest))
  } catch {
    return undefined
  }
}

function importTarget(exported: unknown): string | undefined {
  if (typeof exported === 'string' || exported === undefined) return exported
  const conditions = ['.', 'node', 'import', 'default']
  return importTarget(
    conditions.map((name) => member(exported, name)).find((target) => target !== undefined),
  )
}

async function importPlugin(
  place: URL,
): Promise<{ readonly plugin: AnyPlugin } | { readonly message: string }> {
  if (!existsSync(place)) return { message: `is not there: ${place.pathname}` }
  try {
    const module: unknown = await import(place.href)
    const exported = member(module, 'default')
    if (isPlugin(exported)) return { plugin: exported }
    const why = exported === undefined ? 'it has no default export' : whyNotPlugin(exported)
    return { message: `(${place.pathname}) is not a plugin: ${why ?? ''}` }
  } catch (error) {
    return { message: `(${place.pathname}) cannot be loaded: ${messageOf(error)}` }
  }
}
