// In which order plugins start. Kinds give the default order; `after` pulls a plugin's needs before
// it, whatever their kind.
import type { PluginKind } from './plugin.ts'
import type { ConfigProblem } from './problem.ts'
import { nearest } from './nearest.ts'

/** Default order of kinds: what comes later may use what came before. */
export const KIND_ORDER: readonly PluginKind[] = [
  'storage',
  'auth',
  'scheduler',
  'automation',
  'extension',
]

interface Ordered {
  readonly id: string
  readonly kind: PluginKind
  readonly after: readonly string[]
  readonly path: string
}

export type Order<T> =
  | { readonly ok: true; readonly order: readonly T[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/**
 * Sorts so that each item follows all that it names in `after`. A cycle is a problem that names its
 * path.
 */
export function startOrder<T extends Ordered>(items: readonly T[]): Order<T> {
  const byId = new Map(items.map((item) => [item.id, item]))
  const problems = items.flatMap((item) => unknownNeeds(item, byId))
  const order: T[] = []
  const done = new Set<string>()
  const visit = (item: T, trail: readonly string[]): void => {
    if (done.has(item.id)) return
    if (trail.includes(item.id)) return void problems.push(cycle(item, [...trail, item.id]))
    for (const id of item.after) {
      const needed = byId.get(id)
      if (needed !== undefined && problems.length === 0) visit(needed, [...trail, item.id])
    }
    if (done.has(item.id)) return
    done.add(item.id)
    order.push(item)
  }
  for (const kind of KIND_ORDER) for (const item of items) if (item.kind === kind) visit(item, [])
  return problems.length === 0 ? { ok: true, order } : { ok: false, problems }
}

function unknownNeeds(item: Ordered, byId: ReadonlyMap<string, Ordered>): ConfigProblem[] {
  return item.after
    .filter((id) => !byId.has(id))
    .map((id) => {
      const near = nearest(id, byId.keys())
      const message = `must start after "${id}", which is not configured`
      return {
        path: item.path,
        plugin: item.id,
        message,
        ...(near === undefined ? {} : { nearest: near }),
      }
    })
}

function cycle(item: Ordered, trail: readonly string[]): ConfigProblem {
  const path = trail.slice(trail.indexOf(item.id)).join(' -> ')
  return { path: item.path, plugin: item.id, message: `plugins wait for each other: ${path}` }
}
