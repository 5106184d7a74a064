// What the commands of `network` do that are for trying: coin from nowhere, a clock that is moved,
// and a network that is taken back. docs/development-network.md
import { resolve } from 'node:path'
import { member } from '../host/member.ts'
import { newName } from '../host/clock.ts'
import { asked, connect, developmentAnswer, durationMs, say } from './network-connection.ts'
import type { ForkFlags, NetworkFlags } from './network-flags.ts'

/** `tap` */
export async function tap(flags: NetworkFlags, usd: string): Promise<void> {
  const { client, user } = await connect(flags)
  const body = { amount: usd, command_id: `tap-${newName()}` }
  await asked(client.tap({ body }))
  const { effective_unlocked_qty: balance } = await asked(client.getBalance({ query: {} }))
  say(`tapped ${usd} USD; ${user} has ${balance}`)
}

/** `time show` */
export async function showTime(flags: NetworkFlags): Promise<void> {
  const { client } = await connect(flags)
  const { now, simulated } = await asked(client.getClock())
  say(simulated ? `${now}, simulated` : now)
}

/** `time set` */
export async function setTime(flags: NetworkFlags, time: string): Promise<void> {
  const { client } = await connect(flags)
  say((await asked(client.setClock({ body: { now: time } }))).now)
}

/** `time advance` */
export async function advanceTime(flags: NetworkFlags, duration: string): Promise<void> {
  const micros = BigInt(durationMs(duration)) * 1_000n
  const { client } = await connect(flags)
  say((await asked(client.setClock({ body: { advance_microseconds: micros } }))).now)
}

/** `snapshot`: prints its name and nothing else, for scripts. */
export async function takeSnapshot(flags: NetworkFlags, name?: string): Promise<void> {
  const connection = await connect(flags)
  const body = name === undefined ? {} : { name }
  say(String(member(await developmentAnswer(connection, 'snapshots', body), 'name')))
}

/** `snapshots` */
export async function listSnapshots(flags: NetworkFlags): Promise<void> {
  const answer = await developmentAnswer(await connect(flags), 'snapshots')
  const snapshots: unknown = member(answer, 'snapshots')
  for (const one of Array.isArray(snapshots) ? snapshots : [])
    say(`${String(member(one, 'name'))} ${String(member(one, 'time'))}`)
}

/** `revert` */
export async function revert(flags: NetworkFlags, snapshot: string): Promise<void> {
  await developmentAnswer(await connect(flags), 'revert', { snapshot })
  say(`the network is what it was at snapshot ${snapshot}`)
}

/** `reset` */
export async function reset(flags: NetworkFlags): Promise<void> {
  await developmentAnswer(await connect(flags), 'reset', {})
  say('the network was reset')
}

/** `fork` */
export async function fork({ from, ...flags }: ForkFlags): Promise<void> {
  await developmentAnswer(await connect(flags), 'fork', { backup: resolve(from) })
  say(`the network is that of ${from}`)
}
