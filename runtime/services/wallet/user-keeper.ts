// Users of the ledger interface as onboarding needs them: there, with a primary party, with the rights to act for it. Every step
// may have been done before, by this server or by another.
import type { Store, RightRecord, UserRecord } from '../../store/store.ts'
import type { PrincipalDirectory } from '../access/principal.ts'
import { untilWritten } from '../ledger/optimistic.ts'
import { MAX_RIGHTS_PER_USER } from '../ledger/user-admin.ts'

/** Marks a party that onboarding allocated, and for whom: nobody else's is ever given to a user of the same name. */
export const ALLOCATED_FOR = 'wallet-user'

export interface WantedUser {
  readonly name: string
  readonly party: string
  /** Also ParticipantAdmin. */
  readonly isOperator?: boolean
}

export interface UserKeeper {
  /** Makes user, party and rights where they are missing; answers the user's primary party, which an existing user may have had before. */
  ensure(user: WantedUser): Promise<string>
  /** Grants CanActAs on the party to another user, where there is such a user and it has room for it. */
  grantActAs(name: string, party: string): Promise<void>
  revokeActAs(name: string, party: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Writes through the store; the directory forgets whom it changes. */
export function createUserKeeper(store: Store, directory: PrincipalDirectory): UserKeeper {
  const grant = async (name: string, rights: readonly RightRecord[]): Promise<void> => {
    await store.users.grant(name, rights, MAX_RIGHTS_PER_USER)
    directory.forget(name)
  }
  return {
    ensure: async ({ name, party, isOperator = false }) => {
      const own = await ensureUser(store, name, party)
      const [known, rights = []] = await Promise.all([store.parties.get([own]), store.users.rights(name)])
      if (known.length === 0) await allocate(store, own, name)
      const wanted = [actAs(own), ...(isOperator ? [{ kind: 'ParticipantAdmin', party: '' }] : [])]
      const missing = wanted.filter(({ kind, party: of }) => !rights.some((right) => right.kind === kind && right.party === of))
      if (missing.length > 0) await grant(name, missing)
      return own
    },
    grantActAs: async (name, party) => grant(name, [actAs(party)]),
    revokeActAs: async (name, party) => {
      await store.users.revoke(name, [actAs(party)])
      directory.forget(name)
    },
    remove: async (name) => {
      await store.users.delete(name)
      directory.forget(name)
    },
  }
}

function actAs(party: string): RightRecord {
  return { kind: 'CanActAs', party }
}

/** Answers the primary party that the user has in the end. */
async function ensureUser(store: Store, name: string, party: string): Promise<string> {
  const contention = new Error(`user ${name} is changed all the time`)
  const outcome = await untilWritten(async () => {
    const user = await store.users.get(name)
    if (user === undefined) return (await create(store, name, party)) === 'created' ? party : 'stale'
    if (user.primaryParty !== '') return user.primaryParty
    const updated = await store.users.update(name, user.resourceVersion, withParty(user, party))
    return updated === 'stale' || updated === 'missing' ? 'stale' : party
  }, contention)
  if (outcome instanceof Error) throw outcome
  return outcome
}

function create(store: Store, name: string, party: string) {
  return store.users.create({
    id: name, primaryParty: party, isDeactivated: false, primaryPartyAuthentication: false, identityProviderId: '', annotations: {},
  }, [actAs(party)])
}

function withParty({ isDeactivated, primaryPartyAuthentication, annotations }: UserRecord, primaryParty: string) {
  return { primaryParty, isDeactivated, primaryPartyAuthentication, annotations }
}

async function allocate(store: Store, party: string, name: string): Promise<void> {
  await store.parties.allocate(
    { party, isLocal: true, identityProviderId: '', annotations: { [ALLOCATED_FOR]: name }, topology: '' }, undefined,
  )
}
