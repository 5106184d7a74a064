// Who shows a credential, for each security scheme of the document; `undefined` is nobody, which is
// answered 401. FOR DEVELOPMENT ONLY: who shows the one token below may do everything. In
// production every hook refuses, until you have written here who your callers are.
import type { SecurityHooks } from '../generated/__interface__/security.gen.ts'
import type { Caller } from './context.ts'

/**
 * As a bearer token, as the user's name of HTTP basic, or as an API key, wherever the document
 * wants it.
 */
const DEVELOPMENT_TOKEN =
  process.env['NODE_ENV'] === 'production'
    ? undefined
    : process.env['DEV_TOKEN'] || 'development-token'

/** The one caller of development, with the scopes that a token may have. */
export function developer(shown: string, scopes: readonly string[] = []) {
  if (DEVELOPMENT_TOKEN === undefined || shown !== DEVELOPMENT_TOKEN) return undefined
  return { principal: { name: 'developer' }, scopes }
}

export const hooks: SecurityHooks<Caller> = {
  __hooks__,
}
