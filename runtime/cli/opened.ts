// All of a server but its addresses: its nodes, opened together and closed together. A development
// network is closed and opened again when it is taken back.
import { join } from 'node:path'
import { simulatedClock, systemClock } from '../host/clock.ts'
import { nodesOf } from '../host/config/nodes.ts'
import type { NodeConfiguration } from '../host/config/nodes.ts'
import { CommandError } from '../host/problem.ts'
import { HISTORY_FILE } from '../economy/network/history-file.ts'
import { knownNodes } from '../economy/network/nodes.ts'
import type { LedgerClock } from '../interfaces/index.ts'
import type { Store } from '../store/store.ts'
import { ofLedger, ofNode } from './ledger-host.ts'
import { EXIT } from './outcome.ts'
import { buildHost, openNode, refuseVocabulary, startHost } from './open-node.ts'
import type { NodeSetting, Opened, ServerParts } from './open-node.ts'

export type { CreateServices, Opened, ServerParts } from './open-node.ts'

/**
 * Opens everything; of several nodes the answer is the first. Throws a CommandError, with what had
 * started stopped again, when that is not possible.
 *
 * @param startMicros what a simulated clock shows at least, microseconds since 1970
 */
export async function openServer<P>(
  parts: ServerParts<P>,
  startMicros: bigint = systemClock.nowMicros(),
): Promise<Opened<P>> {
  await refuseVocabulary(parts.config)
  const ledgerClock =
    parts.config.values.clock === 'simulated' ? simulatedClock(startMicros) : systemClock
  const nodes = nodesOf(parts.config)
  if (parts.only !== undefined && !nodes.some(({ name }) => name === parts.only))
    throw new CommandError(`the configuration names no node "${parts.only}"`, EXIT.usage)
  return nodes.length === 0 ? openNode(parts, ledgerClock) : openNodes(parts, nodes, ledgerClock)
}

/** One after the other: the first makes what the others join. */
async function openNodes<P>(
  parts: ServerParts<P>,
  nodes: readonly NodeConfiguration[],
  ledgerClock: LedgerClock,
): Promise<Opened<P>> {
  const shared = await buildHost(parts, [], ledgerClock, ofLedger)
  await startHost(shared, parts)
  const opened: Opened<P>[] = []
  const close = async (): Promise<void> => {
    for (const each of opened.toReversed()) await each.close()
    await shared.stop()
  }
  try {
    const { storage } = shared.services
    if (storage === undefined) throw new CommandError('no storage plugin has started')
    const { store } = storage
    const historyFile = join(parts.config.values.data, HISTORY_FILE)
    for (const { name, key, config } of await inOrder(store, nodes)) {
      if (parts.only !== undefined && name !== parts.only) continue
      const choose: NodeSetting['choose'] = (entries) => ofNode(shared, { name, key, entries })
      const joins = opened[0]?.ledger
      const own = { ...parts, config, log: parts.log.child({ node: name }) }
      const node = { name, key, joins, store, historyFile, choose, ofLedger: parts.config }
      opened.push(await openNode(own, ledgerClock, node))
    }
    const [first, ...later] = opened
    if (first === undefined) throw new CommandError('the configuration names no node')
    const begin = (): void => opened.forEach((each) => each.begin())
    return { ...first, others: storage.join?.() ?? [], later, begin, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface KeyedNode extends NodeConfiguration {
  readonly key: string
}

/**
 * The first node first: the one that the ledger knows as such, on a new ledger the first of the
 * configuration. Throws a CommandError where the configuration does not name it.
 */
async function inOrder(
  store: Store,
  nodes: readonly NodeConfiguration[],
): Promise<readonly KeyedNode[]> {
  const known = (await knownNodes(store)).find(({ key }) => key === '')
  const first = nodes.find(({ name }) => known === undefined || name === known.name)
  if (first === undefined)
    throw new CommandError(
      `the first node of this ledger is "${known?.name}", which the configuration does not name`,
    )
  const later = nodes.filter((node) => node !== first)
  return [{ ...first, key: '' }, ...later.map((node) => ({ ...node, key: node.name }))]
}
