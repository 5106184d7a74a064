// What happens to the node that takes writes, and how it is undone.
import { setTimeout as sleep } from 'node:timers/promises'
import { docker } from './cluster.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

const FROZEN_MS = 20_000
/** For how long replicas fall behind. */
const BEHIND_MS = 4_000

export type Fault = 'kill' | 'cut' | 'freeze' | 'restart all' | 'lag'

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
    await docker('pause', name)
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
  /** The replicas are frozen for a moment, and then the primary is killed. */
  lag: async ({ nodes }, primary, begun) => {
    const others = nodes.filter(({ name }) => name !== primary.name).map(({ name }) => name)
    await docker('pause', ...others)
    await sleep(BEHIND_MS)
    await docker('kill', primary.name)
    begun()
    await docker('unpause', ...others)
    await sleep(FROZEN_MS)
    await docker('start', primary.name)
  },
}
