// `network nodes`: where the nodes of the configuration are, and who each of them is.
import type { Configuration } from '../host/config/configuration.ts'
import { nodesOf } from '../host/config/nodes.ts'
import { member } from '../host/member.ts'
import { messageOf } from '../host/problem.ts'
import { addressOf, connectTo, say } from './network-connection.ts'
import type { NetworkFlags } from './network-flags.ts'
import { EXIT } from './outcome.ts'
import { goodSettings } from './settings.ts'

/** The node's name in a configuration without nodes. */
const ONLY = 'participant'
const PATIENCE_MS = 5_000

/** Prints a line for each node; exit code 1 where one of them does not say who it is. */
export async function listNodes(flags: NetworkFlags): Promise<void> {
  const nodes = await nodesFor(flags)
  const width = Math.max(...nodes.map(({ name }) => name.length))
  for (const { name, config } of nodes) {
    const found = await participantOf(config, flags)
    if (!found.ok) process.exitCode = EXIT.failed
    say(`${name.padEnd(width)}  ${addressOf(config)}  ${found.text}`)
  }
}

/** A node of the configuration. */
export interface NamedNode {
  readonly name: string
  readonly config: Configuration
}

/** All nodes of the configuration; exit code 2 where something is wrong with it. */
export async function nodesFor(flags: NetworkFlags): Promise<readonly NamedNode[]> {
  const whole = await goodSettings(flags)
  const several = nodesOf(whole)
  return several.length > 0 ? several : [{ name: ONLY, config: whole }]
}

interface Found {
  readonly ok: boolean
  /** The participant's id, or why it is not known. */
  readonly text: string
}

async function participantOf(config: Configuration, { user }: NetworkFlags): Promise<Found> {
  try {
    const { origin, token } = await connectTo(config, user === undefined ? {} : { user })
    const answer = await fetch(`${origin}/v2/parties/participant-id`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const id = member(await answer.json(), 'participantId')
    return typeof id === 'string'
      ? { ok: true, text: id }
      : { ok: false, text: `answers ${answer.status}` }
  } catch (error) {
    return { ok: false, text: `does not answer: ${messageOf(error)}` }
  }
}
