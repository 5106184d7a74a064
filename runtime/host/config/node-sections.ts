// The sections of a configuration's nodes: a setting in a section overrides one outside all
// sections. docs/decisions/0032-nodes.md
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { checkOptions, joinPath } from '../options.ts'
import type { ConfigProblem } from '../problem.ts'
import { layOver } from './layers.ts'
import type { ConfigValues } from './schema.ts'
import { configSchema } from './schema.ts'

/** The path of a node's section. */
export function nodePath(name: string): string {
  return joinPath('nodes', [name])
}

/** A profile's problems with the configuration that a node runs with. */
type Judge = (values: ConfigValues) => readonly ConfigProblem[]

/** Problems with the sections of nodes, and with their living side by side. */
export async function nodeProblems(
  values: ConfigValues,
  judge: Judge,
): Promise<readonly ConfigProblem[]> {
  const names = Object.keys(values.nodes ?? {})
  const wrong = await Promise.all(
    names.map(async (name) => {
      const checked = await checkOptions(configSchema, valuesOf(name, values), nodePath(name))
      return checked.ok ? [] : checked.problems
    }),
  )
  if (wrong.flat().length > 0) return wrong.flat()
  const nodes = names.map((name) => ({ name, own: configSchema.parse(valuesOf(name, values)) }))
  return [...judged(nodes, judge), ...neighbourProblems(nodes, values)]
}

interface NodeValues {
  readonly name: string
  readonly own: ConfigValues
}

/** Problems with what is outside of all sections, each once. */
function judged(nodes: readonly NodeValues[], judge: Judge): readonly ConfigProblem[] {
  const problems = nodes.flatMap(({ name, own }) =>
    judge(own).map((problem) =>
      problem.path.startsWith('auth')
        ? { ...problem, path: `${nodePath(name)}.${problem.path}` }
        : problem,
    ),
  )
  return [...new Map(problems.map((problem) => [problem.path, problem])).values()]
}

function neighbourProblems(
  nodes: readonly NodeValues[],
  values: ConfigValues,
): readonly ConfigProblem[] {
  return nodes.flatMap(({ name, own }, index) =>
    nodes.slice(0, index).flatMap((other) => {
      const problem = (key: string, what: string): ConfigProblem => ({
        path: `${nodePath(name)}.${key}`,
        message: `the node "${other.name}" has the same ${what}`,
      })
      const taken = portsOf(other.own)
      const isSamePort =
        own.server.host === other.own.server.host &&
        portsOf(own).some((port) => port !== 0 && taken.includes(port))
      const isSameAuth =
        values.profile === 'production' && isDeepStrictEqual(own.auth, other.own.auth)
      return [
        ...(isSamePort ? [problem('server.port', 'address')] : []),
        ...(isSameParticipant(own.ledger['participantId'], other.own.ledger['participantId'])
          ? [problem('ledger.participantId', 'participant id, or namespace in it')]
          : []),
        ...(isSameAuth ? [problem('auth', 'auth, so it would accept the same tokens')] : []),
      ]
    }),
  )
}

/** Parties of one namespace would have the same ids at both nodes. */
function isSameParticipant(id: unknown, other: unknown): boolean {
  const [, namespace] = String(id).split('::')
  return id === other || (namespace !== undefined && namespace === String(other).split('::')[1])
}

function portsOf({ server: { port, alsoPorts } }: ConfigValues): readonly number[] {
  return [port, ...alsoPorts]
}

/**
 * The values that a node runs with, unchecked: its section above what stands outside of all. Each
 * node has an address, a name on the ledger and a folder of its own, whether its section says so or
 * not.
 */
export function valuesOf(name: string, { nodes = {}, ...common }: ConfigValues): unknown {
  const { port } = common.server
  const index = Object.keys(nodes).indexOf(name)
  const distinct = {
    server: { port: port === 0 ? 0 : port + index },
    ledger: { participantId: name },
    data: join(common.data, 'nodes', name),
  }
  const layers = [common, distinct, nodes[name]].map((values) => ({ origin: '', values }))
  return layOver(layers).values
}
