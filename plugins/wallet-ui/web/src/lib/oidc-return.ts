// The end of a log-in at a provider: the page comes back with a code in its address. The library is
// loaded only then.
import type { Provider } from './configuration.ts'
import type { Session } from './session.ts'

/**
 * The session of a log-in that just ended; undefined where none was under way. Rejects where the
 * provider or the code fails.
 */
export async function returnedSession(provider: Provider): Promise<Session | undefined> {
  const parameters = new URLSearchParams(location.search)
  if (!parameters.has('state') || !(parameters.has('code') || parameters.has('error')))
    return undefined
  const { finish } = await import('./oidc.ts')
  return finish(provider)
}
