// What `doctor` looks at of the configuration and the plugins that it names.
import type { Configuration, ConfigResult } from '../../host/config/configuration.ts'
import type { PluginEntry } from '../../host/host.ts'
import type { Finding } from '../../host/findings.ts'
import type { AnyPlugin, PluginContext } from '../../host/plugin.ts'
import { checkOptions } from '../../host/options.ts'
import { formatProblem, messageOf } from '../../host/problem.ts'
import { within } from '../../host/deadline.ts'
import type { SchemaState } from '../../store/maintenance.ts'
import { allProblems } from '../config-commands.ts'
import { contextWithoutHost, loadPlugins, wantedPlugins } from '../plugins.ts'
import { maintenanceFor } from '../storage.ts'

/** A database or a key server that says nothing for so long is not there. */
const LIMIT_MS = 10_000

export async function configFindings(read: ConfigResult): Promise<readonly Finding[]> {
  const problems = await allProblems(read)
  if (problems.length > 0)
    return problems.map((problem) => ({
      outcome: 'fault',
      text: formatProblem(problem),
      advice: 'docs/configuration.md has every setting; "ledgerwright config print" shows yours',
    }))
  const file = read.ok ? read.config.file : undefined
  return [{ outcome: 'ok', text: file ?? 'no file; all settings have their defaults' }]
}

/** Whether the data can be reached, and is of this version. */
export async function schemaFinding(config: Configuration): Promise<Finding> {
  const found = await within(LIMIT_MS, async (): Promise<Finding> => {
    const maintenance = await maintenanceFor(config)
    if (maintenance === undefined) return NO_SCHEMA
    return aboutSchema(maintenance.location, await maintenance.schema())
  })
  if (found.ok) return found.value
  return {
    outcome: 'fault',
    text: messageOf(found.error),
    advice: 'check that it runs, and that address, user and password are right',
  }
}

const NO_SCHEMA: Finding = { outcome: 'ok', text: 'the storage has no schema' }

function aboutSchema(location: string, { state, pending }: SchemaState): Finding {
  switch (state) {
    case 'none':
      return { outcome: 'ok', text: `${location} has no data yet; the first start creates it` }
    case 'current':
      return { outcome: 'ok', text: `${location}, schema of this version` }
    case 'older':
      return {
        outcome: 'warning',
        text: `${location} has an older schema; pending: ${pending.join(', ')}`,
        advice: 'take a backup, then run "ledgerwright migrate" or start: docs/upgrading.md',
      }
    case 'newer':
      return {
        outcome: 'fault',
        text: `${location} was written by a newer version of the program`,
        advice: 'install that version, or restore an earlier backup',
      }
  }
}

/** Findings of each plugin of the configuration, by `kind/name`. */
export async function pluginFindings(
  config: Configuration,
): Promise<readonly (readonly [string, Finding])[]> {
  const { entries } = await loadPlugins(wantedPlugins(config), config.folder)
  const all = await Promise.all(entries.map((entry) => examined(entry, config)))
  return all.flat()
}

async function examined(
  entry: PluginEntry,
  config: Configuration,
): Promise<readonly (readonly [string, Finding])[]> {
  const { plugin, name = plugin.name } = entry
  const id = `${plugin.kind}/${name}`
  const found = await within(LIMIT_MS, () =>
    askPlugin(plugin, entry.options, contextWithoutHost(name, config)),
  )
  const findings: readonly Finding[] = found.ok
    ? found.value
    : [{ outcome: 'fault', text: messageOf(found.error) }]
  return findings.map((finding) => [id, finding])
}

async function askPlugin(
  plugin: AnyPlugin,
  given: unknown,
  context: PluginContext,
): Promise<readonly Finding[]> {
  if (plugin.examine === undefined) return []
  const checked = await checkOptions(plugin.options, given, '')
  // What is wrong with options is told with the configuration.
  return checked.ok ? await plugin.examine(context, checked.value) : []
}
