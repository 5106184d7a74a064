// What happens to the node that takes writes, and how it is undone.
import { setTimeout as sleep } from 'node:timers/promises'
import { DATA_DIR, docker } from './cluster.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

const FROZEN_MS = 20_000
/** Milliseconds for which replicas fall behind. */
const BEHIND_MS = 4_000
/** Longer than PostgreSQL waits for a replica before it says that it has committed. */
const STALLED_MS = 40_000

export type Fault = 'kill' | 'cut' | 'freeze' | 'restart all' | 'lag' | 'stall' | 'crash'

/** Resolves when it is undone. `begun` is called when the primary is gone. */
type Injury = (cluster: Cluster, primary: ClusterNode, begun: () => void) => Promise<void>

export const FAULTS: Readonly<Record<Fault, Injury>> = {
  kill: async (_cluster, { name }, begun) => {
    await docker('kill', name)
    begun()
    await sleep(FROZEN_MS)
    await docker('start', name)
  },
  cut: async ({ network }, { name, address }, begun) => {
    await docker('network', 'disconnect', network, name)
    begun()
    await sleep(FROZEN_MS)
    await docker('network', 'connect', '--ip', address, network, name)
  },
  freeze: async (_cluster, { name }, begun) => {
    await paused(name)
    begun()
    await sleep(FROZEN_MS)
    await docker('unpause', name)
  },
  'restart all': async ({ nodes }, _primary, begun) => {
    const names = nodes.map(({ name }) => name)
    await docker('kill', ...names)
    begun()
    await docker('start', ...names)
  },
  // The database's process alone: its node sees it, and hands over at once.
  crash: async (_cluster, { name }, begun) => {
    await docker('exec', name, 'sh', '-c', `kill -9 $(head -n 1 ${DATA_DIR}/postmaster.pid)`)
    begun()
  },
  lag: (cluster, primary, begun) => behind(cluster, primary, { ms: BEHIND_MS, begun }),
  stall: (cluster, primary, begun) => behind(cluster, primary, { ms: STALLED_MS, begun }),
}

/** A busy machine may refuse once or twice. */
async function paused(name: string, left = 3): Promise<void> {
  try {
    await docker('pause', name)
  } catch (error) {
    if (left === 0) throw error
    await paused(name, left - 1)
  }
}

/**
 * The replicas are cut off for a while, and then the primary is killed. Frozen ones would still
 * have what their machines took in for them.
 */
async function behind(
  { nodes, network }: Cluster,
  primary: ClusterNode,
  { ms, begun }: { readonly ms: number; readonly begun: () => void },
): Promise<void> {
  const others = nodes.filter(({ name }) => name !== primary.name)
  for (const { name } of others) await docker('network', 'disconnect', network, name)
  await sleep(ms)
  await docker('kill', primary.name)
  begun()
  for (const { name, address } of others)
    await docker('network', 'connect', '--ip', address, network, name)
  await sleep(FROZEN_MS)
  await docker('start', primary.name)
}
