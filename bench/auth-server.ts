// One server of bench/auth.ts as a process: `node auth-server.ts VARIANT DIR JWKS_URL` prints its
// port and answers until killed.
import authJwt from '../plugins/auth-jwt/index.ts'
import { options } from '../plugins/auth-jwt/options.ts'
import { Verifier } from '../plugins/auth-jwt/verifier.ts'
import { createMemoryStore } from '../plugins/storage-sql/memory.ts'
import { systemClock } from '../runtime/host/clock.ts'
import type { AuthService } from '../runtime/host/plugin.ts'
import { accessDirectory } from '../runtime/participant/access-directory.ts'
import { LedgerGuard } from '../runtime/access/guard.ts'
import { PrincipalDirectory } from '../runtime/access/principal.ts'
import { ProviderDirectory } from '../runtime/access/provider.ts'
import { authOf, contextOf, serveProduct } from './http-product.ts'
import { PARTY } from './http-sample.ts'

const [variant = '', dir = '', jwksUrl = ''] = process.argv.slice(2)
const settings = options.parse({ keys: { allowPrivateAddresses: true } })

/** The plugin as it is, as it would be without a memory, and the development auth. */
async function authService(): Promise<AuthService> {
  if (variant === 'open') return authOf(dir)
  if (variant === 'jwt') return await authJwt.setup(contextOf('jwt', dir), settings)
  const verifier = new Verifier(contextOf('jwt', dir), settings)
  return {
    authenticate: async (token) => {
      const outcome = await verifier.verify(token)
      return outcome.kind === 'verified' ? { kind: 'user', user: outcome.user } : outcome
    },
    connect: (directory) => {
      verifier.directory = directory
    },
  }
}

/** The guard over a store with one identity provider and its user. */
async function guard(): Promise<LedgerGuard> {
  const store = createMemoryStore()
  const identityProviderId = variant === 'open' ? '' : 'idp'
  await store.identityProviders.create(
    { id: 'idp', issuer: 'https://issuer.example', jwksUrl, audience: 'us', isDeactivated: false },
    16,
  )
  await store.users.create(
    {
      id: 'alice',
      primaryParty: PARTY,
      isDeactivated: false,
      primaryPartyAuthentication: false,
      identityProviderId,
      annotations: {},
    },
    [{ kind: 'CanActAs', party: PARTY }],
  )
  const principals = new PrincipalDirectory(store, systemClock)
  const providers = new ProviderDirectory(store.identityProviders, systemClock)
  const auth = await authService()
  const node = { participantUid: 'participant::1220', synchronizerId: 'global-domain::1220' }
  auth.connect?.(accessDirectory({ parties: store.parties, principals, providers, node }))
  return new LedgerGuard({
    auth: [auth],
    directory: principals,
    webSocketTokenPrefix: 'jwt.token.',
    operatorParty: '',
  })
}

console.log(
  await (variant === 'off'
    ? serveProduct(dir, { guard: true })
    : serveProduct(dir, {}, await guard())),
)
