// The user operations of the ledger interface: wire in, UserAdmin, wire out. docs/ledger-rules.md,
// "Users"
import type { Handlers } from '../../../generated/ledger/handlers.gen.ts'
import type { User } from '../../../generated/ledger/types.gen.ts'
import type { UserRecord } from '../../store/store.ts'
import { reasonText } from '../../errors/catalogue.ts'
import { invalidArgument, LedgerError } from '../../errors/errors.ts'
import type { Context, Respond } from '../reply.ts'
import { callerOf } from '../reply.ts'
import { readRights, rightToWire } from './right-wire.ts'
import type { UserAdmin } from '../../participant/identity/user-admin.ts'
import type { UserDraft } from '../../participant/identity/user-draft.ts'

/** Handlers of all operations on users and their rights. */
export function userHandlers(users: UserAdmin, respond: Respond) {
  return {
    ...rightHandlers(users, respond),
    listUsers: async ({ query }, context) => {
      const page = { pageSize: query.pageSize ?? 0, pageToken: query.pageToken ?? '' }
      return respond(await users.list(callerOf(context), page), context, (listing) => ({
        users: listing.items.map(userToWire),
        nextPageToken: listing.nextPageToken,
      }))
    },
    createUser: async ({ body }, context) => {
      const rights = readRights(body.rights ?? [])
      const created =
        rights instanceof LedgerError
          ? rights
          : await users.create(callerOf(context), userDraft(body.user), rights)
      return respond(created, context, (user) => ({ user: userToWire(user) }))
    },
    getUser: async ({ path, query }, context) => {
      const found = await users.get(
        callerOf(context),
        path['user-id'],
        query['identity-provider-id'] ?? '',
      )
      return respond(found, context, (user) => ({ user: userToWire(user) }))
    },
    updateUser: async ({ path, body }, context) => {
      const problem = userIdMismatch(path['user-id'], body.user.id)
      const updated =
        problem ??
        (await users.update(callerOf(context), userDraft(body.user), body.updateMask.paths ?? []))
      return respond(updated, context, (user) => ({ user: userToWire(user) }))
    },
    deleteUser: async ({ path }, context) =>
      respond(await users.delete(callerOf(context), path['user-id']), context, () => ({})),
    updateUserIdentityProviderId: async ({ path, body }, context) => {
      const problem = userIdMismatch(path['user-id'], body.userId)
      const moved =
        problem ??
        (await users.move(
          body.userId,
          body.sourceIdentityProviderId ?? '',
          body.targetIdentityProviderId ?? '',
        ))
      return respond(moved, context, () => ({}))
    },
    getAuthenticatedUser: async ({ query }, context) => {
      const found = await users.get(callerOf(context), '', query['identity-provider-id'] ?? '')
      return respond(found, context, (user) => ({ user: userToWire(user) }))
    },
  } satisfies Partial<Handlers<Context>>
}

function rightHandlers(users: UserAdmin, respond: Respond) {
  return {
    listUserRights: async ({ path }, context) =>
      respond(await users.rights(callerOf(context), path['user-id']), context, (rights) => ({
        rights: rights.map(rightToWire),
      })),
    grantUserRights: async ({ path, body }, context) => {
      const rights = userIdMismatch(path['user-id'], body.userId) ?? readRights(body.rights ?? [])
      const granted =
        rights instanceof LedgerError
          ? rights
          : await users.grant(callerOf(context), body.userId, rights, body.identityProviderId ?? '')
      return respond(granted, context, (changed) => ({
        newlyGrantedRights: changed.map(rightToWire),
      }))
    },
    revokeUserRights: async ({ path, body }, context) => {
      const rights = userIdMismatch(path['user-id'], body.userId) ?? readRights(body.rights ?? [])
      const revoked =
        rights instanceof LedgerError
          ? rights
          : await users.revoke(
              callerOf(context),
              body.userId,
              rights,
              body.identityProviderId ?? '',
            )
      return respond(revoked, context, (changed) => ({
        newlyRevokedRights: changed.map(rightToWire),
      }))
    },
  } satisfies Partial<Handlers<Context>>
}

function userIdMismatch(path: string, body: string): LedgerError | undefined {
  if (path === body) return undefined
  return invalidArgument(reasonText('userIdMismatch', { path, body: `Some(${body})` }), {
    shape: 'proxy',
  })
}

/** A stored user as answers show it: every field present, '' for what is not set. */
function userToWire(user: UserRecord): User {
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    metadata: {
      resourceVersion: user.resourceVersion.toString(),
      annotations: { ...user.annotations },
    },
    identityProviderId: user.identityProviderId,
    primaryPartyAuthentication: user.primaryPartyAuthentication,
  }
}

function userDraft(user: User): UserDraft {
  return {
    id: user.id,
    primaryParty: user.primaryParty,
    isDeactivated: user.isDeactivated,
    primaryPartyAuthentication: user.primaryPartyAuthentication,
    identityProviderId: user.identityProviderId ?? '',
    annotations: user.metadata?.annotations,
    resourceVersion: user.metadata?.resourceVersion ?? '',
  }
}
