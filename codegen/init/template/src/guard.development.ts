// Who may call: the credentials that the document wants (security.ts says who shows them), and
// after that whatever `authorize` says.
import { securityGuard } from 'ledgerwright/http'
import type { AccessGuard } from 'ledgerwright/http'
import { schemes } from '../generated/__interface__/security.gen.ts'
import type { Caller } from './context.ts'
import { hooks } from './security.ts'

export const guard: AccessGuard<Caller> = securityGuard(schemes, hooks, {
  // Everybody who is known may do everything: write here what a caller may do with this input.
  authorize: () => ({ allowed: true }),
})
