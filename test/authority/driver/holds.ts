// The test's end of held-memory.ts: a service in another process asks before each of some calls of
// its storage, and waits for the answer.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'

export interface Hold {
  /** The call has come and waits. */
  readonly reached: Promise<void>
  release(): void
}

export interface Holds {
  readonly url: string
  /** Holds the next call of this name, such as `users.grant`; those after it go on. */
  hold(call: string): Hold
  stop(): void
}

/** Listens on a free port of this machine. */
export async function startHolds(): Promise<Holds> {
  const wanted = new Map<string, (response: ServerResponse) => void>()
  const server = createServer(({ url = '' }, response) => {
    const call = url.slice(1)
    const take = wanted.get(call)
    wanted.delete(call)
    if (take === undefined) response.end()
    else take(response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    hold: (call) => {
      const held = Promise.withResolvers<ServerResponse>()
      wanted.set(call, held.resolve)
      return {
        reached: held.promise.then(() => {}),
        release: () => void held.promise.then((response) => response.end()),
      }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
