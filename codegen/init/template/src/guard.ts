// Who may do what. The document declares no security, so everybody may do everything; once it does,
// this is the place.
import { openGuard } from 'ledgerwright/http'
import type { Caller } from './context.ts'

export const guard = openGuard<Caller>()
