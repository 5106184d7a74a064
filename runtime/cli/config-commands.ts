// `config check`, `config print` and `plugins list`: what the configuration says, without starting
// anything.
import type { ConfigProblem } from '../host/problem.ts'
import type { Configuration, ConfigResult } from '../host/config/configuration.ts'
import type { Flags } from './flags.ts'
import { explainAll } from '../host/config/configuration.ts'
import { checkPlugins } from '../host/host.ts'
import { nodePath } from '../host/config/node-sections.ts'
import { nodesOf } from '../host/config/nodes.ts'
import type { NodeConfiguration } from '../host/config/nodes.ts'
import { configLines } from '../host/config/print.ts'
import { maskUrls } from '../host/mask.ts'
import { formatProblem, sectionOf } from '../host/problem.ts'
import { EXIT } from './outcome.ts'
import { builtInPlugins } from './built-in.ts'
import { loadPlugins, wantedPlugins } from './plugins.ts'
import { goodSettings, readSettings } from './settings.ts'

/**
 * Prints every problem of configuration and plugin options on standard error; exit code 2 if there
 * is one.
 */
export async function checkConfig(flags: Flags): Promise<void> {
  const read = await readSettings(flags)
  const problems = await allProblems(read)
  if (problems.length === 0) {
    const file = read.ok ? read.config.file : undefined
    process.stdout.write(`configuration is good${file === undefined ? '' : `: ${file}`}\n`)
    return
  }
  for (const problem of problems) process.stderr.write(`${maskUrls(formatProblem(problem))}\n`)
  process.exitCode = EXIT.usage
}

/** Everything that is wrong with a configuration that was read; opens and starts nothing. */
export async function allProblems(read: ConfigResult): Promise<readonly ConfigProblem[]> {
  const config = read.ok ? read.config : read.rest
  const known = read.ok ? [] : read.problems
  if (config === undefined) return known
  const nodes = nodesOf(config)
  if (nodes.length === 0) return [...known, ...(await pluginProblems(config, known))]
  const ofNodes = await Promise.all(nodes.map((node) => problemsOfNode(node, known)))
  return [...known, ...ofNodes.flat()]
}

/** A problem outside of all sections is a problem of each node. */
async function problemsOfNode(
  { name, config }: NodeConfiguration,
  known: readonly ConfigProblem[],
): Promise<readonly ConfigProblem[]> {
  const problems = await pluginProblems(config, known)
  return problems.map((problem) => ({ ...problem, path: `${nodePath(name)}.${problem.path}` }))
}

/**
 * What is wrong with the plugins that the configuration names: not found, not plugins, or wrong
 * options.
 */
async function pluginProblems(
  config: Configuration,
  known: readonly ConfigProblem[],
): Promise<readonly ConfigProblem[]> {
  const loaded = await loadPlugins(wantedPlugins(config), config.folder)
  const missing = loaded.ok ? [] : loaded.problems
  // That a section has no plugin is no news where the section itself is wrong.
  const told = new Set([...known, ...missing].map(sectionOf))
  const { profile, server: listen } = config.values
  const wrong = await checkPlugins(loaded.entries, { profile, listen })
  return explainAll(
    [
      ...missing,
      ...wrong.filter(({ path }) => !told.has(path)),
      ...(await serviceProblems(config)),
    ],
    config,
  )
}

/** Problems that the services find in their own sections. */
async function serviceProblems(config: Configuration): Promise<readonly ConfigProblem[]> {
  const { readServiceSettings } = await import('../interfaces/settings.ts')
  const { vocabularyProblems } = await import('./vocabulary.ts')
  const read = readServiceSettings(config.values)
  return [...(read.ok ? [] : read.problems), ...(await vocabularyProblems(config))]
}

/** Prints each value with its origin: what was set, or with `effective` everything. */
export async function printConfig(
  flags: Flags & { readonly effective?: true; readonly json?: true },
): Promise<void> {
  const lines = configLines(await goodSettings(flags), flags.effective === true)
  if (flags.json === true) return void process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`)
  for (const { path, value, origin } of lines)
    process.stdout.write(`${path} = ${JSON.stringify(value)}  # ${origin}\n`)
}

/** Lists the built-in plugins and those in use; `*` marks what the configuration uses. */
export async function listPlugins(flags: Flags & { readonly json?: true }): Promise<void> {
  const wanted = wantedPlugins(await goodSettings(flags))
  const builtIn = builtInPlugins().map(({ kind, name }) => ({ kind, name, source: 'built in' }))
  const others = wanted
    .filter(
      ({ kind, use }) => !builtIn.some((plugin) => plugin.kind === kind && plugin.name === use),
    )
    .map(({ kind, use }) => ({ kind, name: use, source: 'configuration' }))
  const rows = [...builtIn, ...others].map((row) => ({
    ...row,
    used: wanted.some(({ kind, use }) => kind === row.kind && use === row.name),
  }))
  if (flags.json === true) return void process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  const width = Math.max(...rows.map(({ name }) => name.length))
  for (const { kind, name, source, used } of rows) {
    process.stdout.write(
      `${used ? '*' : ' '} ${kind.padEnd(10)} ${name.padEnd(width)}  ${source}\n`,
    )
  }
}
