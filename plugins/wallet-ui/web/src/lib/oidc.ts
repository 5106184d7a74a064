// Log-in at an OpenID Connect provider: authorisation code with PKCE, by a maintained library, all
// of it in the page.
import {
  ErrorResponse,
  InMemoryWebStorage,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts'
import type { Provider } from './configuration.ts'
import { isUnreachable } from './problem.ts'
import type { Session } from './session.ts'

const HOME = '/wallet'

/**
 * Sends the person to the provider, and remembers the page that was wanted. Rejects in words where
 * the provider does not answer.
 */
export async function start(provider: Provider): Promise<void> {
  try {
    await managerOf(provider).signinRedirect({ state: location.pathname })
  } catch (error) {
    throw inWords(error, provider)
  }
}

/**
 * Trades the code in the address for a token. Rejects with the reason in words; the address is
 * clean in any case.
 */
export async function finish(provider: Provider): Promise<Session> {
  const returned = location.href
  history.replaceState(null, '', HOME)
  try {
    const user = await managerOf(provider).signinRedirectCallback(returned)
    history.replaceState(null, '', wanted(user.state))
    const token = provider.token === 'id' ? user.id_token : user.access_token
    if (token === undefined) throw new Error(`${provider.name} sent no token.`)
    return {
      user: user.profile.preferred_username ?? user.profile.email ?? user.profile.sub,
      token,
    }
  } catch (error) {
    throw inWords(error, provider)
  }
}

/** A page of this wallet, and nothing else. */
function wanted(state: unknown): string {
  return typeof state === 'string' && /^\/wallet(?:\/[\w-]+)*$/u.test(state) ? state : HOME
}

function inWords(error: unknown, { name }: Provider): Error {
  if (isUnreachable(error)) return new Error(`The log-in of ${name} does not answer.`)
  if (error instanceof ErrorResponse)
    return new Error(
      `The log-in of ${name} refused: ${error.error_description ?? error.error ?? 'it does not say why'}`,
    )
  const message = error instanceof Error ? error.message : String(error)
  if (/state/u.test(message))
    return new Error(
      'That log-in was not begun in this window, or has ended already. Log in again.',
    )
  return new Error(`The log-in of ${name} failed: ${message}`)
}

function managerOf({ authority, clientId, scope, audience }: Provider): UserManager {
  return new UserManager({
    authority,
    client_id: clientId,
    scope,
    redirect_uri: location.origin + HOME,
    response_type: 'code',
    // What is under way waits in the tab; the tokens are the session's affair, so that logging out
    // leaves none behind.
    stateStore: new WebStorageStateStore({ store: sessionStorage }),
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    automaticSilentRenew: false,
    ...(audience === undefined ? {} : { extraQueryParams: { audience } }),
  })
}
