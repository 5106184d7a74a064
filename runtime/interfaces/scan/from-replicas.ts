// Scan's reads of the past, answered from a copy of the data where one is fresh enough: they are
// most of what scan costs a database. docs/decisions/0042-read-replicas.md
import type { ReadReplica } from '../../store/read-replica.ts'
import type { InterfaceMount } from '../../http/index.ts'
import type { Principal } from '../../access/principal.ts'
import type { Economy } from '../../economy/economy.ts'
import { snapshotHandlers, updateHandlers } from './history-handlers.ts'

type Mount = InterfaceMount<Principal>
type Handler = NonNullable<Mount['handlers'][string]>
type Reply = Awaited<ReturnType<Handler>>

/** A copy, and what it answers by operation id. */
interface Copy {
  readonly replica: ReadReplica
  readonly handlers: Mount['handlers']
}

/**
 * The mount with those operations asked of the freshest copy. Its answers have an `Age`, in
 * seconds; what it does not have, and what fails there, is asked of the database.
 */
export function fromReplicas(
  mount: Mount,
  economy: Economy,
  replicas: readonly ReadReplica[],
): Mount {
  const copies = replicas.map((replica) => ({ replica, handlers: pastOf(economy, replica) }))
  const handlers = Object.entries(mount.handlers).map(
    ([name, handler]): [string, Handler | undefined] => [
      name,
      handler === undefined || copies.every((copy) => copy.handlers[name] === undefined)
        ? handler
        : fromFreshest(copies, name, handler),
    ],
  )
  return { ...mount, handlers: Object.fromEntries(handlers) }
}

/** Reads of contracts and updates alone, so that nothing else may be old. */
function pastOf(economy: Economy, { store }: ReadReplica): Mount['handlers'] {
  const { contracts, updates } = store
  const copy = { ...economy, store: { ...economy.store, contracts, updates } }
  const { forceAcsSnapshotNow: _writes, ...snapshots } = snapshotHandlers(copy)
  return { ...snapshots, ...updateHandlers(copy) }
}

function fromFreshest(copies: readonly Copy[], name: string, handler: Handler): Handler {
  return async (input, context) => {
    const found = freshest(copies)
    const copied = found?.copy.handlers[name]
    if (found === undefined || copied === undefined) return handler(input, context)
    const beganMs = performance.now()
    try {
      const reply = await copied(input, context)
      if (reply.status === 200) return aged(reply, found.ageMs + performance.now() - beganMs)
    } catch (error) {
      context.log.debug({ err: error }, 'a replica has not answered')
    }
    return handler(input, context)
  }
}

function freshest(
  copies: readonly Copy[],
): { readonly copy: Copy; readonly ageMs: number } | undefined {
  const usable = copies.flatMap((copy) => {
    const ageMs = copy.replica.ageMs()
    return ageMs === undefined ? [] : [{ copy, ageMs }]
  })
  return usable.toSorted((one, other) => one.ageMs - other.ageMs)[0]
}

/** RFC 9111 §5.1 */
function aged(reply: Reply, ageMs: number): Reply {
  return { ...reply, headers: { ...reply.headers, Age: String(Math.ceil(ageMs / 1_000)) } }
}
