// Operations that decide by the time are not begun on a server whose clock is off: what they looked
// at before they submit would be wrong already, and the answer with it.
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import type { RecordClock } from '../engine/index.ts'
import type { Principal } from '../access/principal.ts'
import { aroundHandlers } from './around-handlers.ts'

/**
 * The mount with every handler whose operation submits waiting for a clock that may be believed; it
 * rejects as the engine does.
 */
export function onTrustedTime(
  mount: InterfaceMount<Principal>,
  watch: RecordClock | undefined,
  submits: (operation: WireOperation) => boolean,
): InterfaceMount<Principal> {
  if (watch === undefined) return mount
  return aroundHandlers(mount, submits, (handler, input, context) => {
    const trusted = watch.trusted()
    return trusted === undefined
      ? handler(input, context)
      : trusted.then(() => handler(input, context))
  })
}
