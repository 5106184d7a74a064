// Where today's interface may refuse what the page allows.
import { isParticipantAdmin } from './rules.ts'
import type { Caller } from './rules.ts'

/**
 * A participant admin of a configured provider: its token reaches that provider only (interface of
 * the ledger, provider of a request).
 */
export function isOpenAdmin(caller: Caller): boolean {
  return caller.kind === 'user' && caller.user.provider !== '' && isParticipantAdmin(caller.user)
}
