// Who may call: the credentials that the document wants (security.ts says who shows them), and
// after that whatever `authorize` says.
import { securityGuard } from 'ledgerwright/http'
import { schemes } from '../generated/__interface__/security.gen.ts'
import { hooks } from './security.ts'

export const guard = securityGuard(schemes, hooks, {
  // Everybody who is known may do everything: write here what a caller may do with this input.
  authorize: () => ({ allowed: true }),
})
