// Puts something around the handlers of an interface.
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import type { Principal } from '../access/principal.ts'

type Mount = InterfaceMount<Principal>
type Handler = NonNullable<Mount['handlers'][string]>
type Around = (handler: Handler, ...request: Parameters<Handler>) => ReturnType<Handler>

/**
 * The mount with `around` called in place of each handler whose operation is wanted; the others are
 * as they were.
 */
export function aroundHandlers(
  mount: Mount,
  wants: (operation: WireOperation) => boolean,
  around: Around,
): Mount {
  const wanted = new Set(mount.wire.operations.filter(wants).map(({ operationId }) => operationId))
  const handlers = Object.entries(mount.handlers).map(
    ([name, handler]): [string, Handler | undefined] => [
      name,
      handler === undefined || !wanted.has(name)
        ? handler
        : (input, context) => around(handler, input, context),
    ],
  )
  return { ...mount, handlers: Object.fromEntries(handlers) }
}
