// The caller behind a token: the stored user with the rights it had at most `CACHE_MS` ago. Changes
// made on this server are seen at once, those of other servers within CACHE_MS.
// docs/ledger-rules.md, "Rights"
import type { AuthenticatedUser, HostClock } from '../host/plugin.ts'
import { Recent } from '../host/recent.ts'
import type { Store, UserRecord } from '../store/store.ts'
import { RightSet } from './rights.ts'

const CACHE_MS = 5_000
const CACHE_ENTRIES = 1_000

export interface Principal {
  readonly user: UserRecord
  readonly rights: RightSet
  /** The party of the user's wallet. docs/authority.md */
  readonly walletParty: string | undefined
}

/**
 * The provider that a request means: for anybody but a participant admin an empty one is the
 * caller's own. docs/ledger-rules.md, "Users"
 */
export function effectiveProvider(principal: Principal, requested: string): string {
  if (requested !== '') return requested
  return principal.rights.isAdmin ? '' : principal.user.identityProviderId
}

interface Entry {
  readonly principal: Principal | undefined
  readonly expiresMs: number
}

/** Looks principals up and forgets them when somebody changes them here. */
export class PrincipalDirectory {
  readonly #store: Store
  readonly #clock: HostClock
  readonly #entries = new Recent<Entry>(CACHE_ENTRIES)
  #changes = 0

  constructor(store: Store, clock: HostClock) {
    this.#store = store
    this.#clock = clock
  }

  /**
   * Undefined when there is no such user; one of another provider counts as none. A known user
   * comes at once.
   */
  find(authenticated: AuthenticatedUser): Promise<Principal | undefined> | Principal | undefined {
    const { userId, identityProviderId } = authenticated
    const known = this.#fresh(userId)
    if (known !== undefined) return ofProvider(known, identityProviderId)
    return this.#load(userId).then((principal) => ofProvider(principal, identityProviderId))
  }

  /**
   * As `find`, but a subject whose id no user has comes as a user without party and rights, who is
   * stored nowhere.
   */
  async findSubject(authenticated: AuthenticatedUser): Promise<Principal | undefined> {
    const { userId, identityProviderId } = authenticated
    const known = this.#fresh(userId) ?? (await this.#load(userId))
    // A user of another provider is as good as none: nobody learns here that it is there.
    return ofProvider(known, identityProviderId) ?? newcomer(authenticated)
  }

  /**
   * The stored user, whichever provider it belongs to. Its primary party's key counts only where it
   * has a right on the party, and no wallet: whoever planted it would come to the wallet too.
   */
  user(userId: string): Promise<UserRecord | undefined> | UserRecord | undefined {
    const known = this.#fresh(userId)
    return known === undefined ? this.#load(userId).then(userOf) : userOf(known)
  }

  /**
   * The parties among these for which the operator acts: those of wallets here, and those with keys
   * of their own that this node hosts. docs/authority.md R7
   */
  async operatedAmong(parties: readonly string[]): Promise<readonly string[]> {
    const { wallets, parties: known } = this.#store
    const [ofWallets, found] = await Promise.all([wallets.among(parties), known.get(parties)])
    const external = found.filter(({ isLocal, topology }) => isLocal && topology !== '')
    return [...ofWallets, ...external.map(({ party }) => party)]
  }

  /** Forgets a user; call it after each change of it or its rights on this server. */
  forget(userId: string): void {
    this.#changes += 1
    this.#entries.delete(userId)
  }

  #fresh(userId: string): Principal | undefined {
    const entry = this.#entries.get(userId)
    return entry !== undefined && entry.expiresMs > this.#clock.monotonicMs()
      ? entry.principal
      : undefined
  }

  async #load(userId: string): Promise<Principal | undefined> {
    const changesBefore = this.#changes
    const expiresMs = this.#clock.monotonicMs() + CACHE_MS
    const { users, wallets } = this.#store
    const [user, rights, walletParty] = await Promise.all([
      users.get(userId),
      users.rights(userId),
      wallets.party(userId),
    ])
    const principal =
      user && rights ? { user, rights: new RightSet(rights), walletParty } : undefined
    // A change that came in between may or may not be in what was read: such a reading is used
    // once, not kept.
    if (principal && changesBefore === this.#changes)
      this.#entries.set(userId, { principal, expiresMs })
    return principal
  }
}

function userOf(principal: Principal | undefined): UserRecord | undefined {
  if (principal === undefined) return undefined
  const { user, rights, walletParty } = principal
  const counts =
    user.primaryPartyAuthentication &&
    walletParty === undefined &&
    rights.allows('read-as', user.primaryParty)
  return { ...user, primaryPartyAuthentication: counts }
}

function newcomer({ userId, identityProviderId }: AuthenticatedUser): Principal {
  const user = {
    id: userId,
    identityProviderId,
    primaryParty: '',
    isDeactivated: false,
    primaryPartyAuthentication: false,
    resourceVersion: 0n,
    annotations: {},
  }
  return { user, rights: new RightSet([]), walletParty: undefined }
}

function ofProvider(
  principal: Principal | undefined,
  identityProviderId: string,
): Principal | undefined {
  return principal?.user.identityProviderId === identityProviderId ? principal : undefined
}
