// The nodes of a configuration, each with what it runs with. docs/decisions/0032-nodes.md
import type { Configuration } from './configuration.ts'
import { nodePath, valuesOf } from './node-sections.ts'
import { configSchema } from './schema.ts'

/** A node and the configuration that it runs with, which has no `nodes`. */
export interface NodeConfiguration {
  readonly name: string
  readonly config: Configuration
}

/** Nodes in the order of the configuration; empty if it has one node, without a section. */
export function nodesOf(config: Configuration): readonly NodeConfiguration[] {
  return Object.keys(config.values.nodes ?? {}).map((name) => ({
    name,
    config: {
      ...config,
      secrets: new Set([...config.secrets, ...secretsOf(name, config)]),
      values: configSchema.parse(valuesOf(name, config.values)),
    },
  }))
}

/** Secrets by the paths that they have within the node's section. */
function secretsOf(name: string, { secrets }: Configuration): readonly string[] {
  const start = `${nodePath(name)}.`
  return [...secrets].flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []))
}
