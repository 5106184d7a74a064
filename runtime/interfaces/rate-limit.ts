// Counts the operations that submit against their caller's rate, before their handlers begin.
import { ProblemError } from '../http/index.ts'
import type { InterfaceMount, WireOperation } from '../http/index.ts'
import type { Principal } from '../access/principal.ts'
import type { OverQuota, Quotas } from '../economy/quotas/index.ts'
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
    if (context.principal !== undefined) refuseOver(quotas.overRate(context.principal))
    return handler(input, context)
  })
}

/** Throws the ProblemError with 429 for what is over a quota. */
export function refuseOver(over: OverQuota | undefined): void {
  if (over === undefined) return
  throw new ProblemError({
    kind: 'over-quota',
    text: overQuotaText(over),
    retrySeconds: secondsOf(over.retryMs),
  })
}
