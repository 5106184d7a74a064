// Log-in at an OpenID Connect provider: authorisation code with PKCE, by a maintained library, all of it in the page.
import { UserManager, WebStorageStateStore } from 'oidc-client-ts'
import type { Provider } from './configuration.ts'
import type { Session } from './session.ts'

/** Sends the person to the provider; comes back to /wallet. */
export async function start(provider: Provider): Promise<void> {
  await managerOf(provider).signinRedirect()
}

/** Trades the code in the address for a token. Rejects with the provider's reason. */
export async function finish(provider: Provider): Promise<Session> {
  const user = await managerOf(provider).signinRedirectCallback()
  history.replaceState(null, '', '/wallet')
  const token = provider.token === 'id' ? user.id_token : user.access_token
  if (token === undefined) throw new Error('the provider sent no token')
  return { user: user.profile.preferred_username ?? user.profile.email ?? user.profile.sub, token }
}

function managerOf({ authority, clientId, scope, audience }: Provider): UserManager {
  return new UserManager({
    authority, client_id: clientId, scope, redirect_uri: `${location.origin}/wallet`, response_type: 'code',
    stateStore: new WebStorageStateStore({ store: sessionStorage }), userStore: new WebStorageStateStore({ store: sessionStorage }),
    automaticSilentRenew: false, ...audience === undefined ? {} : { extraQueryParams: { audience } },
  })
}
