// Counts the operations that submit against their caller's rate, before their handlers begin.
import { ProblemError } from '../http/index.ts'
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import type { Principal } from '../access/principal.ts'
import type { Quotas } from '../economy/quotas/index.ts'
import { overQuotaText, secondsOf } from '../economy/quotas/index.ts'
import { aroundHandlers } from './around-handlers.ts'

/**
 * The mount with every handler whose operation submits refusing callers that are beyond their rate.
 */
export function withinRate(
  mount: InterfaceMount<Principal>,
  quotas: Quotas,
  submits: (operation: WireOperation) => boolean,
): InterfaceMount<Principal> {
  return aroundHandlers(mount, submits, (handler, input, context) => {
    const over = context.principal === undefined ? undefined : quotas.overRate(context.principal)
    if (over === undefined) return handler(input, context)
    throw new ProblemError({
      kind: 'over-quota',
      text: overQuotaText(over),
      retrySeconds: secondsOf(over.retryMs),
    })
  })
}
