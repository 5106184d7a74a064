// Nothing is answered from a database that has another history than this server has seen: neither
// what it says nor what this server remembers can be trusted. docs/decisions/0025-one-history.md
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import type { HistoryWatch } from '../engine/index.ts'
import type { Principal } from '../access/principal.ts'
import { aroundHandlers } from './around-handlers.ts'

/** They say how the server is, and ask no database. */
const PROBES = /^\/(livez|readyz|status|version|v2\/version)$/

/** The mount with every handler but the probes' rejecting once the history is another one. */
export function onOneHistory(
  mount: InterfaceMount<Principal>,
  history: HistoryWatch,
): InterfaceMount<Principal> {
  return aroundHandlers(mount, isNoProbe, (handler, input, context) => {
    history.require()
    return handler(input, context)
  })
}

function isNoProbe({ path }: WireOperation): boolean {
  return !PROBES.test(path)
}
