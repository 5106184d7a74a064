// Before anything starts: options, counts and order of the plugins. All problems are reported
// together.
import type { PluginKind, PluginSurroundings } from './plugin.ts'
import type { Checked } from './options.ts'
import type { ConfigProblem } from './problem.ts'
import type { Order } from './order.ts'
import { checkOptions, joinPath } from './options.ts'
import { messageOf } from './problem.ts'
import { startOrder } from './order.ts'
import type { PluginEntry, Instance } from './machine.ts'

export async function prepare(
  plugins: readonly PluginEntry[],
  surroundings: PluginSurroundings,
): Promise<Order<Instance>> {
  const checked = await Promise.all(plugins.map((plugin) => instanceOf(plugin, surroundings)))
  const wrong = [
    ...checked.flatMap((result) => (result.ok ? [] : result.problems)),
    ...countProblems(plugins),
  ]
  if (wrong.length > 0) return { ok: false, problems: wrong }
  return startOrder(checked.flatMap((result) => (result.ok ? [result.value] : [])))
}

async function instanceOf(
  entry: PluginEntry,
  surroundings: PluginSurroundings,
): Promise<Checked<Instance>> {
  const { plugin, path } = entry
  const id = idOf(entry)
  const checked = await checkOptions(plugin.options, entry.options, path, id)
  if (!checked.ok) return checked
  const problems = judge(entry, checked.value, surroundings)
  if (problems.length > 0) return { ok: false, problems }
  const unset = { service: undefined, automation: undefined, failure: undefined }
  return {
    ok: true,
    value: {
      id,
      kind: plugin.kind,
      path,
      after: plugin.after ?? [],
      entry,
      options: checked.value,
      ...unset,
    },
  }
}

/** Problems that the plugin itself finds in its options in this place. */
function judge(
  entry: PluginEntry,
  options: unknown,
  surroundings: PluginSurroundings,
): readonly ConfigProblem[] {
  const plugin = idOf(entry)
  try {
    const problems = entry.plugin.check?.(options, surroundings) ?? []
    return problems.map(({ path, message }) => ({
      path: joinPath(entry.path, path),
      plugin,
      message,
    }))
  } catch (error) {
    return [{ path: entry.path, plugin, message: `the plugin's check failed: ${messageOf(error)}` }]
  }
}

/** `kind/name`. */
function idOf(entry: PluginEntry): string {
  return `${entry.plugin.kind}/${entry.name ?? entry.plugin.name}`
}

function countProblems(entries: readonly PluginEntry[]): ConfigProblem[] {
  const seen = new Set<string>()
  const twice = entries.filter((entry) => seen.size === seen.add(idOf(entry)).size)
  const count = (kind: PluginKind): number =>
    entries.filter((entry) => entry.plugin.kind === kind).length
  const problems: ConfigProblem[] = twice.map((entry) => ({
    path: entry.path,
    message: `${idOf(entry)} is named twice`,
  }))
  if (count('storage') !== 1) {
    problems.push({ path: 'storage', message: `needs exactly one plugin, has ${count('storage')}` })
  }
  if (count('scheduler') > 1)
    problems.push({ path: 'scheduler', message: 'only one scheduler can be active' })
  if (count('automation') > 0 && count('scheduler') === 0) {
    problems.push({ path: 'scheduler', message: 'automations need a scheduler' })
  }
  return problems
}
