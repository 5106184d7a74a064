// Requests that are not for this server, or of pages of others: refused before anything else of
// them is looked at. docs/security.md
import type { IncomingMessage } from 'node:http'
import type { Shared } from './exchange.ts'
import type { Problem } from './problem.ts'

/** Characters of a header that is logged. */
const MAX_VALUE = 100

/** Undefined for a request that may be answered. */
export function foreignProblem(
  { hostCheck }: Pick<Shared, 'hostCheck'>,
  req: IncomingMessage,
): Problem | undefined {
  const header = hostCheck?.(req)
  if (header === undefined) return undefined
  const value = String(req.headers[header.toLowerCase()] ?? '').slice(0, MAX_VALUE)
  return { kind: 'foreign', header, reason: `not for this server: ${header} is "${value}"` }
}
