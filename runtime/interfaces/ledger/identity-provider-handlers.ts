// The identity provider operations of the ledger interface. docs/ledger-rules.md, "Identity
// providers"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { IdentityProviderConfig } from '../../../generated/ledger/types.gen.ts'
import type { IdentityProviderRecord } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import type { LedgerError } from '../../errors/errors.ts'
import { invalidArgument } from '../../errors/errors.ts'
import type { Context, Respond } from '../reply.ts'
import type { IdentityProviderAdmin } from '../../participant/identity/identity-provider-admin.ts'

/** Handlers of all operations on identity provider configurations. */
export function identityProviderHandlers(
  providers: IdentityProviderAdmin,
  respond: Respond,
) {
  const one = (
    provider: IdentityProviderRecord,
  ): { identityProviderConfig: IdentityProviderConfig } => ({
    identityProviderConfig: toWire(provider),
  })
  return {
    listIdentityProviderConfigs: async (_, context) =>
      respond(await providers.list(), context, (all) => ({
        identityProviderConfigs: all.map(toWire),
      })),
    createIdentityProviderConfig: async ({ body }, context) =>
      respond(await providers.create(toRecord(body.identityProviderConfig)), context, one),
    getIdentityProviderConfig: async ({ path }, context) =>
      respond(await providers.get(path['idp-id']), context, one),
    updateIdentityProviderConfig: async ({ path, body }, context) => {
      const requested = toRecord(body.identityProviderConfig)
      const problem = idMismatch(path['idp-id'], requested.id)
      return respond(
        problem ?? (await providers.update(requested, body.updateMask.paths ?? [])),
        context,
        one,
      )
    },
    deleteIdentityProviderConfig: async ({ path }, context) =>
      respond(await providers.delete(path['idp-id']), context, () => ({})),
  } satisfies Partial<Handlers<Context>>
}

function idMismatch(path: string, body: string): LedgerError | undefined {
  if (path === body) return undefined
  return invalidArgument(
    reasonText('identityProviderIdMismatch', { path, body: `Some(${body})` }),
    { shape: 'proxy' },
  )
}

function toWire({
  id,
  isDeactivated,
  issuer,
  jwksUrl,
  audience,
}: IdentityProviderRecord): IdentityProviderConfig {
  return { identityProviderId: id, isDeactivated, issuer, jwksUrl, audience }
}

function toRecord(config: IdentityProviderConfig): IdentityProviderRecord {
  return {
    id: config.identityProviderId,
    isDeactivated: config.isDeactivated ?? false,
    issuer: config.issuer,
    jwksUrl: config.jwksUrl,
    audience: config.audience ?? '',
  }
}
