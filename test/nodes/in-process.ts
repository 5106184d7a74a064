// Nodes on one ledger in this process, over an empty store in memory, reached over HTTP without
// tokens: who asks is who the token names. No automation runs.
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { createMemoryStore } from '../../plugins/storage-sql/memory.ts'
import { newName, systemClock } from '../../runtime/host/clock.ts'
import { silentLog } from '../../runtime/host/silent-log.ts'
import { createHttpApp } from '../../runtime/http/index.ts'
import { createServices } from '../../runtime/interfaces/index.ts'
import type { Ledger, Services } from '../../runtime/interfaces/index.ts'
import type { Store } from '../../runtime/store/store.ts'
import { nodeClient } from './kit.ts'
import type { NodeClient } from './kit.ts'

export interface LocalNode extends NodeClient {
  readonly url: string
  readonly services: Services
}

export interface LocalNodes {
  /** The first node first. */
  readonly all: readonly LocalNode[]
  /** The store of all nodes. */
  readonly store: Store
  close(): Promise<void>
}

/**
 * Over an empty store, or a given one, which stays open. Each has an operator, and `reader`, who
 * may read as any party. `apart`: each has an engine of its own, as in a process of its own.
 * `alone`: the one node is not one of several, as where the configuration names none.
 */
export async function openNodes(
  names: readonly string[],
  {
    apart = false,
    alone = false,
    given,
    quotas,
    ledger = {},
    wireNames = {},
  }: {
    readonly apart?: boolean
    readonly alone?: boolean
    readonly given?: Store
    readonly quotas?: Readonly<Record<string, number>>
    readonly ledger?: object
    readonly wireNames?: object
  } = {},
): Promise<LocalNodes> {
  const store = given ?? createMemoryStore()
  const all: LocalNode[] = []
  const closing: (() => Promise<unknown>)[] = []
  let joins: Ledger | undefined
  for (const name of names) {
    const services = await createServices({
      store,
      ...(alone ? {} : { node: { name, key: name === names[0] ? '' : name, joins } }),
      auth: [
        {
          authenticate: (userId) => ({ kind: 'user', user: { userId, identityProviderId: '' } }),
        },
      ],
      clock: systemClock,
      ledgerClock: systemClock,
      profile: 'dev',
      seeded: false,
      newName,
      productVersion: '1.0.0',
      settings: {
        ledger: { participantId: name, maxListElements: 10_000, ...ledger },
        network: { traffic: { baseBurstBytes: 1_000_000_000_000 } },
        validator: {},
        wireNames,
        ...(quotas === undefined ? {} : { quotas }),
      },
      notReady: async () => undefined,
      dataDir: tmpdir(),
    })
    if (!apart) joins ??= services.ledger
    const app = createHttpApp({
      interfaces: services.interfaces,
      log: silentLog,
      clock: systemClock,
    })
    const { port } = await app.listen(0, '127.0.0.1')
    closing.unshift(() => app.drain(0), services.stop)
    const url = `http://127.0.0.1:${port}`
    const node = { ...nodeClient(name, url, (user) => user), url, services }
    const { status, text } = await node.ask('participant_admin', 'POST /v2/users', {
      user: { id: 'reader', identityProviderId: '' },
      rights: [{ kind: { CanReadAsAnyParty: { value: {} } } }],
    })
    assert.ok(status === 200 || status === 409, text)
    all.push(node)
  }
  return {
    all,
    store,
    close: async () => {
      for (const close of closing) await close()
      if (given === undefined) await store.close()
    },
  }
}
